// Has the model asked about turns as they end, while a worker runs. The queue follows from the views: at its start it looks at the
// turns of the last days, then at those that change. It waits with one timer that fires once.
import { isAnnalsError } from '../../../log/index.ts';
import {
  type ChangedKeys,
  keyParts,
  memoryKeys,
  readingKeys,
  type SummaryRow,
  sessionKeys,
  summaryId,
  type TurnRow,
} from '../../../projections/index.ts';
import type { Home } from '../../home/home.ts';
import { askingAlone } from '../observe-home.ts';
import { AUTO_MS } from '../policy/auto-window.ts';
import { type Hold, needsPerson } from '../policy/hold.ts';
import type { BatchProvider } from '../providers/provider.ts';
import { ModelQuestions, type ObserverModel, type PricedRequest } from '../run/ask-model.ts';
import { BatchQuestions, collectBatches } from '../run/batch-questions.ts';
import { switchedBy } from '../run/spending.ts';
import { summariesSince, type Waiting, waitingHere } from '../run/waiting-turns.ts';
import { turnEnd } from './turn-end.ts';

/** Transcripts follow the hooks by some seconds, and what they add must be part of the request. */
const QUIET_MS = 10_000;
/** As long as nobody knows whether the turn has ended. */
const LONG_QUIET_MS = 10 * 60_000;
/** Of the rows of a turn, and of what it holds. */
const [TURN] = keyParts(sessionKeys.turn('', '', ''));
/** The longest time that a timer takes. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** How long turns are collected for a batch, and how many it takes at most. */
const COLLECT_MS = 15 * 60_000;
const BATCH_MAX = 200;
/** Most batches are finished within an hour. The next look comes after twice the time. */
const FIRST_CHECK_MS = 2 * 60_000;
const CHECK_MS_MAX = 60 * 60_000;

export interface ReactorOptions {
  readonly quietMs?: number;
  /** Whether turns are asked about in batches, where the service takes them. */
  readonly together?: boolean;
  readonly collectMs?: number;
  readonly checkMs?: number;
}

interface Candidate {
  /** When it changed last: not a time of the clock, which may be set. */
  readonly changed: number;
  readonly quietMs: number;
}

export class ObserverReactor {
  readonly #home: Home;
  readonly #questions: ModelQuestions;
  readonly #quietMs: number;
  readonly #closing = new AbortController();
  readonly #stop: () => void;
  /** By the id of the summary, oldest change first. */
  readonly #candidates = new Map<string, Candidate>();
  readonly #batches: BatchProvider | null;
  readonly #together: boolean;
  /** Until a candidate is due. */
  readonly #waitMs: number;
  readonly #firstCheckMs: number;
  #checkMs = 0;
  /** When a batch that is away is looked at; null while none is. */
  #checkAt: number | null = null;
  #hold: Hold | null = null;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;

