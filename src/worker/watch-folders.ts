// Says which files below some folders changed. Folders are watched, files are not: an agent has thousands of them. Of
// a folder that does not exist, the nearest one above it is watched until it does.
import { type FSWatcher, lstatSync, statSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '../platform/path-inside.ts';

export interface WatchedFolder {
  /** Absolute; it need not exist. */
  readonly path: string;
  /** Called with each file below it that is there, that is new, and that changed. */
  onFile(path: string): void;
}

export interface FolderWatchOptions {
  readonly folders: readonly WatchedFolder[];
  /** How many folders deep below a watched one. */
  readonly depth: number;
  /** Never watched itself, to see a missing folder appear in it: too much happens there. */
  readonly userHome: string;
  /** Called once: some changes will not be seen. */
  onProblem(error: unknown): void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #watched = new Map<string, Watched>();
  /** Folders that do not exist, with the watcher of the one above; null where nothing is watched. */
  readonly #missing = new Map<WatchedFolder, FSWatcher | null>();
  #hasFailed = false;
  #hasEnded = false;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  /** Those that exist. */
  get watched(): readonly string[] {
    return this.#options.folders.map(({ path }) => path).filter((path) => this.#watched.has(path));
  }

  /** Resolves when `onFile` was called for each file that was there. */
  async start(): Promise<void> {
    for (const folder of this.#options.folders) await this.#begin(folder);
  }

  /** Begins with those that exist by now. */
  async lookAgain(): Promise<void> {
    for (const [folder, watcher] of [...this.#missing]) if (watcher === null) await this.#begin(folder);
  }

  end(): void {
    this.#hasEnded = true;
    for (const { watcher } of this.#watched.values()) watcher.close();
    for (const watcher of this.#missing.values()) watcher?.close();
    this.#watched.clear();
    this.#missing.clear();
  }

  async #begin(folder: WatchedFolder): Promise<void> {
    this.#missing.get(folder)?.close();
    this.#missing.delete(folder);
    if (this.#hasEnded) return;
    if (identityOf(folder.path) === null) this.#await(folder);
    else await this.#enter(folder.path, 0, folder);
  }

  #await(folder: WatchedFolder): void {
    let above = dirname(folder.path);
    while (identityOf(above) === null && above !== dirname(above)) above = dirname(above);
    if (isInside(this.#options.userHome, above)) {
      this.#missing.set(folder, null);
      return;
    }
    const next = join(above, relative(above, folder.path).split(sep)[0]!);
    const look = () => {
      if (identityOf(next) !== null || identityOf(above) === null) void this.#begin(folder);
    };
    this.#missing.get(folder)?.close();
    this.#missing.set(folder, this.#watch(above, look));
    // It may have come before the watch began.
    if (identityOf(next) !== null) void this.#begin(folder);
  }

  /** Watches a folder before its names are read, so that none falls between the two. */
  async #enter(path: string, depth: number, root: WatchedFolder): Promise<void> {
    const identity = identityOf(path);
    if (this.#hasEnded || identity === null || this.#watched.get(path)?.identity === identity) return;
    this.#leave(path);
    const watcher = this.#watch(path, (event, name) => this.#changed({ path, depth, root }, event, name));
    if (watcher !== null) this.#watched.set(path, { watcher, identity });
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const below = join(path, entry.name);
      if (entry.isFile()) this.#report(below, root);
      else if (entry.isDirectory() && depth < this.#options.depth) await this.#enter(below, depth + 1, root);
    }
  }

  #changed(
    at: { readonly path: string; readonly depth: number; readonly root: WatchedFolder },
    event: string,
    name: string | null,
  ): void {
    const { path, depth, root } = at;
    if (this.#watched.get(path)?.identity !== identityOf(path)) {
      this.#leave(path);
      if (depth === 0) void this.#begin(root);
      return;
    }
    if (name === null) {
      // The system lost count of the changes.
      this.#leave(path);
      void this.#enter(path, depth, root);
      return;
    }
    const below = join(path, name);
    if (event === 'rename') {
      if (!isFolder(below)) this.#leave(below);
      else if (depth < this.#options.depth) void this.#enter(below, depth + 1, root);
    }
    this.#report(below, root);
  }

  #report(path: string, root: WatchedFolder): void {
    if (!this.#hasEnded) root.onFile(path);
  }

  /** Stops watching a folder and those below it. */
  #leave(path: string): void {
    if (!this.#watched.has(path)) return;
    for (const [other, { watcher }] of this.#watched)
      if (isInside(other, path)) {
        watcher.close();
        this.#watched.delete(other);
      }
  }

  #watch(path: string, onChange: (event: string, name: string | null) => void): FSWatcher | null {
    try {
      const watcher = watch(path, onChange);
      // Windows reports an error when a watched folder is removed.
      watcher.on('error', (error) => {
        onChange('rename', null);
        if (identityOf(path) !== null) this.#fail(error);
      });
      return watcher;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed || this.#hasEnded) return;
    this.#hasFailed = true;
    this.#options.onProblem(error);
  }
}

/** A link to a folder is none. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Null when it is gone, or cannot be reached. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
