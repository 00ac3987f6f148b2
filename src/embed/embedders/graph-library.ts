// Loads hnswlib-node if it is installed and could be compiled. It is optional: without it a search compares every vector.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { GraphLibrary } from '../../../projections/index.ts';
import { findPackage, packageFolders } from './packages.ts';

/** null if it is not installed, or was compiled for another platform. */
export async function graphLibrary(home: string): Promise<GraphLibrary | null> {
  const found = findPackage('hnswlib-node', packageFolders(home));
  if (found === null) return null;
  try {
    return createRequire(join(found.folder, 'package.json'))(found.folder) as GraphLibrary;
  } catch {
    return null;
  }
}