  constructor(model: ObserverModel, home: Home, options: ReactorOptions = {}) {
    const {
      quietMs = QUIET_MS,
      together = false,
      collectMs = COLLECT_MS,
      checkMs = FIRST_CHECK_MS,
    } = options;
    this.#home = home;
    this.#questions = new ModelQuestions(model, home);
    this.#batches = model.provider.batches ?? null;
    this.#together = together && this.#batches !== null;
    this.#quietMs = quietMs;
    this.#waitMs = this.#together ? collectMs : quietMs;
    this.#firstCheckMs = checkMs;
    this.#stop = home.runner.onProjected((changed) => this.#note(changed));
    this.#start(async () => {
      await this.#collect();
      await this.#reconcile();
    });
  }

  /** A request that is on its way is broken off, and counts with its worst case. */
  async close(): Promise<void> {
    this.#stop();
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
    await this.#questions.model.provider.close();
  }

  #note(changed: ChangedKeys | null): void {
    if (changed === null) return;
    const turns = changed('turns');
    for (const rowKey of turns) {
      const [kind, agent, session, id] = keyParts(rowKey);
      if (kind !== TURN || id === undefined) continue;
      const summary = summaryId({ agent: agent!, session: session!, id });
      this.#candidates.delete(summary);
      this.#candidates.set(summary, { changed: performance.now(), quietMs: this.#waitMs });
    }
    // Paused, resumed, or everything is tried again.
    if (turns.some((rowKey) => rowKey.startsWith(readingKeys.switches())))
      this.#start(() => this.#reconcile());
    else this.#arm();
  }

  /** Runs after what runs already. */
  #start(work: () => Promise<void>): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const running = (this.#running ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => this.#noteError(error))
      .finally(() => {
        if (this.#running !== running) return;
        this.#running = null;
        const hold = this.#hold;
        this.#home.notice.set(hold !== null && needsPerson(hold) ? hold.sentence : null);
        this.#arm();
      });
    this.#running = running;
  }

  /** A full disk, a damaged log: nothing was sent. */
  #noteError(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const sentence = isAnnalsError(error) ? error.message : 'The observer failed.';
    this.#hold = { because: 'failures', until: this.#home.now() + LONG_QUIET_MS, sentence };
  }

  #arm(): void {
    if (this.#closing.signal.aborted || this.#running !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const next = Math.min(this.#nextAsk(), this.#checkAt ?? Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) return;
    const ms = Math.min(Math.max(0, next - performance.now()), TIMER_MS_MAX);
    this.#timer = setTimeout(() => this.#start(() => this.#work()), ms).unref();
  }

  async #work(): Promise<void> {
    if (this.#checkAt !== null && this.#checkAt <= performance.now()) await this.#collect();
    if (this.#nextAsk() > performance.now()) return;
    this.#hold = null;
    if (this.#together) await askingAlone(this.#home, () => this.#askTogether(this.#batches!));
    else await this.#ask();
  }

  /** When the first candidate may be asked about, by `performance.now()`. */
  #nextAsk(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const candidate of this.#candidates.values()) first = Math.min(first, dueAt(candidate));
    if (this.#hold === null) return first;
    if (this.#hold.until === null) return Number.POSITIVE_INFINITY;
    return Math.max(first, performance.now() + this.#hold.until - this.#home.now());
  }

  /** Stores what came back. Its failures are candidates again. */
  async #collect(): Promise<void> {
    if (this.#batches === null) return;
    const batches = this.#batches;
    // Also after an error.
    this.#checkLater(Math.min(2 * this.#checkMs || this.#firstCheckMs, CHECK_MS_MAX));
    const { away, collected } = await askingAlone(this.#home, () =>
      collectBatches(this.#questions, batches, this.#home, this.#closing.signal),
    );
    if (away === 0) this.#checkLater(null);
    if (collected) await this.#reconcile();
  }

  #checkLater(ms: number | null): void {
    this.#checkMs = ms ?? 0;
    this.#checkAt = ms === null ? null : performance.now() + ms;
  }

  async #reconcile(): Promise<void> {
    const { runner, now } = this.#home;
    await runner.catchUp();
    this.#hold = null;
    for (const { id, at } of await summariesSince(now() - AUTO_MS, this.#home)) {
      if (this.#candidates.has(id)) continue;
      const changed = performance.now() - Math.max(0, now() - (at ?? 0));
      this.#candidates.set(id, { changed, quietMs: this.#waitMs });
    }
  }

  /** One batch with all turns that have ended. */
  async #askTogether(batches: BatchProvider): Promise<void> {
    const { signal } = this.#closing;
    const batch = new BatchQuestions(this.#questions, batches, this.#home);
    for (const [id, candidate] of this.#candidates) {
      if (signal.aborted) break;
      if (candidate.changed + this.#quietMs > performance.now()) continue;
      for (const one of (await this.#waitingAbout(id, candidate)) ?? []) {
        const priced = await this.#questions.priced(one, { batch: true });
        if (priced === null) continue;
        const hold = await this.#holdFor(one, priced);
        if (isTooDear(hold)) continue;
        this.#hold = hold;
        if (hold !== null) break;
        await batch.add(one, priced);
      }
      if (this.#hold !== null) break;
      if (this.#candidates.get(id) === candidate) this.#candidates.delete(id);
      if (batch.size >= BATCH_MAX) break;
    }
    if (batch.size === 0) return;
    if (await batch.send(signal)) this.#checkLater(this.#firstCheckMs);
    else if (!signal.aborted) await this.#reconcile();
  }

  async #ask(): Promise<void> {
    for (const [id, candidate] of this.#candidates) {
      if (this.#closing.signal.aborted) return;
      if (dueAt(candidate) > performance.now()) continue;
      while (this.#hold === null && this.#candidates.get(id) === candidate)
        this.#hold = await askingAlone(this.#home, () => this.#askAbout(id, candidate));
      if (this.#hold !== null) return;
    }
  }

  /** The requests about a candidate, which is removed when there are none. Null: it may not have ended. */
  async #waitingAbout(id: string, candidate: Candidate): Promise<readonly Waiting[] | null> {
    const home = this.#home;
    const { views, now } = home;
    const isCurrent = () => this.#candidates.get(id) === candidate;
    await home.runner.catchUp();
    const summary = await views.memory.get<SummaryRow>(memoryKeys.summary(id));
    const turn =
      summary === undefined || (summary.at ?? 0) < now() - AUTO_MS
        ? undefined
        : await views.turns.get<TurnRow>(sessionKeys.turn(summary.agent, summary.session, summary.turn));
    const end = turn === undefined ? 'open' : await turnEnd(turn, home);
    const slow = { ...candidate, quietMs: Math.max(LONG_QUIET_MS, candidate.quietMs) };
    if (end === 'perhaps' && dueAt(slow) > performance.now()) {
      if (isCurrent()) this.#candidates.set(id, slow);
      return null;
    }
    const { recipe } = this.#questions;
    const { retriedAt } = await switchedBy(views.turns);
    const waiting = end === 'open' ? [] : await waitingHere(summary!, { recipe, retriedAt }, home);
    if (waiting.length === 0 && isCurrent()) this.#candidates.delete(id);
    return waiting;
  }

  /** Why a request is not sent now. */
  async #holdFor(one: Waiting, { worst }: PricedRequest): Promise<Hold | null> {
    return (await this.#questions.hold()) ?? (await this.#questions.budgetHold(one, worst));
  }

  async #askAbout(id: string, candidate: Candidate): Promise<Hold | null> {
    for (const one of (await this.#waitingAbout(id, candidate)) ?? []) {
      const priced = await this.#questions.priced(one);
      if (priced === null) return null;
      const hold = await this.#holdFor(one, priced);
      if (isTooDear(hold)) continue;
      if (hold !== null) return hold;
      const { signal } = this.#closing;
      const asked = await this.#questions.ask(one, priced, { again: false, signal });
      // What a failure means for this turn and the next ones is decided at the next look.
      if (asked !== null && asked.reply?.valid !== true) return null;
    }
    if (this.#candidates.get(id) === candidate) this.#candidates.delete(id);
    return null;
  }
}

/** By itself, so that other turns may fit into the budget. */
function isTooDear(hold: Hold | null): boolean {
  return hold?.because === 'budget' && hold.until === null;
}

function dueAt({ changed, quietMs }: Candidate): number {
  return changed + quietMs;
}
