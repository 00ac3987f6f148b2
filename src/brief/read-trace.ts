// Remembers which rows an answer was made from, so that it is made again only when one of them changed.
import { type ChangedKeys, memoryKeys, type ViewReader } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

export class ReadTrace {
  readonly #keys = new Set<string>();
  readonly #prefixes = new Set<string>();

  /** The home with views that note what is read. */
  through(home: Home): Home {
    const views = Object.fromEntries(
      Object.entries(home.views).map(([name, view]) => [name, this.#noting(name, view)]),
    );
    return { ...home, views: views as Home['views'] };
  }

  /** Takes over what another answer was made from. */
  add(other: ReadTrace): void {
    for (const key of other.#keys) this.#keys.add(key);
    for (const prefix of other.#prefixes) this.#prefixes.add(prefix);
  }

  isTouchedBy(view: string, changed: ReturnType<ChangedKeys>): boolean {
    return changed.some((key) => {
      if (this.#keys.has(`${view} ${key}`) || this.#prefixes.has(`${view} `)) return true;
      for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1))
        if (this.#prefixes.has(`${view} ${key.slice(0, at + 1)}`)) return true;
      return false;
    });
  }

  #noting(name: string, view: ViewReader): ViewReader {
    return {
      get: (key) => {
        this.#keys.add(`${name} ${key}`);
        return view.get(key);
      },
      getMany: (keys) => {
        for (const key of keys) this.#keys.add(`${name} ${key}`);
        return view.getMany(keys);
      },
      range: (prefix, options) => {
        // The rows of all workdirs change all the time. Only which there are counts; see `ReadyFiles`.
        const isList = name === 'memory' && prefix === memoryKeys.workdirs();
        // A prefix that ends within a part of a key is widened to the parts before it.
        if (!isList) this.#prefixes.add(`${name} ${prefix.slice(0, prefix.lastIndexOf('/') + 1)}`);
        return view.range(prefix, options);
      },
    };
  }
}
