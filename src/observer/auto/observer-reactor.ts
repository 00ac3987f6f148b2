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
import { ModelQuestions, type ObserverModel } from '../run/ask-model.ts';
import { switchedBy } from '../run/spending.ts';
import { summariesSince, waitingAbout } from '../run/waiting-turns.ts';
import { turnEnd } from './turn-end.ts';

/** Transcripts follow the hooks by some seconds, and what they add must be part of the request. */
const QUIET_MS = 10_000;
/** As long as nobody knows whether the turn has ended. */
const LONG_QUIET_MS = 10 * 60_000;
/** Of the rows of a turn, and of what it holds. */
const [TURN] = keyParts(sessionKeys.turn('', '', ''));
/** The longest time that a timer takes. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface ReactorOptions {
  readonly quietMs?: number;
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
  #hold: Hold | null = null;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;

  constructor(model: ObserverModel, home: Home, { quietMs = QUIET_MS }: ReactorOptions = {}) {
    this.#home = home;
    this.#questions = new ModelQuestions(model, home);
    this.#quietMs = quietMs;
    this.#stop = home.runner.onProjected((changed) => this.#note(changed));
    this.#start(() => this.#reconcile());
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
      this.#candidates.set(summary, { changed: performance.now(), quietMs: this.#quietMs });
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
    const [first] = [...this.#candidates.values()].map(dueAt).sort((a, b) => a - b);
    if (first === undefined || (this.#hold !== null && this.#hold.until === null)) return;
    const held = (this.#hold?.until ?? 0) - this.#home.now();
    const ms = Math.min(Math.max(0, first - performance.now(), held), TIMER_MS_MAX);
    this.#timer = setTimeout(() => this.#start(() => this.#ask()), ms).unref();
  }

  async #reconcile(): Promise<void> {
    const { runner, now } = this.#home;
    await runner.catchUp();
    this.#hold = null;
    for (const { id, at } of await summariesSince(now() - AUTO_MS, this.#home)) {
      if (this.#candidates.has(id)) continue;
      const changed = performance.now() - Math.max(0, now() - (at ?? 0));
      this.#candidates.set(id, { changed, quietMs: this.#quietMs });
    }
  }

  async #ask(): Promise<void> {
    this.#hold = null;
    for (const [id, candidate] of this.#candidates) {
      if (this.#closing.signal.aborted) return;
      if (dueAt(candidate) > performance.now()) continue;
      while (this.#hold === null && this.#candidates.get(id) === candidate)
        this.#hold = await askingAlone(this.#home, () => this.#askAbout(id, candidate));
      if (this.#hold !== null) return;
    }
  }

  /** Removes a candidate about which nothing is left to ask. */
  async #askAbout(id: string, candidate: Candidate): Promise<Hold | null> {
    const home = this.#home;
    const { views, now } = home;
    const done = () => {
      if (this.#candidates.get(id) === candidate) this.#candidates.delete(id);
      return null;
    };
    await home.runner.catchUp();
    const summary = await views.memory.get<SummaryRow>(memoryKeys.summary(id));
    if (summary === undefined || (summary.at ?? 0) < now() - AUTO_MS) return done();
    const { agent, session } = summary;
    const turn = await views.turns.get<TurnRow>(sessionKeys.turn(agent, session, summary.turn));
    const end = turn === undefined ? 'open' : await turnEnd(turn, home);
    if (end === 'open') return done();
    const slow = { ...candidate, quietMs: LONG_QUIET_MS };
    if (end === 'perhaps' && dueAt(slow) > performance.now()) {
      if (this.#candidates.get(id) === candidate) this.#candidates.set(id, slow);
      return null;
    }
    const { recipe } = this.#questions;
    const { retriedAt } = await switchedBy(views.turns);
    for (const one of await waitingAbout(summary, { recipe, retriedAt, again: false }, home)) {
      const priced = await this.#questions.priced(one);
      if (priced === null) return null;
      const hold = (await this.#questions.hold()) ?? (await this.#questions.budgetHold(one, priced.worst));
      // Too dear by itself: other turns may fit.
      if (hold?.because === 'budget' && hold.until === null) continue;
      if (hold !== null) return hold;
      const { signal } = this.#closing;
      const { reply } = await this.#questions.ask(one, priced, { again: false, signal });
      // What the failure means for this turn and the next ones is decided at the next look.
      if (reply?.valid !== true) return null;
    }
    return done();
  }
}

function dueAt({ changed, quietMs }: Candidate): number {
  return changed + quietMs;
}
