// One real LevelDB in a folder. A killed process is one whose LevelDB writes nothing more: LevelDB passes every record
// to the system before it answers, and closing adds nothing, so its files are those that SIGKILL leaves. A
// power cut truncates the write-ahead file anywhere after its last sync, also within a record. Not simulated:
// death during LevelDB's own work, torn tables or manifests, pages that reach the disk out of order.
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import type { Chance } from '../helpers/chance.ts';
import { type Backing, type Encoding, lastPosition } from './backing.ts';

interface Length {
  readonly file: string;
  readonly bytes: number;
}

export class DirectoryBacking implements Backing {
  readonly #encoding: Encoding;
  readonly #path: string;
  /** Created only when it is opened: a Level opens itself, and then its files can no longer be damaged. */
  #level: Level<unknown, unknown> | null = null;
  #synced: Length | null = null;
  /** Where the write-ahead file ended when a write failed: later records are not read again. */
  #holds: Length | null = null;

  /** `path` is a folder that nothing else uses. */
  constructor(path: string, encoding: Encoding) {
    this.#path = path;
    this.#encoding = encoding;
    mkdirSync(this.#path, { recursive: true });
  }

  get store(): Level<unknown, unknown> {
    if (this.#level === null) throw new TypeError('The store was not opened.');
    return this.#level;
  }

  async open(): Promise<void> {
    this.#cut(this.#holds);
    this.#holds = null;
    const encoding = this.#encoding;
    if (this.#level === null || this.#level.status === 'closed')
      this.#level = new Level(this.#path, { keyEncoding: encoding, valueEncoding: encoding });
    await this.#level.open();
    this.#synced = this.#length();
  }

  async close(): Promise<void> {
    await this.#level?.close();
  }

  landed(synced: boolean): void {
    if (synced) this.#synced = this.#length();
  }

  failed(): void {
    this.#holds ??= this.#length();
  }

  killed(): Promise<void> {
    return this.close();
  }

  async losePower(luck: Chance): Promise<void> {
    const { file, bytes } = this.#length() ?? { file: '', bytes: 0 };
    const from = this.#synced?.file === file ? this.#synced.bytes : bytes;
    const end = Math.min(bytes, this.#holds?.file === file ? this.#holds.bytes : bytes);
    if (from < end) this.#cut({ file, bytes: from + luck.below(end - from + 1) });
  }

  async loseTail(luck: Chance): Promise<number | null> {
    const length = this.#length();
    if (length === null || length.bytes === 0) return null;
    this.#cut({ file: length.file, bytes: luck.below(length.bytes) });
    await this.open();
    const position = await lastPosition(this.store);
    await this.close();
    return position;
  }

  *residue(): Generator<never> {}

  async end(): Promise<void> {
    await this.close();
    rmSync(this.#path, { recursive: true, force: true });
  }

  /** The write-ahead file's current path; null before there is one. */
  #length(): Length | null {
    for (;;) {
      const logs = readdirSync(this.#path).filter((name) => /^\d+\.log$/.test(name));
      const file = logs.sort().at(-1);
      if (file === undefined) return null;
      // LevelDB removes an old one in a background thread, possibly between these two lines.
      const bytes = statSync(join(this.#path, file), { throwIfNoEntry: false })?.size;
      if (bytes !== undefined) return { file, bytes };
    }
  }

  #cut(to: Length | null): void {
    const now = this.#length();
    if (to !== null && now?.file === to.file && to.bytes < now.bytes)
      truncateSync(join(this.#path, to.file), to.bytes);
  }
}
