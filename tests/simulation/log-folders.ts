// The folders of the log in a run: the log itself, the guard of a rewrite, and the copies beside the log during a
// rewrite. A rename is on disk when it returns, and so is every earlier change in the same folder; until then a
// removed folder may come back after a power cut.

import type { SwapFiles } from '../../log/rewrite/swap-folders.ts';
import type { MakeStore, Store } from '../../log/store.ts';
import type { Chance } from '../helpers/chance.ts';
import type { Backing, Encoding } from './backing.ts';
import { faultyStore } from './faulty-store.ts';
import type { Life } from './life.ts';

export const LOG = 'log';
const GUARD = 'rewriting';

export class LogFolders {
  readonly #make: (encoding: Encoding) => Backing;
  readonly #folders = new Map<string, Backing>();
  readonly #removed = new Map<string, Backing>();

  constructor(make: (encoding: Encoding) => Backing) {
    this.#make = make;
  }

  /** Acts are named after the folder: `log.open`, `log.fresh.batch`, `log.next.move` … */
  swapFiles(life: Life): SwapFiles {
    return {
      exists: async (path) => this.#folders.has(path.replace(/\/CURRENT$/, '')),
      list: async (path) => (this.#folders.has(path) ? ['CURRENT'] : []),
      rename: (from, to) => life.act(`${from}.move`, { land: async () => this.#rename(from, to) }),
      remove: async (path) => {
        if (!this.#folders.has(path)) return;
        await life.act(`${path}.remove`, { land: async () => this.#remove(path) });
      },
      identity: async (path) => (this.#folders.has(path) ? path : null),
      makeStore: this.#storeMaker(life),
    };
  }

  /** Folders that a process left beside the log, without the guard, which always stays. */
  beside(): readonly string[] {
    return [...this.#folders.keys()].filter((path) => path !== LOG && path !== GUARD);
  }

  /** Every value that a folder's files may still contain. */
  *residue(): Generator<Buffer> {
    for (const backing of this.#folders.values()) yield* backing.residue() as Generator<Buffer>;
  }

  async killed(): Promise<void> {
    for (const backing of this.#all()) await backing.killed();
  }

  async losePower(luck: Chance): Promise<void> {
    for (const backing of this.#folders.values()) await backing.losePower(luck);
    for (const [path, backing] of this.#removed)
      if (!this.#folders.has(path) && luck.below(2) === 0) this.#folders.set(path, backing);
  }

  /** Removed folders can no longer come back. */
  async settle(): Promise<void> {
    for (const backing of this.#removed.values())
      if (![...this.#folders.values()].includes(backing)) await backing.end();
    this.#removed.clear();
  }

  loseTail(luck: Chance): Promise<number | null> {
    return this.#folders.get(LOG)?.loseTail(luck) ?? Promise.resolve(null);
  }

  async end(): Promise<void> {
    for (const backing of this.#all()) await backing.end();
  }

  #storeMaker(life: Life): MakeStore {
    return (directory, options = {}) => {
      let mayMake = options.mustExist !== true;
      const find = (options: { createIfMissing?: boolean } = {}): Backing => {
        mayMake &&= options.createIfMissing !== false;
        const found = this.#folders.get(directory);
        if (found !== undefined) return found;
        if (!mayMake) throw new Error(`${directory}: does not exist (create_if_missing is false)`);
        const made = this.#make('buffer');
        this.#folders.set(directory, made);
        return made;
      };
      return faultyStore<Store>(find, life, directory, () => `${directory}.batch`);
    };
  }

  #rename(from: string, to: string): void {
    const backing = this.#folders.get(from);
    if (backing === undefined) throw Object.assign(new Error(`ENOENT: ${from}`), { code: 'ENOENT' });
    if (this.#folders.has(to)) throw Object.assign(new Error(`ENOTEMPTY: ${to}`), { code: 'ENOTEMPTY' });
    this.#folders.set(to, backing);
    this.#folders.delete(from);
    this.#removed.clear();
  }

  #remove(path: string): void {
    this.#removed.set(path, this.#folders.get(path)!);
    this.#folders.delete(path);
  }

  #all(): readonly Backing[] {
    return [...this.#folders.values(), ...this.#removed.values()];
  }
}
