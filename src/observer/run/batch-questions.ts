// Asks about many turns with one batch at half price. Every request is on disk before the batch leaves. The service's id of a batch
// is a cursor of the log, because it concerns only this home; requests of a batch without one may have left or not.
import type { BodyInput, NewEvent } from '../../../log/index.ts';
import type { Home } from '../../home/home.ts';
import { randomBytes } from '../../platform/random-bytes.ts';
import {
  type BatchProvider,
  type ModelReply,
  type ModelRequest,
  ProviderFailure,
} from '../providers/provider.ts';
import type { ModelQuestions, PricedRequest } from './ask-model.ts';
import { AWAY_MS, isAway, type Request, requestsUntil } from './spending.ts';
import type { Waiting } from './waiting-turns.ts';

const cursorOf = (batch: string) => `observer-batch/${batch}`;

export class BatchQuestions {
  readonly #questions: ModelQuestions;
  readonly #batches: BatchProvider;
  readonly #home: Home;
  readonly #batch = Buffer.from(randomBytes(12)).toString('hex');
  readonly #requests = new Map<string, ModelRequest>();

  constructor(questions: ModelQuestions, batches: BatchProvider, home: Home) {
    this.#questions = questions;
    this.#batches = batches;
    this.#home = home;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** Puts a request on disk, as asked. */
  async add(one: Waiting, { request, worst }: PricedRequest): Promise<void> {
    const asked = this.#questions.askedEvent(one, worst, this.#batch);
    const [outcome] = await this.#home.log.append([asked]);
    if (outcome?.outcome === 'appended') this.#requests.set(outcome.id, request);
  }

  /** Whether it left. @throws the signal's reason; then nobody knows */
  async send(signal: AbortSignal): Promise<boolean> {
    const { log } = this.#home;
    try {
      const id = await this.#batches.send(this.#requests, signal);
      await log.append([], { cursors: [{ key: cursorOf(this.#batch), value: { id } }] });
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      await this.#home.runner.catchUp();
      const away = (await awayRequests(this.#home)).get(this.#batch) ?? [];
      await log.append(away.map((one) => answerEvent(one, error, this.#questions, this.#home)));
      return false;
    }
  }
}

/** Requests without an answer, by batch. */
async function awayRequests({ views, now }: Home): Promise<ReadonlyMap<string, readonly Request[]>> {
  const all = (await requestsUntil(now() - AWAY_MS, views.turns)).filter((one) => isAway(one, now()));
  const groups = new Map<string, Request[]>();
  for (const one of all) {
    const batch = one.asked.body.batch!;
    groups.set(batch, [...(groups.get(batch) ?? []), one]);
  }
  return groups;
}

/** Stores the answers of finished batches. Returns how many batches are still away, and whether any came back. */
export async function collectBatches(
  questions: ModelQuestions,
  batches: BatchProvider,
  home: Home,
  signal: AbortSignal,
): Promise<{ readonly away: number; readonly collected: boolean }> {
  await home.runner.catchUp();
  const found = await awayRequests(home);
  let away = 0;
  for (const [batch, requests] of found) {
    const sent = (await home.log.cursor(cursorOf(batch))) as { readonly id: string } | undefined;
    const results = sent === undefined ? LOST : await resultsOf(sent.id, batches, signal);
    if (results === null) {
      away += 1;
      continue;
    }
    const events = requests.map((one) =>
      answerEvent(one, results.get(one.asked.event) ?? missing(), questions, home),
    );
    await home.log.append(events, { cursors: [{ key: cursorOf(batch), value: null }] });
  }
  return { away, collected: found.size > away };
}

const LOST: ReadonlyMap<string, ModelReply | ProviderFailure> = new Map();

/** Null while it is away, or while nobody can say. */
async function resultsOf(id: string, batches: BatchProvider, signal: AbortSignal) {
  try {
    return await batches.results(id, signal);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return error.class === 'unrecoverable' ? LOST : null;
  }
}

function missing(): ProviderFailure {
  return new ProviderFailure('transient', 'The batch has no answer to this request.', { mayCost: true });
}

function answerEvent(
  { asked }: Request,
  answer: ModelReply | ProviderFailure,
  questions: ModelQuestions,
  { now }: Home,
): NewEvent {
  const { agent, session, event, at, body } = asked;
  const { recipe, turn, part, parts, covers, attempt, again } = body;
  const envelope = { agent, session, channel: 'api', occurredAt: now() } as const;
  const link = { recipe, turn, part, parts, covers, attempt, again, asked: event, askedAt: at };
  if (answer instanceof ProviderFailure) {
    const { class: kind, message: reason, retryAfterMs, mayCost } = answer;
    const failed: BodyInput<'observer.failed'> = { ...link, class: kind, reason, retryAfterMs, mayCost };
    return { ...envelope, type: 'observer.failed', dedupeKey: `${event} failed`, body: failed };
  }
  const replied: BodyInput<'observer.replied'> = {
    ...link,
    ...questions.replyBody(answer, { batch: true }),
    durationMs: now() - (at ?? now()),
  };
  return { ...envelope, type: 'observer.replied', dedupeKey: `${event} replied`, body: replied };
}
