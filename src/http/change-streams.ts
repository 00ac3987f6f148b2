// Streams of what happens, as server-sent events: captured (an event is in the log), projected (the views are built up to
// a position), summarised (a turn has a new summary), progress (of a long request), recording (it fails, or works again). A stream is resumed by the position of the last captured event; it
// is read from the log as fast as the client takes it, so a slow client costs no memory.
import { isoTime, type LogEvent } from '../../log/index.ts';
import type { Annals, AsOfProgress, ChangeState, ListedSummary } from '../api.ts';
import { FAR_BEHIND } from '../home/home-state.ts';
import { HttpError } from './http-error.ts';

const STREAMS_MAX = 32;
const EVENTS_AT_ONCE = 500;
/** Summaries read of a session at once. */
const SUMMARIES_MAX = 20;
const SESSIONS_MAX = 200;
/** How long a client waits before it connects again, ms. */
const RETRY_MS = 1_000;

/** Events after which the last turn may have another summary. */
const ENDS_TURN: ReadonlySet<string> = new Set(['agent.stopped', 'agent.replied', 'session.ended']);

interface Ended {
  readonly agent: string;
  readonly session: string;
  /** After it, the summaries have changed. */
  readonly position: number;
  /** How many turns may have ended. */
  readonly ends: number;
  /** Ids of turns about which a model answered. */
  readonly read: ReadonlySet<string>;
}

/** Work that takes long enough to be watched: of requests, and the views that are far behind the log. */
export type LongWork = 'verify' | 'rebuild' | 'views';

interface Progress {
  readonly work: LongWork | 'past';
  readonly done: number;
  readonly total: number;
  /** `past`: the moment as it was asked for, and the step. */
  readonly asOf?: string;
  readonly step?: string;
}

export class ChangeStreams {
  readonly #annals: Annals;
  readonly #streams = new Set<ChangeStream>();

  constructor(annals: Annals) {
    this.#annals = annals;
  }

  get open(): number {
    return this.#streams.size;
  }

  /** Tells every stream of each percent that is done. */
  progressOf(work: LongWork): (done: number, total: number) => void {
    const tell = this.#eachPercent();
    return (done, total) => tell({ work, done, total });
  }

  /** The same for the reading of an earlier state. */
  pastProgressOf(asOf: string): AsOfProgress {
    const tell = this.#eachPercent();
    return (done, total, step) => tell({ work: 'past', asOf, step, done, total });
  }

  #eachPercent(): (progress: Progress) => void {
    let shown = '';
    return (progress) => {
      const { done, total, step } = progress;
      const now = `${step} ${Math.floor((100 * done) / Math.max(1, total))}`;
      if (now === shown) return;
      shown = now;
      for (const stream of this.#streams) stream.noteProgress(progress);
    };
  }

  /** Tells every stream that it may be recorded again, or no longer. */
  noteRecording(): void {
    for (const stream of this.#streams) stream.noteRecording();
  }

  /**
   * Events after `after`; null: the last `earlier` ones, then what happens from now on.
   * @throws HttpError 503: too many streams
   */
  async start(
    after: number | null,
    earlier: number,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    if (this.open >= STREAMS_MAX)
      throw new HttpError(503, 'BUSY', `${STREAMS_MAX} streams are open already.`, { hint: 'Close one.' });
    // It counts before anything is waited for: many may start at once.
    const stream = new ChangeStream(this.#annals, signal);
    this.#streams.add(stream);
    const close = () => {
      this.#streams.delete(stream);
      stream.close();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      await stream.begin(after, earlier);
    } catch (error) {
      close();
      throw error;
    }
    if (signal.aborted) close();
    const messages = stream.messages();
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await messages.next();
            if (done !== true) return controller.enqueue(encoder.encode(value));
          } catch {
            // The client connects again, from where it was.
          }
          close();
          controller.close();
        },
        cancel: close,
      },
      { highWaterMark: 0 },
    );
  }
}

async function lastPosition(annals: Annals): Promise<number> {
  let last = 0;
  for await (const { position } of annals.log({ last: 1 })) last = position;
  return last;
}

class ChangeStream {
  readonly #annals: Annals;
  readonly #signal: AbortSignal;
  readonly #unsubscribe: () => void;
  #captured = 0;
  #state: ChangeState | null = null;
  #projectedSent = 0;
  /** Of the views that are far behind; null if they are not. */
  #percent: number | null = null;
  /** The newest that was not sent, of each work and each earlier state. */
  readonly #progress = new Map<string, Progress>();
  #isRecordingNew = false;
  /** The log or the views, since events were read. */
  #hasChanged = true;
  #wake: () => void = () => {};
  #isClosed = false;
  #isAwake = true;
  /** Sessions whose summaries may have changed, by agent and id. */
  readonly #ended = new Map<string, Ended>();
  /** The summaries sent, so that none is sent twice. */
  readonly #sent = new Map<string, string>();

