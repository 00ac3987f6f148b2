// How often something stands in a place's observations: commands that ended well, tests that passed, files that
// were modified. Counts are sums of what each observation adds, so they do not depend on who came first.
import type { ViewWriter } from '../projector.ts';
import { type ContextRow, contextKeys, type TallyKind } from './rows.ts';

/** A longer command is a script of its own, and nothing to run again. */
const NAME_CHARS_MAX = 200;

interface Delta {
  readonly place: string;
  readonly kind: TallyKind;
  readonly name: string;
  by: number;
}

export class Tallies {
  readonly #deltas = new Map<string, Delta>();

  /** Adds what a row counts, `by` times; null counts nothing. */
  count(line: ContextRow | null, by: 1 | -1): void {
    if (line?.kind !== 'observation') return;
    const tests = new Set(line.tests.map(({ command }) => command));
    const ran = line.commands.filter(({ command, outcome }) => outcome === 'ok' && !tests.has(command));
    this.#add(
      line.place,
      'command',
      by,
      ran.map(({ command }) => command),
    );
    const passed = line.tests.filter(({ after }) => after === 'passed');
    this.#add(
      line.place,
      'test',
      by,
      passed.map(({ command }) => command),
    );
    this.#add(line.place, 'file', by, line.files);
  }

  async write(view: ViewWriter): Promise<void> {
    const deltas = [...this.#deltas].filter(([, { by }]) => by !== 0);
    const stood = await view.getMany<number>(deltas.map(([rowKey]) => rowKey));
    deltas.forEach(([rowKey, { place, kind, name, by }], index) => {
      const before = stood[index] ?? 0;
      const after = before + by;
      if (before > 0) view.del(contextKeys.rank(place, kind, before, name));
      if (after > 0) {
        view.put(rowKey, after);
        view.put(contextKeys.rank(place, kind, after, name), 1);
      } else view.del(rowKey);
    });
  }

  #add(place: string, kind: TallyKind, by: 1 | -1, names: readonly string[]): void {
    for (const name of new Set(names)) {
      if (name === '' || name.length > NAME_CHARS_MAX) continue;
      const rowKey = contextKeys.tally(place, kind, name);
      const delta = this.#deltas.get(rowKey) ?? { place, kind, name, by: 0 };
      this.#deltas.set(rowKey, delta);
      delta.by += by;
    }
  }
}
