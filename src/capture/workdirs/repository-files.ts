// The disk access that describing a workdir needs: a few small files, injected so that tests and the platform decide
// what a file is. No function may throw: what cannot be read counts as missing.

export interface RepositoryFiles {
  /** The kind of a path, links followed. Null when it does not exist or may not be accessed. */
  kind(path: string): 'file' | 'folder' | null;
  /** The text of a regular file of at most `bytesMax` bytes, else null. Links are not followed. Never throws. */
  readText(path: string, bytesMax: number): string | null;
  /** The path with links resolved, as far as it exists. Never throws. */
  realPath(path: string): string;
}
