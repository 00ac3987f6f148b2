import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The main transcripts, by the time of their first line. */
export function transcriptsInOrder(folders: readonly string[]): string[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl') && !name.includes('subagents'))
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile()),
  );
  const times = new Map(
    paths.map((path) => [path, /"timestamp":"([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '']),
  );
  return paths.sort((a, b) => (times.get(a)! < times.get(b)! ? -1 : 1));
}
