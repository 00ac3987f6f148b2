// What a person did to an item, in a few words.
import type { ItemMarks } from '../../api.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';

/** `pinned, edited, superseded`; empty for nothing. */
export function shortMarks(marks: ItemMarks = {}): string {
  return (['pinned', 'edited', 'superseded'] as const).filter((mark) => marks[mark] !== undefined).join(', ');
}

/** `pinned, edited, superseded by m-… “Use tabs”`; empty for nothing. */
export function marksText({ pinned, edited, superseded }: ItemMarks = {}): string {
  const by = superseded?.by;
  const instead = by ? ` by ${by.id} “${plainLine(by.title)}”` : '';
  return [
    ...(pinned === undefined ? [] : ['pinned']),
    ...(edited === undefined ? [] : ['edited']),
    ...(superseded === undefined ? [] : [`superseded${instead}`]),
  ].join(', ');
}
