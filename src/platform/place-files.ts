// The few small files that looking at a repository reads: bounded, and never a reason to fail.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { PlaceFiles } from '../places/index.ts';

export const placeFiles: PlaceFiles = {
  kind(path) {
    try {
      const found = statSync(path);
      return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
    } catch {
      return null;
    }
  },
  readText(path, bytesMax) {
    try {
      return statSync(path).size > bytesMax ? null : readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  },
  realPath(path) {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  },
};
