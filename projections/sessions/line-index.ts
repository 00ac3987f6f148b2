// The lines of one session by copy key, and which of them changed since they were last written.
import { SetMap } from './collections.ts';
import type { SessionItem } from './session-item.ts';

export class LineIndex {
  readonly #items = new SetMap<SessionItem>();
  /** The time of changed lines before the first change, Unix ms; undefined for a new line. */
  readonly #timesBefore = new Map<string, number | undefined>();

  add(item: SessionItem): void {
    for (const line of item.copyKeys) {
      this.#noteTime(line);
      this.#items.add(line, item);
    }
  }

  delete(item: SessionItem): void {
    for (const line of item.copyKeys) {
      this.#noteTime(line);
      this.#items.delete(line, item);
    }
  }

  itemsOf(line: string): ReadonlySet<SessionItem> {
    return this.#items.get(line);
  }

  /** Lines whose time changed, with the times before and after, Unix ms. */
  changes(): {
    readonly before: ReadonlyMap<string, number>;
    readonly after: ReadonlyMap<string, number>;
  } {
    const before = new Map<string, number>();
    const after = new Map<string, number>();
    for (const [line, at] of this.#timesBefore) {
      const now = this.#timeOf(line);
      if (now === at) continue;
      if (at !== undefined) before.set(line, at);
      if (now !== undefined) after.set(line, now);
    }
    return { before, after };
  }

  /** Call after all changes are written. */
  settled(): void {
    this.#timesBefore.clear();
  }

  #noteTime(line: string): void {
    if (!this.#timesBefore.has(line)) this.#timesBefore.set(line, this.#timeOf(line));
  }

  #timeOf(line: string): number | undefined {
    let time: number | undefined;
    for (const { at } of this.#items.get(line))
      time = Math.min(time ?? Number.MAX_SAFE_INTEGER, at ?? Number.MAX_SAFE_INTEGER);
    return time;
  }
}
