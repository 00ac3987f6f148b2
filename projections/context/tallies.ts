// Counts in how many observations of a workdir a test passed, and how many tool uses called a command that may have passed.
// Each adds to a sum, so the counts do not depend on order.
import type { MemoryDocument } from '../documents/document.ts';
import type { ViewWriter } from '../engine/contract/projector.ts';
import { type ContextRow, contextKeys, type TallyKind } from './context-rows.ts';

/** A longer command is a one-off script that nobody would run again. */
const NAME_CHARS_MAX = 200;

interface Delta {
  readonly workdir: string;
  readonly kind: TallyKind;
  readonly name: string;
  by: number;
}

export class Tallies {
  readonly #deltas = new Map<string, Delta>();

  /** Adds the names of a row, or removes them with -1. Null and other kinds count nothing. */
  count(line: ContextRow | null, by: 1 | -1): void {
    if (line?.kind !== 'observation') return;
    const passed = line.tests.filter(({ after }) => after === 'passed');
    this.#add(
      line.workdir,
      'test',
      by,
      passed.map(({ command }) => command),
    );
  }

  /** Adds the calls of a tool use that did not fail, or removes them with -1. */
  countCalls(document: MemoryDocument | null, by: 1 | -1): void {
    const ran = document?.ran;
    if (ran !== undefined && ran.failed === undefined) this.#add(document!.workdir, 'call', by, ran.calls);
  }

  async write(view: ViewWriter): Promise<void> {
    const deltas = [...this.#deltas].filter(([, { by }]) => by !== 0);
    const stored = await view.getMany<number>(deltas.map(([rowKey]) => rowKey));
    deltas.forEach(([rowKey, { workdir, kind, name, by }], index) => {
      const before = stored[index] ?? 0;
      const after = before + by;
      if (after > 0) view.put(rowKey, after);
      else view.del(rowKey);
      if (kind === 'call') return;
      if (before > 0) view.del(contextKeys.rank(workdir, before, name));
      if (after > 0) view.put(contextKeys.rank(workdir, after, name), 1);
    });
  }

  #add(workdir: string, kind: TallyKind, by: 1 | -1, names: readonly string[]): void {
    for (const name of new Set(names)) {
      if (name === '' || name.length > NAME_CHARS_MAX) continue;
      const rowKey = contextKeys.tally(workdir, kind, name);
      const delta = this.#deltas.get(rowKey) ?? { workdir, kind, name, by: 0 };
      this.#deltas.set(rowKey, delta);
      delta.by += by;
    }
  }
}
