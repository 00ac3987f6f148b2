// Searches everything below a home for words: names and bytes of all files, and, because LevelDB compresses its
// tables, every key and value of the log and the views.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';

export interface Find {
  readonly word: string;
  /** The file, or the database and key. */
  readonly where: string;
  readonly around: string;
}

/** The home must not be open. Ignores case, because the text index stores lower case. */
export async function scanHome(home: string, words: readonly string[]): Promise<Find[]> {
  const finds: Find[] = [];
  const look = (where: string, bytes: Buffer): number =>
    finds.push(...findIn(where, bytes.toString('latin1'), words));
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names) {
    look(`the name ${name}`, Buffer.from(name));
    if (statSync(join(home, name)).isFile()) look(name, readFileSync(join(home, name)));
  }
  for (const name of names.filter((one) => /(^|\/)MANIFEST-\d+$/.test(one)).map((one) => join(one, '..'))) {
    const store = new Level<Buffer, Buffer>(join(home, name), {
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
    });
    for await (const [key, value] of store.iterator()) {
      look(`${name} key`, key);
      look(`${name} ${printable(key.toString('latin1').slice(0, 80))}`, value);
    }
    await store.close();
  }
  return finds;
}

/** The first place of each word. Searches for all words in one pass: there are hundreds of words and megabytes of data. */
export function findIn(where: string, text: string, words: readonly string[]): Find[] {
  const folded = text.toLowerCase();
  const { may, byStart } = startsOf(words);
  const found = new Map<string, number>();
  let three = 0;
  for (let end = 0; end < folded.length; end++) {
    three = after(three, folded.charCodeAt(end));
    if (may[three] === 0) continue;
    for (const word of byStart.get(three) ?? [])
      if (!found.has(word) && folded.startsWith(word.toLowerCase(), end - 2)) found.set(word, end - 2);
  }
  return [...found].map(([word, at]) => ({
    word,
    where,
    around: printable(text.slice(Math.max(0, at - 60), at + word.length + 20)),
  }));
}

interface Starts {
  readonly may: Uint8Array;
  readonly byStart: Map<number, string[]>;
}

const startsOfWords = new WeakMap<readonly string[], Starts>();

/** The words by their first three characters. */
function startsOf(words: readonly string[]): Starts {
  const known = startsOfWords.get(words);
  if (known !== undefined) return known;
  const starts: Starts = { may: new Uint8Array(1 << 18), byStart: new Map() };
  for (const word of words) {
    if (word.length < 3) throw new Error(`too short to be looked for: ${word}`);
    const start = [...word.toLowerCase().slice(0, 3)].reduce((h, one) => after(h, one.charCodeAt(0)), 0);
    starts.may[start] = 1;
    starts.byStart.set(start, [...(starts.byStart.get(start) ?? []), word]);
  }
  startsOfWords.set(words, starts);
  return starts;
}

/** The last three characters as one number, six bits of each. */
function after(three: number, code: number): number {
  return ((three << 6) | (code & 63)) & 0x3ffff;
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '·');
}
