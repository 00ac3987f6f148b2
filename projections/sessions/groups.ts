// Values by a name that several of them may share.

const NONE: ReadonlySet<never> = new Set();

export class Groups<T> {
  readonly #groups = new Map<string, Set<T>>();

  add(name: string, value: T): void {
    const group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, new Set([value]));
    else group.add(value);
  }

  delete(name: string, value: T): void {
    const group = this.#groups.get(name);
    if (group?.delete(value) && group.size === 0) this.#groups.delete(name);
  }

  get(name: string): ReadonlySet<T> {
    return this.#groups.get(name) ?? NONE;
  }

  names(): Iterable<string> {
    return this.#groups.keys();
  }
}