  constructor(annals: Annals, signal: AbortSignal) {
    this.#annals = annals;
    this.#signal = signal;
    this.#unsubscribe = annals.onChange((state) => {
      this.#state = state;
      this.#noteBehind(state);
      this.#hasChanged = true;
      this.#isAwake = true;
      this.#wake();
    });
  }

  /** As `start` of the streams. */
  async begin(after: number | null, earlier: number): Promise<void> {
    this.#captured = after ?? Math.max(0, (await lastPosition(this.#annals)) - earlier);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#wake();
  }

  /** Each percent, and the end. */
  #noteBehind({ head, projected }: ChangeState): void {
    const isBehind = head - projected > FAR_BEHIND;
    if (!isBehind && this.#percent === null) return;
    const percent = Math.floor((100 * projected) / head);
    if (isBehind && percent === this.#percent) return;
    this.#percent = isBehind ? percent : null;
    this.#progress.set('views', { work: 'views', done: isBehind ? projected : head, total: head });
  }

  noteProgress(progress: Progress): void {
    this.#progress.set(`${progress.work} ${progress.asOf}`, progress);
    this.#isAwake = true;
    this.#wake();
  }

  noteRecording(): void {
    this.#isRecordingNew = true;
    this.#isAwake = true;
    this.#wake();
  }

  async *messages(): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`;
    while (!this.#isClosed && !this.#signal.aborted) {
      this.#isAwake = false;
      yield* this.#noted();
      // Progress alone asks nothing of the thread that works.
      if (this.#hasChanged) yield* this.#capturedEvents();
      const projected = Math.min(this.#state?.projected ?? 0, this.#captured);
      if (projected > this.#projectedSent) {
        this.#projectedSent = projected;
        yield message('projected', { position: projected }, null);
      }
      yield* this.#summaries();
      if (!this.#isAwake && !this.#isClosed)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  *#noted(): Generator<string> {
    if (this.#isRecordingNew) {
      this.#isRecordingNew = false;
      yield message('recording', {}, null);
    }
    for (const [key, progress] of this.#progress) {
      this.#progress.delete(key);
      yield message('progress', progress, null);
    }
  }

  async *#capturedEvents(): AsyncGenerator<string> {
    this.#hasChanged = false;
    for (;;) {
      let read = 0;
      for await (const event of this.#annals.log({ after: this.#captured, limit: EVENTS_AT_ONCE })) {
        read += 1;
        this.#captured = event.position;
        this.#note(event);
        const { position, id, type, agent, session, channel, occurredAt } = event;
        const at = isoTime(occurredAt);
        yield message('captured', { position, id, type, agent, session, channel, at }, position);
        // Many events may be on their way, such as those of an import.
        yield* this.#noted();
        if (this.#isClosed) return;
      }
      if (read < EVENTS_AT_ONCE) return;
    }
  }

  #note(event: LogEvent): void {
    const { agent, session, position } = event;
    const turn = event.type === 'observer.replied' ? event.body.turn : null;
    if (session === null || (turn === null && !ENDS_TURN.has(event.type))) return;
    const name = `${agent} ${session}`;
    const { ends = 0, read = new Set<string>() } = this.#ended.get(name) ?? {};
    this.#ended.delete(name);
    this.#ended.set(name, {
      ...{ agent, session, position },
      ends: Math.min(ends + Number(turn === null), SUMMARIES_MAX),
      read: turn === null ? read : new Set([...read, turn]),
    });
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= SESSIONS_MAX) break;
      this.#ended.delete(oldest);
    }
  }

  async *#summaries(): AsyncGenerator<string> {
    for (const [name, { agent, session, position, ends, read }] of this.#ended) {
      if (this.#isClosed) return;
      if ((this.#state?.projected ?? 0) >= position) this.#ended.delete(name);
      const limit = read.size > 0 ? SUMMARIES_MAX : ends;
      const items = await this.#annals.list('summary', { agent, session, limit, soFar: true }).then(
        ({ items }) => items.filter(({ turn }, index) => index < ends || read.has(turn)),
        // The session has nothing to list, or was forgotten meanwhile.
        () => [],
      );
      for (const summary of [...items].reverse()) {
        const text = JSON.stringify(summary);
        if (this.#sent.get(summary.id) === text) continue;
        this.#sent.delete(summary.id);
        this.#sent.set(summary.id, text);
        if (this.#sent.size > SESSIONS_MAX) this.#sent.delete(this.#sent.keys().next().value!);
        yield message('summarised', summaryOf(summary), null);
      }
    }
  }
}

function summaryOf({ id, agent, session, turn, project, title, unfinished, at }: ListedSummary) {
  return { id, agent, session, turn, project, title, unfinished, at };
}

/** `id`: the position from which the stream is resumed. */
function message(event: string, data: object, id: number | null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
