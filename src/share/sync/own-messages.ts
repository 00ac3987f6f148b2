// Events that this machine sent, and where the server put them: who knows that need not read them back.

/** Fewer are read: beginning to read at another place takes a request of its own. */
const SKIPPED_MIN = 512;

interface Last {
  readonly project: string;
  readonly id: string;
  readonly position: number;
}

/** Positions without a gap. */
interface Run {
  readonly from: number;
  to: number;
  /** The last one of each project, by its name. */
  readonly last: Map<string, Last>;
}

/** Of one connection. */
export class OwnMessages {
  #runs: Run[] = [];

  /** Takes them in the order of their positions. */
  add(message: Last): void {
    const { position, project } = message;
    const run = this.#runs.at(-1);
    if (run !== undefined && position <= run.to) return;
    if (run?.to === position - 1) {
      run.to = position;
      run.last.set(project, message);
    } else this.#runs.push({ from: position, to: position, last: new Map([[project, message]]) });
  }

  /** Those that follow a position, up to where something else may be; null if there are few. */
  after(position: number): { readonly to: number; readonly last: readonly Last[] } | null {
    this.#runs = this.#runs.filter(({ to }) => to > position);
    const run = this.#runs[0];
    if (run === undefined || run.from > position + 1 || run.to - position < SKIPPED_MIN) return null;
    return { to: run.to, last: [...run.last.values()] };
  }
}
