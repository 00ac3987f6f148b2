// Proves that forgotten text is gone: searches every file below the home for fragments of the text. Two checks keep the
// proof honest: tables that cannot be unpacked are counted, and a string that must be on disk (the dedupe key of the
// `memory.forgotten` event) is searched for in the same way.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ForgetProof } from '../api.ts';
import { list, stat } from '../platform/disk-files.ts';
import { answerOfThread } from '../platform/threads.ts';
import { type FilesSearched, searchFiles } from './search-files.ts';

/** More needles would not add to the proof. */
const NEEDLES_MAX = 400;
const FOUND_SHOWN_MAX = 20;
/** Threads take longer to start than to search less than this. */
const BYTES_FOR_THREADS = 32 * 1024 * 1024;
const THREADS_MAX = 4;

export async function prove(home: string, needles: readonly string[], control: string): Promise<ForgetProof> {
  const searched = needles.slice(0, NEEDLES_MAX);
  const texts = [control, ...searched];
  const parts = await Promise.all(
    partsOf(await filesBelow(home)).map((files, _, { length }) => {
      const search = { home, files, texts };
      return (
        (length === 1 ? null : answerOfThread<FilesSearched>('search-thread', search)) ?? searchFiles(search)
      );
    }),
  );
  const sum = (of: 'files' | 'bytes' | 'unreadable') => parts.reduce((total, part) => total + part[of], 0);
  const all = parts.flatMap(({ found }) => found);
  const found = all.flatMap(({ text, file }) => (text === 0 ? [] : [{ needle: texts[text]!, file }]));
  const controlFound = all.some(({ text }) => text === 0);
  const unreadable = sum('unreadable');
  return {
    needles: searched,
    files: sum('files'),
    bytes: sum('bytes'),
    found: found.slice(0, FOUND_SHOWN_MAX),
    unreadable,
    control: { text: control, found: controlFound },
    ok: isSound(found.length === 0 && unreadable === 0 && controlFound, searched),
  };
}

/** null if there was nothing to search for: that proves nothing. */
function isSound(sound: boolean, searched: readonly string[]): boolean | null {
  return sound && searched.length === 0 ? null : sound;
}

interface File {
  /** Below the home. */
  readonly name: string;
  readonly size: number;
}

/** The files for each thread, in parts of about the same size. */
function partsOf(files: readonly File[]): readonly (readonly string[])[] {
  const bytes = files.reduce((total, { size }) => total + size, 0);
  const count = bytes < BYTES_FOR_THREADS ? 1 : Math.min(THREADS_MAX, availableParallelism());
  const parts = Array.from({ length: count }, () => ({ names: [] as string[], bytes: 0 }));
  for (const { name, size } of [...files].sort((a, b) => b.size - a.size)) {
    const part = parts.reduce((least, one) => (one.bytes < least.bytes ? one : least));
    part.names.push(name);
    part.bytes += size;
  }
  return parts.map(({ names }) => names);
}

async function filesBelow(folder: string, below = ''): Promise<File[]> {
  const files: File[] = [];
  for (const name of await list(join(folder, below))) {
    const path = join(below, name);
    const found = await stat(join(folder, path));
    if (found?.kind === 'folder') files.push(...(await filesBelow(folder, path)));
    // Nothing is in an empty file, and Windows does not let LevelDB's lock be read.
    else if (found?.kind === 'file' && found.size > 0) files.push({ name: path, size: found.size });
  }
  return files;
}
