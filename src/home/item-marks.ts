// What a person did to an item, as answers show it.
import type { ContextRow } from '../../projections/index.ts';
import type { ItemMarks } from '../api/act.ts';

/** Nothing for an item that nobody acted on. */
export function itemMarks(marks: ContextRow['marks']): { readonly marks?: ItemMarks } {
  const { pinned, edited, superseded } = marks ?? {};
  const shown: ItemMarks = {
    ...(pinned === undefined ? {} : { pinned: { at: iso(pinned.at) } }),
    ...(edited === undefined ? {} : { edited: { at: iso(edited.at) } }),
    ...(superseded === undefined ? {} : { superseded: { at: iso(superseded.at), by: superseded.by } }),
  };
  return Object.keys(shown).length === 0 ? {} : { marks: shown };
}

/** null also for a number outside the range of a Date. */
function iso(at: number | null): string | null {
  return at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
}
