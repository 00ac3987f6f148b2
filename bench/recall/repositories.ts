// Which repository each real session is of.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Session → the folder of its repository; empty for an unknown one. */
export function repositories(folders: readonly string[]): (session: string | null) => string {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const repository of readdirSync(folder))
      for (const file of readdirSync(join(folder, repository)))
        found.set(file.replace('.jsonl', ''), repository);
  return (session) => found.get(session ?? '') ?? '';
}
