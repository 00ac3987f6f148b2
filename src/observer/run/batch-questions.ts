// Asks about many turns with one batch at half price. Every request is on disk before the batch leaves, and the service's name of
// the batch as soon as it is known: requests of a batch without one may have left or not.
import type { BodyInput, NewEvent } from '../../../log/index.ts';
import { type BatchRow, readingKeys } from '../../../projections/index.ts';
import type { Home } from '../../home/home.ts';
import { randomBytes } from '../../platform/random-bytes.ts';
import { DAY_MS } from '../policy/budget.ts';
import {
  type BatchProvider,
  type ModelReply,
  type ModelRequest,
  ProviderFailure,
} from '../providers/provider.ts';
import type { ModelQuestions, PricedRequest } from './ask-model.ts';
import { ownRequests } from './own-requests.ts';
import { type Request, requestsAway } from './spending.ts';
import type { Waiting } from './waiting-turns.ts';

/** How long the service keeps results. */
const KEPT_MS = 29 * DAY_MS;

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
  async add(one: Waiting, { request, ...priced }: PricedRequest): Promise<void> {
    const asked = this.#questions.askedEvent(one, priced, this.#batch);
    const [outcome] = await this.#home.log.append([asked]);
    if (outcome?.outcome === 'appended') this.#requests.set(outcome.id, request);
  }

  /** Whether it left. @throws the signal's reason, if that comes while it is sent: then nobody knows */
  async send(signal: AbortSignal): Promise<boolean> {
    const { log, runner, views, now } = this.#home;
    try {
      if (signal.aborted)
        throw new ProviderFailure('transient', 'The observer was closed before the batch left.');
      const id = await this.#batches.send(this.#requests, signal);
      await log.append([sentEvent(this.#batch, id, now())]);
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      await runner.catchUp();
      const away = (await requestsAway(views.turns)).get(this.#batch) ?? [];
      await log.append(away.map((one) => answerEvent(one, error, this.#questions, this.#home)));
      return false;
    }
  }
}

function sentEvent(batch: string, id: string, at: number): NewEvent<'observer.sent'> {
  return {
    ...{ type: 'observer.sent', agent: 'annals', session: null, channel: 'api' },
    ...{ dedupeKey: `${batch} sent`, occurredAt: at, body: { batch, id } },
  };
}

/** Stores the answers of finished batches. Returns how many batches are still away, and whether any came back. */
export async function collectBatches(
  questions: ModelQuestions,
  batches: BatchProvider,
  home: Home,
  signal: AbortSignal,
): Promise<{ readonly away: number; readonly collected: boolean }> {
  await home.runner.catchUp();
  const { turns } = home.views;
  const found = await requestsAway(turns);
  let [away, collected] = [0, false];
  for (const [batch, requests] of found) {
    const sent = await turns.get<BatchRow>(readingKeys.batch(batch));
    // Only the machine that sent a batch can know that it is lost: another one may lack its name, or the key of the service.
    const isOwn = (await ownRequests(requests, home.log)).length > 0;
    if (!isOwn && sent === undefined) continue;
    const isOld = requests.every(({ at }) => at < home.now() - KEPT_MS);
    // Another key or address need not know it: the paid answers wait for the one that sent it.
    const mustKnow = requests.some(({ asked }) => asked.body.settings === questions.model.settings);
    const results =
      sent === undefined
        ? LOST
        : ((await resultsOf(sent.id, batches, mustKnow || !isOwn, signal)) ?? (isOld ? LOST : null));
    if (results === null) {
      away += 1;
      continue;
    }
    if (!isOwn && results === LOST) continue;
    collected = true;
    const answers = requests.map((one) => [one, results.get(one.asked.event) ?? missing()] as const);
    await home.log.append(answers.map(([one, answer]) => answerEvent(one, answer, questions, home)));
  }
  return { away, collected };
}

const LOST: ReadonlyMap<string, ModelReply | ProviderFailure> = new Map();

/** Null while it is away, or while nobody can say. @param mustKnow a batch that the service does not know is lost */
async function resultsOf(id: string, batches: BatchProvider, mustKnow: boolean, signal: AbortSignal) {
  try {
    return await batches.results(id, signal);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return mustKnow && error.class === 'unrecoverable' ? LOST : null;
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
    ...questions.replyBody(answer, body.model, { batch: true }),
    durationMs: now() - (at ?? now()),
  };
  return { ...envelope, type: 'observer.replied', dedupeKey: `${event} replied`, body: replied };
}
