// The disk in memory. Each store keeps an image for every batch that is not synced yet, so that a power cut can
// bring any of them back; removed folders and files may come back too, because nobody synced their folder.
import { MemoryLevel } from 'memory-level';
import type { LogFiles } from '../../log/index.ts';
import { positionOf } from '../../log/keys.ts';
import type { Store } from '../../log/store.ts';
import type { Shelf, SnapshotFiles } from '../../projections/index.ts';
import type { ViewStore } from '../../projections/store.ts';
import type { SpoolFile, SpoolFiles } from '../../src/capture/spool/files.ts';
import type { Chance } from '../helpers/chance.ts';
import type { Disk, Loss, Lost } from './disk.ts';
import { type Backing, faultyStore } from './faulty-store.ts';
import type { Life } from './life.ts';

/** Synced states of the log that a damaged write-ahead file may fall back to. */
const TAIL_STATES_MAX = 6;

type Snapshot = ReturnType<MemoryLevel['snapshot']>;

class MemoryBacking implements Backing {
  readonly #encoding: 'utf8' | 'buffer';
  store: MemoryLevel<unknown, unknown>;
  /** The synced state, then one for each batch behind it. */
  #images: Snapshot[] = [];
  /** Synced states, oldest first. */
  #synced: Snapshot[] = [];
  #whatHoldsAfterFailure: Snapshot | null = null;

  constructor(encoding: 'utf8' | 'buffer') {
    this.#encoding = encoding;
    this.store = this.#empty();
  }

  async open(): Promise<void> {
    await this.store.open();
    if (this.#whatHoldsAfterFailure !== null) await this.#goBackTo(this.#whatHoldsAfterFailure);
    this.#images = [this.store.snapshot()];
  }

  async close(): Promise<void> {}

  landed(synced: boolean): void {
    const image = this.store.snapshot();
    this.#images = synced ? [image] : [...this.#images, image];
    if (synced) this.#synced = [...this.#synced.slice(-TAIL_STATES_MAX), image];
  }

  failed(): void {
    this.#whatHoldsAfterFailure ??= this.store.snapshot();
  }

  async losePower(luck: Chance): Promise<void> {
    if (this.#images.length === 0) return;
    const kept = luck.below(this.#images.length);
    if (this.#whatHoldsAfterFailure === null && kept === this.#images.length - 1) return;
    await this.#goBackTo(this.#images[kept]!);
  }

  /** Goes back to an older synced state. Returns the last position there; null when there is none older. */
  async loseTail(luck: Chance): Promise<number | null> {
    if (this.#synced.length < 2) return null;
    await this.#goBackTo(this.#synced[luck.below(this.#synced.length - 1)]!);
    const keys = (await this.store.keys().all()) as readonly Buffer[];
    return Math.max(0, ...keys.map((key) => positionOf(key) ?? 0));
  }

  async #goBackTo(snapshot: Snapshot): Promise<void> {
    const entries = await this.store.iterator({ snapshot }).all();
    this.store = this.#empty();
    await this.store.open();
    await this.store.batch(entries.map(([key, value]) => ({ type: 'put', key, value })));
    this.#images = [this.store.snapshot()];
    this.#synced = [];
    this.#whatHoldsAfterFailure = null;
  }

  #empty(): MemoryLevel<unknown, unknown> {
    const encoding = this.#encoding;
    return new MemoryLevel<unknown, unknown>({ keyEncoding: encoding, valueEncoding: encoding });
  }
}

export class MemoryDisk implements Disk {
  readonly #log = new MemoryBacking('buffer');
  readonly #generations = new Map<string, MemoryBacking>();
  readonly #removed = new Map<string, MemoryBacking>();
  readonly #files = new Map<string, string>();
  readonly #spool = new Map<string, { bytes: Buffer; modifiedNs: bigint }>();
  /** Taken out of the spool since the last power cut. */
  readonly #drained = new Map<string, { bytes: Buffer; modifiedNs: bigint }>();

  logStore(life: Life): Store {
    return faultyStore<Store>(this.#log, life, 'log', () => 'log.batch');
  }

  shelf(life: Life): Shelf {
    const current = (view: string): string => `${view}/CURRENT`;
    return {
      list: async (view) =>
        [...this.#generations.keys()]
          .filter((name) => name.startsWith(`${view}/`))
          .map((name) => name.split('/')[1]!),
      current: async (view) => this.#files.get(current(view)) ?? null,
      setCurrent: (view, folder) =>
        life.act(`${view}.current`, {
          land: async () => {
            this.#files.set(current(view), folder);
          },
        }),
      open: async (view, folder) => {
        const name = `${view}/${folder}`;
        const backing = this.#generations.get(name) ?? new MemoryBacking('utf8');
        const point = (): string =>
          this.#files.get(current(view)) === folder ? `${view}.batch` : `${view}.build`;
        if (!this.#generations.has(name))
          await life.act(`${view}.create`, {
            land: async () => {
              this.#generations.set(name, backing);
              // What is made anew under a name has ended what was removed under it.
              this.#removed.delete(name);
            },
          });
        const store = faultyStore<ViewStore>(backing, life, view, point);
        await store.open();
        return store;
      },
      remove: (view, folder) =>
        life.act(`${view}.remove`, {
          land: async () => {
            const name = `${view}/${folder}`;
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
    const place = (name: string): string => `text/${name}`;
    return {
      read: async (name) => this.#files.get(place(name)) ?? null,
      write: (name, content) => this.#put(life, 'text.snapshot', place(name), content),
      names: async () =>
        [...this.#files.keys()].filter((path) => path.startsWith('text/')).map((path) => path.slice(5)),
      remove: async (name) => {
        this.#files.delete(place(name));
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
    this.#removed.clear();
    return { logEndsAt: tail ? await this.#log.loseTail(luck) : null, spool: spoolLost };
  }

  async end(): Promise<void> {}

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
