// One process of the product in the simulation: all its disk accesses go through `act`, where
// it may be killed, refused or delayed. A killed process is not notified: its pending operations never settle, as
// with SIGKILL, so none of its own error handling runs.
import type { Chance } from '../helpers/chance.ts';
import type { Faults } from './faults.ts';

export interface Act {
  /** Performs the act. Called once at most. */
  land(): Promise<void>;
  /** The act failed: applies what the disk keeps of it. */
  failed?(): void;
}

/** The trace of a run, one line per event; equal for two runs of one seed. */
export class Trace {
  readonly lines: string[] = [];

  note(line: string): void {
    this.lines.push(line);
  }
}

export class Life {
  alive = true;
  /** Resolves when the process is killed. */
  readonly killed: Promise<'killed'>;
  readonly #faults: Faults;
  readonly #luck: Chance;
  readonly #trace: Trace;
  readonly #underWay = new Set<Promise<void>>();
  #kill: () => void = () => {};

  constructor(faults: Faults, luck: Chance, trace: Trace) {
    this.#faults = faults;
    this.#luck = luck;
    this.#trace = trace;
    this.killed = new Promise((resolve) => {
      this.#kill = () => resolve('killed');
    });
  }

  /** Dies at once, between two acts. */
  kill(why: string): void {
    if (!this.alive) return;
    this.#trace.note(`killed ${why}`);
    this.alive = false;
    this.#kill();
  }

  /** Resolves when no act of this process can reach the disk any more. */
  async quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Performs an act on the disk at a named point. */
  act(point: string, { land, failed }: Act): Promise<void> {
    if (!this.alive) return never();
    const fate = this.#faults.fateOf(point);
    this.#trace.note(fate === 'good' ? point : `${point} ${fate}`);
    switch (fate) {
      case 'killed before':
        this.kill(`before ${point}`);
        return never();
      case 'full':
      case 'refused':
        failed?.();
        return Promise.reject(errorOf(fate));
      case 'refused, landed':
        return this.#land(land).then(() => {
          failed?.();
          throw errorOf(fate);
        });
      case 'killed after':
        return this.#land(land).then(() => {
          this.kill(`after ${point}`);
          return never();
        });
      case 'good':
        return this.#land(land);
    }
  }

  #land(land: () => Promise<void>): Promise<void> {
    const work = this.#delayed(land);
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
    return work.then(() => (this.alive ? undefined : never()));
  }

  /** Concurrent acts may land in any order and, when the process dies, some of them not at all. */
  async #delayed(land: () => Promise<void>): Promise<void> {
    for (let ticks = this.#luck.below(6); ticks > 0; ticks--) await null;
    if (!this.alive && this.#luck.below(2) === 0) return;
    await land();
  }
}

export function never<T>(): Promise<T> {
  return new Promise(() => {});
}

function errorOf(fate: 'full' | 'refused' | 'refused, landed'): Error {
  const reason = fate === 'full' ? 'No space left on device' : 'Input/output error';
  return Object.assign(new Error(`IO error: 000003.log: ${reason}`), {
    code: fate === 'full' ? 'ENOSPC' : 'LEVEL_IO_ERROR',
  });
}
