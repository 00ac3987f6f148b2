// What happens when a projector throws: the page is folded again one item at a time from the same state, and
// what throws alone becomes a dead letter in the batch in which the anchor moves past it. So one poisoned
// event costs its own row and stops nothing else. A dead letter never quotes the event; a rebuild tries again.
import { createHash } from 'node:crypto';
import type { Change } from '../contract/projector.ts';
import type { OptionalPause } from '../contract/right-of-way.ts';
import type { ViewPage } from './view-page.ts';
import { DEAD_LETTERS, DEAD_LETTERS_END, type ViewBatch, type ViewStore } from './view-store.ts';

export interface DeadLetter {
  readonly view: string;
  /** An event id; for a change of another view `row:` and a hash of its key. */
  readonly subject: string;
  /** The error's name and code, never its message. */
  readonly error: string;
  readonly code: string | null;
}

/**
 * Folds one page into `page` and seals it. Returns the dead letters it left.
 * Throws when the store could not be read: that says nothing about the input.
 */
export async function foldPage<Item>(
  view: string,
  items: readonly Item[],
  page: ViewPage,
  fold: (items: readonly Item[]) => Promise<void>,
  subject: (item: Item) => string,
  pause?: OptionalPause,
): Promise<readonly DeadLetter[]> {
  if (items.length === 0) return [];
  if ((await tryFold(page, () => fold(items), pause)) === null) return [];
  const letters: DeadLetter[] = [];
  for (const item of items) {
    const failure = await tryFold(page, () => fold([item]), pause);
    if (failure !== null) letters.push({ view, subject: subject(item), ...nameAndCode(failure.error) });
  }
  return letters;
}

/** Those that the store does not hold yet, one a subject. */
export async function newLetters(
  store: ViewStore,
  letters: readonly DeadLetter[],
): Promise<readonly DeadLetter[]> {
  if (letters.length === 0) return [];
  const bySubject = new Map(letters.map((letter) => [letter.subject, letter]));
  const known = await store.getMany([...bySubject.keys()].map((subject) => DEAD_LETTERS + subject));
  return [...bySubject.values()].filter((_, index) => known[index] === undefined);
}

export function putLetters(batch: ViewBatch, letters: readonly DeadLetter[]): void {
  for (const letter of letters) batch.put(DEAD_LETTERS + letter.subject, JSON.stringify(letter));
}

export async function readLetters(store: ViewStore): Promise<readonly DeadLetter[]> {
  const texts = await store.values({ gte: DEAD_LETTERS, lt: DEAD_LETTERS_END }).all();
  return texts.map((text) => JSON.parse(text) as DeadLetter);
}

export function rowSubject(change: Change): string {
  return `row:${createHash('sha256').update(change.key).digest('hex').slice(0, 16)}`;
}

async function tryFold(
  page: ViewPage,
  fold: () => Promise<void>,
  pause: OptionalPause | undefined,
): Promise<{ readonly error: unknown } | null> {
  try {
    await fold();
    page.check();
    await page.seal(pause);
    return null;
  } catch (error) {
    page.check();
    page.dropPending();
    return { error };
  }
}

function nameAndCode(error: unknown): { error: string; code: string | null } {
  const name = error instanceof Error ? error.name : 'Error';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return {
    error: /^\w{1,60}$/.test(name) ? name : 'Error',
    code: /^[A-Z][A-Z0-9_]{0,60}$/.test(code) ? code : null,
  };
}
