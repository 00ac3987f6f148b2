// Searches files below a home for texts, as UTF-8, UTF-16 and base64. LevelDB's tables are unpacked: every data block,
// obsolete ones too, and whatever is outside the blocks. Everything else is searched as it is on disk, and with
// the escapes of JSON as the log has them.
import { join } from 'node:path';
// Not log/index.ts: a thread would load LevelDB with it.
import { isTable, readTable, walData } from '../../log/leveldb-files/leveldb-file.ts';
import { readInPlace } from '../platform/disk-files.ts';
import { asStringified } from './fold-case.ts';
import { Finder } from './pattern-finder.ts';

export interface FileSearch {
  readonly home: string;
  /** Paths below the home. */
  readonly files: readonly string[];
  /** As JSON has them. */
  readonly texts: readonly string[];
}

export interface FilesSearched {
  /** How many files, and bytes as searched. */
  readonly files: number;
  readonly bytes: number;
  /** Files that could not be read, and tables that could not be unpacked. */
  readonly unreadable: number;
  /** Index of a text, and a file that holds it or is named by it. */
  readonly found: readonly { readonly text: number; readonly file: string }[];
}

export function searchFiles({ home, files, texts }: FileSearch): FilesSearched {
  const forms = texts.flatMap((text, index) => formsOf(text).map((bytes) => ({ bytes, index })));
  const finder = new Finder(forms.map(({ bytes }) => bytes));
  const found: { text: number; file: string }[] = [];
  let read = 0;
  let bytes = 0;
  let unreadable = 0;
  for (const file of files) {
    let content: Buffer | null;
    try {
      content = readInPlace(join(home, file));
    } catch {
      unreadable += 1;
      continue;
    }
    // LevelDB may have removed the file since it was listed; then it holds nothing.
    if (content === null) continue;
    read += 1;
    const inFile = new Set<number>();
    const search = (part: Buffer): void => {
      bytes += part.length;
      finder.find(part, (form) => inFile.add(forms[form]!.index));
    };
    search(Buffer.from(file));
    if (isTable(file)) {
      if (!readTable(content, search)) unreadable += 1;
    } else search(content);
    // Without its record headers, which may split a text.
    if (isWriteAheadFile(file)) search(walData(content));
    else if (!isTable(file) && content.includes('\\')) search(Buffer.from(asStringified(content.toString())));
    for (const text of inFile) found.push({ text, file });
  }
  return { files: read, bytes, unreadable, found };
}

function isWriteAheadFile(name: string): boolean {
  return /(^|[\\/])\d+\.log$/.test(name);
}

/** A text in the forms it may have on disk: as JSON has it, and as it is in names of files and of rows. */
function formsOf(text: string): Buffer[] {
  return text.includes('\\')
    ? [text, JSON.parse(`"${text}"`) as string].flatMap(encodingsOf)
    : encodingsOf(text);
}

/** In three encodings; base64 has three alignments. */
function encodingsOf(text: string): Buffer[] {
  const plain = Buffer.from(text);
  const forms = [plain, Buffer.from(text, 'utf16le')];
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
