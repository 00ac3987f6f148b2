// Proves that forgotten text is gone: reads and searches every file below the home, raw and unpacked, for fragments of
// the text as UTF-8, UTF-16 and base64. Two checks keep the proof honest: tables that cannot be unpacked are counted, and
// a string that must be on disk (the dedupe key of the `memory.forgotten` event) is searched for in the same way.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tableBlocks, walData } from '../../log/index.ts';
import type { ForgetProof } from '../api.ts';
import { list, stat } from '../platform/disk-files.ts';
import { Finder } from './pattern-finder.ts';

/** More needles would not add to the proof. */
const NEEDLES_MAX = 400;
const FOUND_SHOWN_MAX = 20;

export async function prove(home: string, needles: readonly string[], control: string): Promise<ForgetProof> {
  const searched = needles.slice(0, NEEDLES_MAX);
  const forms = [control, ...searched].flatMap((needle, index) =>
    formsOf(needle).map((bytes) => ({ bytes, index })),
  );
  const finder = new Finder(forms.map(({ bytes }) => bytes));
  const found: { needle: string; file: string }[] = [];
  let files = 0;
  let bytes = 0;
  let unreadable = 0;
  let controlFound = false;
  const search = (name: string, content: Buffer): void => {
    bytes += content.length;
    finder.find(content, (form) => {
      const { index } = forms[form]!;
      if (index === 0) controlFound = true;
      else found.push({ needle: searched[index - 1]!, file: name });
    });
  };
  for (const name of await filesBelow(home)) {
    const content = await readFile(join(home, name)).catch(() => null);
    // LevelDB may have removed the file since it was listed; then it holds nothing.
    if (content === null) continue;
    files += 1;
    search(name, Buffer.from(name));
    search(name, content);
    if (/\.(ldb|sst)$/.test(name)) {
      const blocks = tableBlocks(content);
      if (blocks === null) unreadable += 1;
      else for (const block of blocks) search(name, block);
    } else if (/(^|[\\/])\d+\.log$/.test(name)) search(name, walData(content));
  }
  const matches = new Map(found.map((one) => [`${one.needle}\n${one.file}`, one]));
  return {
    needles: searched,
    files,
    bytes,
    found: [...matches.values()].slice(0, FOUND_SHOWN_MAX),
    unreadable,
    control: { text: control, found: controlFound },
    ok: isSound(found.length === 0 && unreadable === 0 && controlFound, searched),
  };
}

/** null if there was nothing to search for: that proves nothing. */
function isSound(sound: boolean, searched: readonly string[]): boolean | null {
  return sound && searched.length === 0 ? null : sound;
}

/** A needle in the three encodings it may have on disk; base64 has three alignments. */
function formsOf(needle: string): Buffer[] {
  const plain = Buffer.from(needle);
  const forms = [plain, Buffer.from(needle, 'utf16le')];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), plain])
      .toString('base64')
      .replace(/=+$/, '');
    // Leave out the characters that also depend on neighbouring bytes.
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + plain.length) * 8) / 6));
    if (inner.length >= 12) forms.push(Buffer.from(inner));
  }
  return forms;
}

async function filesBelow(folder: string, below = ''): Promise<string[]> {
  const names: string[] = [];
  for (const name of await list(join(folder, below))) {
    const path = join(below, name);
    const found = await stat(join(folder, path));
    if (found?.kind === 'folder') names.push(...(await filesBelow(folder, path)));
    else if (found?.kind === 'file') names.push(path);
  }
  return names;
}
