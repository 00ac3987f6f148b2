// What a person did to an item, as answers show it.
import { isoTime } from '../../log/index.ts';
import type { ContextRow } from '../../projections/index.ts';
import type { ItemMarks } from '../api/act.ts';

/** Nothing for an item that nobody acted on. */
export function itemMarks(marks: ContextRow['marks']): { readonly marks?: ItemMarks } {
  const { pinned, edited, superseded } = marks ?? {};
  const shown: ItemMarks = {
    ...(pinned === undefined ? {} : { pinned: { at: isoTime(pinned.at) } }),
    ...(edited === undefined ? {} : { edited: { at: isoTime(edited.at) } }),
    ...(superseded === undefined ? {} : { superseded: { at: isoTime(superseded.at), by: superseded.by } }),
  };
  return Object.keys(shown).length === 0 ? {} : { marks: shown };
}
