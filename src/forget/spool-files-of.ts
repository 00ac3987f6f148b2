// Finds spool files, waiting or unusable, that name a forgotten session or hold a fragment of the forgotten text. They
// are removed completely; the log would not accept their events either.
import { spoolFiles, spoolFolders } from '../capture/spool/spool-files.ts';
import { asStringified, foldCase, holdsFoldedText } from './fold-case.ts';
import type { ForgetWork } from './forget-plan.ts';
import { shortTextsOf } from './fragments.ts';
import { finderOf } from './pattern-finder.ts';

/** Paths of the files to remove. */
export async function spoolFilesOf(
  home: string,
  { events, needles, sessions, query }: Pick<ForgetWork, 'events' | 'needles' | 'sessions' | 'query'>,
): Promise<string[]> {
  const short = new Set(events.flatMap(shortTextsOf));
  const words = [...needles, ...short, ...sessions.map(({ session }) => session)];
  const asked = query === null ? null : foldCase(query);
  if (words.length === 0 && asked === null) return [];
  const finder = finderOf(words);
  const folders = spoolFolders(home);
  const paths: string[] = [];
  for (const folder of [folders.new, folders.bad])
    for (const { path } of (await spoolFiles.list(folder)).files) {
      const bytes = await spoolFiles.read(path).catch(() => Buffer.alloc(0));
      const text = bytes.toString();
      const isAsked = asked !== null && holdsFoldedText(text, asked);
      if (isAsked || finder.isIn(bytes) || finder.isIn(Buffer.from(asStringified(text)))) paths.push(path);
    }
  return paths;
}

export async function removeSpoolFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await spoolFiles.remove(path);
}
