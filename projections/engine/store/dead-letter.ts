// What happens when a projector throws: its page is divided until what fails is isolated, and each item that fails alone
// becomes a dead letter in the batch that moves the checkpoint past it. So a poisoned event costs only its own row. A dead
// letter never quotes the event. A rebuild tries it again.
import { createHash } from 'node:crypto';
import type { Change } from '../contract/projector.ts';
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

/** What folds items into a page. */
export interface ItemFold<Item> {
  /** Name of the view. */
  readonly view: string;
  readonly page: ViewPage;
  /** The page of the view whose rows the projector may read, besides its own. */
  readonly upstream?: ViewPage;
  fold(items: readonly Item[]): Promise<void>;
  subject(item: Item): string;
}

/** Folds items into a page and seals it. Returns the dead letters. @throws AnnalsError when the store cannot be read */
export async function foldItems<Item>(
  items: readonly Item[],
  one: ItemFold<Item>,
): Promise<readonly DeadLetter[]> {
  if (items.length === 0) return [];
  const failure = await tryFold(items, one);
  if (failure === null) return [];
  if (items.length === 1)
    return [{ view: one.view, subject: one.subject(items[0]!), ...nameAndCode(failure.error) }];
  const middle = items.length >>> 1;
  const letters: DeadLetter[] = [];
  for (const half of [items.slice(0, middle), items.slice(middle)])
    letters.push(...(await foldItems(half, one)));
  return letters;
}

/** Those that the store does not have yet, one for each subject. */
export async function newLetters(
  store: ViewStore,
  letters: readonly DeadLetter[],
): Promise<readonly DeadLetter[]> {
  if (letters.length === 0) return [];
  const byKey = new Map(letters.map((letter) => [keyOf(letter), letter]));
  const known = await store.getMany([...byKey.keys()]);
  return [...byKey.values()].filter((_, index) => known[index] === undefined);
}

export function putLetters(batch: ViewBatch, letters: readonly DeadLetter[]): void {
  for (const letter of letters) batch.put(keyOf(letter), JSON.stringify(letter));
}

export function removeLetters(batch: ViewBatch, letters: readonly DeadLetter[]): void {
  for (const letter of letters) batch.del(keyOf(letter));
}

export async function readLetters(store: ViewStore): Promise<readonly DeadLetter[]> {
  const texts = await store.values({ gte: DEAD_LETTERS, lt: DEAD_LETTERS_END }).all();
  return texts.map((text) => JSON.parse(text) as DeadLetter);
}

export function rowSubject(change: Change): string {
  return `row:${createHash('sha256').update(change.key).digest('hex').slice(0, 16)}`;
}

function keyOf({ view, subject }: DeadLetter): string {
  return `${DEAD_LETTERS}${view}/${subject}`;
}

async function tryFold<Item>(
  items: readonly Item[],
  { page, upstream, fold }: ItemFold<Item>,
): Promise<{ readonly error: unknown } | null> {
  const checkStore = (): void => {
    page.check();
    upstream?.check();
  };
  try {
    await fold(items);
    checkStore();
    page.seal();
    return null;
  } catch (error) {
    checkStore();
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
