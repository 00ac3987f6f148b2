// What a person's acts make of an item: pinned, edited, superseded. The newest act of each kind that was not taken back counts.
// Pure: the same acts give the same marks in any order.
import type { ActRow } from '../acts/act-rows.ts';
import type { Marks, MemoryDocument, Words } from './document.ts';

export type Act = ActRow & { readonly isWithdrawn: boolean };

/** The document as its events alone make it. */
export function withoutMarks({ marks, ...document }: MemoryDocument): MemoryDocument {
  return marks?.edited === undefined ? document : withWords(document, marks.edited.own);
}

/** @param own without marks */
export function withMarks(own: MemoryDocument, acts: readonly Act[]): MemoryDocument {
  if (acts.length === 0) return own;
  const newest = newestOfEach(acts.filter(({ isWithdrawn }) => !isWithdrawn));
  const { pin, edit, supersede } = newest;
  const marks: Marks = {
    acts: acts.map(({ event }) => event).sort(),
    ...(pin === undefined ? {} : { pinned: { at: pin.at } }),
    ...(edit === undefined
      ? {}
      : {
          edited: {
            at: edit.at,
            title: edit.title,
            body: edit.text,
            own: { title: own.title, body: own.body },
          },
        }),
    ...(supersede === undefined
      ? {}
      : {
          superseded: {
            at: supersede.at,
            by: supersede.by === null ? null : { id: supersede.by.id, title: supersede.by.title },
          },
        }),
  };
  const document = { ...own, marks };
  return marks.edited === undefined ? document : withWords(document, marks.edited);
}

/** The newest act of each kind. */
function newestOfEach(acts: readonly Act[]): { [K in ActRow['act']]?: Extract<Act, { act: K }> } {
  return Object.fromEntries([...acts].sort(byTime).map((act) => [act.act, act]));
}

/** Equal times by the event's id. */
export function byTime(one: ActRow, other: ActRow): number {
  return (one.at ?? 0) - (other.at ?? 0) || (one.event < other.event ? -1 : 1);
}

function withWords(document: MemoryDocument, { title, body }: Words): MemoryDocument {
  return { ...document, title, body, tokens: Math.ceil((title.length + body.length) / 4) };
}
