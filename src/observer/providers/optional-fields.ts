// Fields of a request that not every server or model takes. What a server refused once is not sent again, as long as
// the provider is open.
export class OptionalFields<Name extends string> {
  readonly #mentions: Readonly<Record<Name, RegExp>>;
  readonly #left: Set<Name>;

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
    if (status !== 400 && status !== 422) return false;
    for (const name of this.#left) if (this.#mentions[name].test(body)) return this.#left.delete(name);
    return false;
  }
}
