// The viewer's address holds a ticket and never the token: a browser keeps addresses in its history, and other users of
// the machine can see the arguments of the program that opens one. A ticket is good for one exchange within minutes.

const AGE_MAX_MS = 10 * 60_000;
const TICKETS_MAX = 50;

export class ViewTickets {
  readonly #issued = new Map<string, number>();
  readonly #token: string;
  readonly #now: () => number;
  readonly #randomBytes: (size: number) => Uint8Array;

  constructor(token: string, world: { now(): number; randomBytes(size: number): Uint8Array }) {
    this.#token = token;
    this.#now = world.now;
    this.#randomBytes = world.randomBytes;
  }

  issue(): string {
    const ticket = Buffer.from(this.#randomBytes(16)).toString('hex');
    this.#issued.set(ticket, this.#now());
    for (const oldest of this.#issued.keys()) {
      if (this.#issued.size <= TICKETS_MAX) break;
      this.#issued.delete(oldest);
    }
    return ticket;
  }

  /** The token. Null when the ticket is unknown, used or too old. */
  exchange(ticket: string): string | null {
    const at = this.#issued.get(ticket);
    this.#issued.delete(ticket);
    return at === undefined || this.#now() - at > AGE_MAX_MS ? null : this.#token;
  }
}
