// What looking at a place needs of the disk: a handful of small files, handed in so that tests and the
// platform decide what a file is. Nothing here may throw: a place that cannot be read is not there.

export interface RepositoryFiles {
  /** What stands at a path, links followed; null when nothing does or it may not be looked at. */
  kind(path: string): 'file' | 'folder' | null;
  /** The text of a regular file of at most `bytesMax` bytes, else null. Links are not followed. Never throws. */
  readText(path: string, bytesMax: number): string | null;
  /** The path with links resolved; the path itself when that fails. */
  realPath(path: string): string;
}
