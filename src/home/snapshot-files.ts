// Stores index snapshots: one folder per index, one file per snapshot.
import { join } from 'node:path';
import type { SnapshotFiles } from '../../projections/index.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { list, readInPlace, remove } from '../platform/disk-files.ts';

export function snapshotFiles(folder: string): SnapshotFiles {
  return {
    read: async (name) => readInPlace(join(folder, name)),
    write: (name, content) => writeAtomically(join(folder, name), content),
    names: () => list(folder),
    remove: (name) => remove(join(folder, name)),
  };
}
