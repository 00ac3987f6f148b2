// hnswlib-node, where it is installed and could be compiled. Most people have it not and miss nothing: every vector is
// looked at instead.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GraphLibrary } from '../../../projections/index.ts';
import { findPackage, packageFolders } from './packages.ts';

/** null when it is not there, or was made for another machine. */
export async function graphLibrary(home: string): Promise<GraphLibrary | null> {
  const found = findPackage('hnswlib-node', packageFolders(home));
  if (found === null) return null;
  try {
    return createRequire(join(found.folder, 'package.json'))(found.folder) as GraphLibrary;
  } catch {
    return null;
  }
}
