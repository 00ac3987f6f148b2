// Counts how many observations of a workdir contain a command that succeeded or a test that passed. Each observation adds to
// a sum, so the counts do not depend on order.
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
    const tests = new Set(line.tests.map(({ command }) => command));
    const ran = line.commands.filter(({ command, outcome }) => outcome === 'ok' && !tests.has(command));
    this.#add(
      line.workdir,
      'command',
      by,
      ran.map(({ command }) => command),
    );
    const passed = line.tests.filter(({ after }) => after === 'passed');
    this.#add(
      line.workdir,
      'test',
      by,
      passed.map(({ command }) => command),
    );
  }

  async write(view: ViewWriter): Promise<void> {
    const deltas = [...this.#deltas].filter(([, { by }]) => by !== 0);
    const stored = await view.getMany<number>(deltas.map(([rowKey]) => rowKey));
    deltas.forEach(([rowKey, { workdir, kind, name, by }], index) => {
      const before = stored[index] ?? 0;
      const after = before + by;
      if (before > 0) view.del(contextKeys.rank(workdir, kind, before, name));
      if (after > 0) {
        view.put(rowKey, after);
        view.put(contextKeys.rank(workdir, kind, after, name), 1);
      } else view.del(rowKey);
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
