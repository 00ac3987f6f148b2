// What a person must do so that the worker goes on, one sentence, for the next session that starts. Null most of the time.
export class HomeNotice {
  readonly #listeners = new Set<() => void>();
  #text: string | null = null;

  get text(): string | null {
    return this.#text;
  }

  set(text: string | null): void {
    if (text === this.#text) return;
    this.#text = text;
    for (const listener of this.#listeners) listener();
  }

  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
