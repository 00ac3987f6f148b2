// The faults of a run and their times, drawn from the seed before the run begins. Writes are counted over the whole
// run; points are the names of the simulated disk's writes.
import type { Chance } from '../helpers/chance.ts';

/** The kinds of runs, in the order of the table. */
export const KINDS = [
  'nothing wrong',
  'killed at a named point',
  'killed at any write',
  'power cut',
  'n-th write fails',
  'disk full',
  'clock jumps',
  'twice and out of order',
  'log loses its tail',
  'everything at once',
] as const;
export type Kind = (typeof KINDS)[number];

export type Fate = 'good' | 'killed before' | 'killed after' | 'refused' | 'refused, landed' | 'full';

/** Points at which processes are killed. */
export const NAMED_POINTS = [
  'log.open',
  'log.batch',
  'views.batch',
  'views.create',
  'views.build',
  'views.current',
  'views.remove',
  'text.snapshot',
  'head.write',
  'spool.remove',
] as const;

/** The same for a rewrite of the log. */
const REWRITING_POINTS = [
  ...NAMED_POINTS,
  'log.fresh.open',
  'log.fresh.batch',
  'log.fresh.move',
  'log.fresh.remove',
  'log.next.move',
  'log.next.remove',
  'log.old.remove',
  'log.move',
  'rewriting.open',
] as const;

interface Killing {
  readonly point: string;
  /** Counted from the start of the process; the n-th act at that point. */
  readonly nth: number;
  readonly fate: 'killed before' | 'killed after';
}

export class Faults {
  readonly kind: Kind;
  readonly #luck: Chance;
  readonly #real: boolean;
  readonly #points: readonly string[];
  #on = true;
  #writes = 0;
  #kills = 0;
  #killing: Killing | null = null;
  /** Number of acts so far that match the planned kill. */
  #acts = 0;
  readonly #failing = new Map<number, Fate>();
  /** The same for the log's batches alone, counted by themselves. */
  readonly #failingInLog = new Map<number, Fate>();
  #logBatches = 0;
  #full: { from: number; to: number } | null = null;
  readonly counts = { kills: 0, failed: 0, jumps: 0, powerCuts: 0, tails: 0 };

  /** `round` counts the runs of a kind: the n-th write fails for n = 1, 2, 3 … */
  constructor(kind: Kind, round: number, luck: Chance, real: boolean, rewriting = false) {
    this.kind = kind;
    this.#luck = luck;
    this.#real = real;
    this.#points = rewriting ? REWRITING_POINTS : NAMED_POINTS;
    const all = kind === 'everything at once';
    // Every second run fails where it matters most: in the log's own batches.
    if (kind === 'n-th write fails')
      if (round % 2 === 0) this.#fail(this.#failing, 1 + ((round / 2) % 40));
      else this.#fail(this.#failingInLog, 1 + (((round - 1) / 2) % 16));
    if (all && luck.below(2) === 0) this.#fail(this.#failing, 1 + luck.below(40));
    else if (all) this.#fail(this.#failingInLog, 1 + luck.below(16));
    if (kind === 'disk full' || (all && luck.below(3) === 0)) {
      const from = 1 + luck.below(32);
      this.#full = { from, to: from + 1 + luck.below(12) };
    }
    if (kind.startsWith('killed') || kind === 'power cut' || kind === 'log loses its tail' || all)
      this.#kills = 1 + luck.below(3);
  }

  /** Whether deliveries come twice and in any order. */
  get disorder(): boolean {
    return this.kind === 'twice and out of order' || this.kind === 'everything at once';
  }

  get clockJumps(): boolean {
    return this.kind === 'clock jumps' || this.kind === 'everything at once';
  }

  /** Whether a kill is also a power cut, which loses unsynced writes. */
  get powerGoes(): boolean {
    return this.kind === 'power cut' || (this.kind === 'everything at once' && this.#luck.below(2) === 0);
  }

  /** Whether a write may fail: then the product may answer with an error. */
  get mayFail(): boolean {
    return this.#failing.size > 0 || this.#failingInLog.size > 0 || this.#full !== null;
  }

  /** A process begins: draws its kill. */
  begin(): void {
    this.#acts = 0;
    this.#killing = null;
    if (!this.#on || this.#kills === 0) return;
    this.#kills -= 1;
    const luck = this.#luck;
    const fate = luck.below(2) === 0 ? 'killed before' : 'killed after';
    if (this.kind === 'killed at a named point') {
      // Half of the kills where they matter most: around the log's own batches.
      const point = luck.below(2) === 0 ? 'log.batch' : this.#points[luck.below(this.#points.length)]!;
      this.#killing = { point, nth: 1 + luck.below(5), fate };
    } else this.#killing = { point: '', nth: 1 + luck.below(this.#real ? 15 : 24), fate };
  }

  /** From now on there are no faults. */
  off(): void {
    this.#on = false;
    this.#killing = null;
  }

  fateOf(point: string): Fate {
    this.#writes += 1;
    if (point === 'log.batch') this.#logBatches += 1;
    if (!this.#on) return 'good';
    if (this.#killing !== null && fits(point, this.#killing.point)) {
      this.#acts += 1;
      if (this.#acts === this.#killing.nth) {
        this.counts.kills += 1;
        return this.#killing.fate;
      }
    }
    const inFull = this.#full !== null && this.#writes >= this.#full.from && this.#writes < this.#full.to;
    // Removing needs no space.
    const full = inFull && !point.endsWith('.remove');
    const failing =
      this.#failing.get(this.#writes) ??
      (point === 'log.batch' ? this.#failingInLog.get(this.#logBatches) : undefined);
    const fate = full ? 'full' : (failing ?? 'good');
    if (fate !== 'good') this.counts.failed += 1;
    return fate;
  }

  #fail(failing: Map<number, Fate>, nth: number): void {
    const fates: Fate[] = ['refused', 'refused, landed', 'full'];
    failing.set(nth, fates[this.#luck.below(fates.length)]!);
  }
}

function fits(point: string, wanted: string): boolean {
  return wanted === '' || point === wanted;
}
