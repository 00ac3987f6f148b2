// The project of a folder.

export interface FolderProject {
  readonly name: string;
  /** Names the project in every call that takes one; null if nothing is recorded of it. */
  readonly key: string | null;
}
