// The files of a team in the home, in `share/`, closed to others. They hold secrets, so they are in no event, no export
// and no view.
//
//   identity.json   the keys of this machine and of the team, and the invitations made here
//   records.jsonl   one line a record, as the shared log has it, and one for those that it has acknowledged
import { join } from 'node:path';
import { AnnalsError } from '../../../log/index.ts';
import { writeAtomically } from '../../platform/atomic-file.ts';
import { appendToFile, errorCode, readInPlace, remove } from '../../platform/disk-files.ts';

export type TeamFile = 'identity.json' | 'records.jsonl';

/** Small files by name. What was written is on disk when a call returns. */
export interface TeamStore {
  /** Null when there is none. @throws AnnalsError INPUT_UNREADABLE */
  read(name: TeamFile): string | null;
  replace(name: TeamFile, text: string): Promise<void>;
  append(name: TeamFile, text: string): Promise<void>;
  remove(): Promise<void>;
}

export function teamStoreAt(folder: string): TeamStore {
  return {
    read: (name) => readTeamFile(join(folder, name)),
    replace: (name, text) => writeAtomically(join(folder, name), text),
    append: (name, text) => appendToFile(join(folder, name), text),
    async remove() {
      // Without the identity the rest means nothing.
      await remove(join(folder, 'identity.json'));
      await remove(join(folder, 'records.jsonl'));
    },
  };
}

/** Null when it is not there. @throws AnnalsError INPUT_UNREADABLE */
export function readTeamFile(path: string): string | null {
  try {
    return readInPlace(path)?.toString() ?? null;
  } catch (error) {
    const system = errorCode(error);
    throw new AnnalsError('INPUT_UNREADABLE', `${path} cannot be read (${system}), so nothing is shared.`, {
      hint: 'Make it readable for you, then stop the worker with `annals worker stop`.',
      facts: { path, system },
      cause: error,
    });
  }
}
