// The files of a team in the home, in `share/`, closed to others. They hold secrets, so they are in no event, no export
// and no view.
//
//   identity.json   the keys of this machine and of the team, and the invitations made here
//   records.jsonl   one line a record, as the shared log has it, and one for those that it has acknowledged
import { join } from 'node:path';
import { writeAtomically } from '../../platform/atomic-file.ts';
import { appendToFile, readInPlace, remove } from '../../platform/disk-files.ts';

export type TeamFile = 'identity.json' | 'records.jsonl';

/** Small files by name. What was written is on disk when a call returns. */
export interface TeamStore {
  /** Null when there is none. */
  read(name: TeamFile): string | null;
  replace(name: TeamFile, text: string): Promise<void>;
  append(name: TeamFile, text: string): Promise<void>;
  remove(): Promise<void>;
}

export function teamStoreAt(folder: string): TeamStore {
  return {
    read: (name) => readInPlace(join(folder, name))?.toString() ?? null,
    replace: (name, text) => writeAtomically(join(folder, name), text),
    append: (name, text) => appendToFile(join(folder, name), text),
    async remove() {
      // Without the identity the rest means nothing.
      await remove(join(folder, 'identity.json'));
      await remove(join(folder, 'records.jsonl'));
    },
  };
}
