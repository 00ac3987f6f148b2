// Looks for words in everything below a home: names and bytes of all files, and, because LevelDB compresses its
// tables, every key and value of the log and of the views.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';

export interface Find {
  readonly word: string;
  /** The file, or the database and key. */
  readonly where: string;
  readonly around: string;
}

/** The home must not be open. Words are found whatever their case: the text index folds it. */
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

export function findIn(where: string, text: string, words: readonly string[]): Find[] {
  const folded = text.toLowerCase();
  return words.flatMap((word) => {
    const at = folded.indexOf(word.toLowerCase());
    return at < 0
      ? []
      : [{ word, where, around: printable(text.slice(Math.max(0, at - 60), at + word.length + 20)) }];
  });
}

function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '·');
}
