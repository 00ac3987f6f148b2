// The disk of a run. Stores are LevelDBs in memory or in folders; the small files and the spool are
// in memory. Removed folders and files may come back after a power cut, because their folder was not synced.
import type { LogFiles } from '../../log/index.ts';
import type { SwapFiles } from '../../log/rewrite/swap-folders.ts';
import type { ViewStore } from '../../projections/engine/store/view-store.ts';
import type { GenerationStore, SnapshotFiles } from '../../projections/index.ts';
import type { SpoolFile, SpoolFiles } from '../../src/capture/spool/spool-files.ts';
import type { Chance } from '../helpers/chance.ts';
import type { Backing, Encoding } from './backing.ts';
import type { Disk, Loss, Lost } from './disk.ts';
import { faultyStore } from './faulty-store.ts';
import type { Life } from './life.ts';
import { LogFolders } from './log-folders.ts';
import { MemoryBacking } from './memory-backing.ts';

export type MakeBacking = (encoding: Encoding) => Backing;

export class SimulatedDisk implements Disk {
  readonly #make: MakeBacking;
  readonly #log: LogFolders;
  readonly #generations = new Map<string, Backing>();
  readonly #removed = new Map<string, Backing>();
  readonly #files = new Map<string, string>();
  readonly #snapshots = new Map<string, Buffer>();
  readonly #spool = new Map<string, { bytes: Buffer; modifiedNs: bigint }>();
  /** Removed from the spool since the last power cut. */
  readonly #drained = new Map<string, { bytes: Buffer; modifiedNs: bigint }>();

  constructor(make: MakeBacking = () => new MemoryBacking()) {
    this.#make = make;
    this.#log = new LogFolders(make);
  }

  logFolders(life: Life): SwapFiles {
    return this.#log.swapFiles(life);
  }

  nextToLog(): readonly string[] {
    return this.#log.beside();
  }

  *residue(): Generator<Buffer | string> {
    yield* this.#log.residue();
    for (const backing of this.#generations.values()) yield* backing.residue();
    yield* this.#snapshots.values();
  }

  generations(life: Life): GenerationStore {
    const current = 'views/CURRENT';
    return {
      list: async () => [...this.#generations.keys()],
      current: async () => this.#files.get(current) ?? null,
      setCurrent: (folder) =>
        life.act('views.current', {
          land: async () => {
            this.#files.set(current, folder);
          },
        }),
      open: async (name) => {
        const backing = this.#generations.get(name) ?? this.#make('utf8');
        const point = (): string => (this.#files.get(current) === name ? 'views.batch' : 'views.build');
        if (!this.#generations.has(name))
          await life.act('views.create', {
            land: async () => {
              this.#generations.set(name, backing);
              // A new store under the same name makes the removal of the old one permanent.
              this.#removed.delete(name);
            },
          });
        const store = faultyStore<ViewStore>(() => backing, life, 'views', point);
        await store.open();
        return store;
      },
      remove: (name) =>
        life.act('views.remove', {
          land: async () => {
            const backing = this.#generations.get(name);
            if (backing !== undefined) this.#removed.set(name, backing);
            this.#generations.delete(name);
          },
        }),
    };
  }

  files(life: Life): LogFiles {
    return {
      readText: async (path) => this.#files.get(path),
      writeAtomically: (path, text) => this.#put(life, 'head.write', path, text),
      folderBytes: async () => 0,
    };
  }

  snapshots(life: Life): SnapshotFiles {
    return {
      read: async (name) => this.#snapshots.get(name) ?? null,
      write: (name, content) =>
        life.act('text.snapshot', {
          land: async () => {
            this.#snapshots.set(name, content);
          },
        }),
      names: async () => [...this.#snapshots.keys()],
      remove: async (name) => {
        this.#snapshots.delete(name);
      },
    };
  }

  spoolFiles(life: Life): SpoolFiles {
    return {
      list: async (folder) => ({
        files: folder === 'new' ? [...this.#spool].map(fileOf) : [],
        foreign: 0,
        problem: null,
      }),
      read: async (path) => this.#spool.get(path)!.bytes,
      write: () => life.act('spool.bad', { land: async () => {} }),
      remove: (path) =>
        life.act('spool.remove', {
          land: async () => {
            const file = this.#spool.get(path);
            if (file !== undefined) this.#drained.set(path, file);
            this.#spool.delete(path);
          },
        }),
    };
  }

  leaveInSpool(name: string, bytes: Buffer, modifiedNs: bigint): void {
    this.#spool.set(name, { bytes, modifiedNs });
  }

  inSpool(): ReadonlySet<string> {
    return new Set(this.#spool.keys());
  }

  async restart({ power, tail }: Loss, luck: Chance): Promise<Lost> {
    const spoolLost: string[] = [];
    await this.#log.killed();
    for (const backing of this.#views()) await backing.killed();
    if (power) {
      await this.#log.losePower(luck);
      for (const backing of this.#generations.values()) await backing.losePower(luck);
      for (const [name, backing] of this.#removed)
        if (luck.below(3) === 0) this.#generations.set(name, backing);
      for (const [name, file] of this.#drained) if (luck.below(3) === 0) this.#spool.set(name, file);
      this.#drained.clear();
      for (const name of [...this.#spool.keys()])
        if (luck.below(6) === 0 && this.#spool.delete(name)) spoolLost.push(name);
    }
    for (const backing of this.#removed.values())
      if (![...this.#generations.values()].includes(backing)) await backing.end();
    this.#removed.clear();
    await this.#log.settle();
    return { logEndsAt: tail ? await this.#log.loseTail(luck) : null, spool: spoolLost };
  }

  async end(): Promise<void> {
    await this.#log.end();
    for (const backing of this.#views()) await backing.end();
  }

  #views(): readonly Backing[] {
    return [...this.#generations.values(), ...this.#removed.values()];
  }

  #put(life: Life, point: string, path: string, text: string): Promise<void> {
    return life.act(point, {
      land: async () => {
        this.#files.set(path, text);
      },
    });
  }
}

function fileOf([name, { bytes, modifiedNs }]: [string, { bytes: Buffer; modifiedNs: bigint }]): SpoolFile {
  return { name, path: name, bytes: bytes.length, modifiedNs };
}
