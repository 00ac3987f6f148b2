// Counts what happened to the files that hooks left, in one drain and over all drains of a home, so that no file
// disappears uncounted. The total is a cursor of the log, written after the drain's events: it may miss a drain that
// was killed.
import type { Log } from '../../../log/index.ts';
import type { DrainReport } from '../../api/drain.ts';

const COUNTS_KEY = 'spool/counts';
const PROBLEMS_MAX = 20;

/** Over all drains of this home, for `status`. A drain that was killed may be missing. */
export interface SpoolCounts {
  /** Events that were new. */
  readonly recorded: number;
  /** Files without events, by reason. */
  readonly ignored: { readonly [reason: string]: number };
  readonly private: number;
  readonly bad: number;
}

export async function spoolCounts(log: Pick<Log, 'cursor'>): Promise<SpoolCounts> {
  const kept = (await log.cursor(COUNTS_KEY)) as SpoolCounts | undefined;
  return kept ?? { recorded: 0, ignored: {}, private: 0, bad: 0 };
}

type Counted = Exclude<keyof DrainReport, 'ignored' | 'problems' | 'cwds'>;

/** The counts of one drain. */
export class DrainTally {
  readonly #counts: Record<Counted, number> = {
    appended: 0,
    duplicates: 0,
    private: 0,
    waiting: 0,
    unfinished: 0,
    bad: 0,
    foreign: 0,
  };
  readonly #ignored: Record<string, number> = {};
  readonly #problems: string[] = [];
  readonly #cwds = new Set<string>();

  add(what: Counted, count = 1): void {
    this.#counts[what] += count;
  }

  ignored(reason: string): void {
    this.#ignored[reason] = (Object.hasOwn(this.#ignored, reason) ? this.#ignored[reason]! : 0) + 1;
  }

  problem(sentence: string): void {
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(sentence);
  }

  seeWorkdir(cwd: string): void {
    this.#cwds.add(cwd);
  }

  /** Adds this drain to the counts of all. */
  async remember(log: Pick<Log, 'append' | 'cursor'>): Promise<void> {
    const { appended, private: hidden, bad } = this.#counts;
    if (appended + hidden + bad === 0 && Object.keys(this.#ignored).length === 0) return;
    const before = await spoolCounts(log);
    const ignored: Record<string, number> = { ...before.ignored };
    for (const [reason, count] of Object.entries(this.#ignored))
      ignored[reason] = (Object.hasOwn(ignored, reason) ? ignored[reason]! : 0) + count;
    const value = {
      recorded: before.recorded + appended,
      ignored,
      private: before.private + hidden,
      bad: before.bad + bad,
    };
    await log.append([], { cursors: [{ key: COUNTS_KEY, value }] });
  }

  report(): DrainReport {
    return {
      ...this.#counts,
      ignored: this.#ignored,
      problems: this.#problems,
      cwds: [...this.#cwds],
    };
  }
}
