// Fields of a request that not every server or model takes. What a server refused once is not sent again, as long as
// the provider is open.
export class OptionalFields<Name extends string> {
  readonly #mentions: Readonly<Record<Name, RegExp>>;
  readonly #left: Set<Name>;
  readonly #refused = new Set<Name>();

  /** @param mentions how a refusal speaks of the field */
  constructor(used: readonly Name[], mentions: Readonly<Record<Name, RegExp>>) {
    this.#left = new Set(used);
    this.#mentions = mentions;
  }

  uses(name: Name): boolean {
    return this.#left.has(name);
  }

  /** Whether the refusal was about a field: it is left out from now on, and the request may be sent again. */
  learn(status: number, body: string): boolean {
    const name = this.#mentioned(this.#left, status, body);
    if (name === undefined) return false;
    this.#refused.add(name);
    return this.#left.delete(name);
  }

  /** Whether the refusal was about a field that was refused before, of a request that had left by then. */
  isKnown(status: number, body: string): boolean {
    return this.#mentioned(this.#refused, status, body) !== undefined;
  }

  #mentioned(names: ReadonlySet<Name>, status: number, body: string): Name | undefined {
    if (status !== 400 && status !== 422) return undefined;
    return [...names].find((name) => this.#mentions[name].test(body));
  }
}
