// Asks a model about the turns that nobody has read, one after the other, within the budget.
import type { ObserveOptions, ObserveReport, ObserveRequest } from '../../api/observe.ts';
import type { Home } from '../../home/home.ts';
import { wait } from '../../platform/clock.ts';
import type { Hold } from '../policy/hold.ts';
import { costOf, expectedUsageOf } from '../providers/prices.ts';
import { ModelQuestions, type ObserverModel, type PricedRequest } from './ask-model.ts';
import { switchedBy } from './spending.ts';
import { summariesOf, type Waiting, waitingAbout } from './waiting-turns.ts';

/** A longer wait ends the run; the next one goes on. */
const WAIT_MS_MAX = 60_000;

/** Never rejects for a failure of the provider: the report has it, and what was answered before is kept. */
export async function observe(
  options: ObserveOptions,
  model: ObserverModel,
  home: Home,
): Promise<ObserveReport> {
  await home.runner.catchUp();
  const run = new Run(options, model, home);
  try {
    await run.start();
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
  }
  return run.report();
}

class Run {
  readonly #options: ObserveOptions;
  readonly #home: Home;
  readonly #questions: ModelQuestions;
  readonly #requests: ObserveRequest[] = [];
  #waiting = 0;
  readonly #counts = { asked: 0, read: 0, invalid: 0, failed: 0, usd: 0, tokens: 0 };
  readonly #price = { requests: 0, refused: 0, worst: 0, expected: 0 };
  #problem: string | null = null;
  /** Of the requests that were refused, dollars. */
  #dearest = 0;

  constructor(options: ObserveOptions, model: ObserverModel, home: Home) {
    this.#options = options;
    this.#home = home;
    this.#questions = new ModelQuestions(model, home);
  }

  report(): ObserveReport {
    const { recipe, model } = this.#questions;
    const { name: provider, model: name } = model.provider;
    const { requests, refused, worst, expected } = this.#price;
    const isPriced = requests > 0 && model.prices !== null;
    return {
      ...{ recipe, provider, model: name, waiting: this.#waiting, ...this.#counts },
      ...{ problem: this.#problem, requests: this.#requests },
      refused,
      ...{ worstUsd: isPriced ? worst : null, expectedUsd: isPriced ? expected : null },
    };
  }

  async start(): Promise<void> {
    const { dryRun, limit = Number.POSITIVE_INFINITY, onProgress, signal } = this.#options;
    const queue = await this.#queue();
    this.#waiting = queue.length;
    for (const [index, one] of queue.slice(0, limit).entries()) {
      signal?.throwIfAborted();
      onProgress?.(index, Math.min(limit, queue.length));
      const priced = await this.#questions.priced(one);
      if (priced === null) continue;
      if (dryRun) await this.#show(one, priced);
      else if (!(await this.#askWhenAllowed(one, priced))) return;
    }
  }

  async #show(one: Waiting, priced: PricedRequest): Promise<void> {
    const { prices } = this.#questions.model;
    const expected = expectedUsageOf(priced.request, { first: this.#price.requests === 0 });
    this.#price.requests += 1;
    this.#price.worst += priced.worst.usd ?? 0;
    this.#price.expected += prices === null ? 0 : costOf(expected, prices);
    const hold = await this.#questions.budgetHold(one, priced.worst);
    if (hold?.until === null) {
      this.#refuse(hold, priced);
      this.#price.refused += 1;
    }
    if (this.#options.dryRun === true) this.#requests.push(shown(one, priced));
  }

  /** The problem is that of the dearest request: what allows it allows the others. */
  #refuse({ sentence }: Hold, { worst: { usd } }: PricedRequest): void {
    if (this.#problem !== null && (usd ?? 0) <= this.#dearest) return;
    this.#problem = sentence;
    this.#dearest = usd ?? 0;
  }

  async #queue(): Promise<Waiting[]> {
    const { retriedAt } = await switchedBy(this.#home.views.turns);
    const { again = false } = this.#options;
    const queue: Waiting[] = [];
    for (const summary of await summariesOf(this.#options, this.#home))
      queue.push(
        ...(await waitingAbout(summary, { recipe: this.#questions.recipe, retriedAt, again }, this.#home)),
      );
    return queue;
  }

  /** False when the run ends: nothing may be sent at the moment. */
  async #askWhenAllowed(one: Waiting, priced: PricedRequest): Promise<boolean> {
    for (;;) {
      const hold = (await this.#questions.hold()) ?? (await this.#questions.budgetHold(one, priced.worst));
      if (hold === null) break;
      if (!(await this.#waitsFor(hold))) {
        // Another turn may fit into the budget.
        const mayGoOn = hold.because === 'budget' && hold.until === null;
        if (mayGoOn) this.#refuse(hold, priced);
        else this.#problem = hold.sentence;
        return mayGoOn;
      }
    }
    const { again = false, signal = new AbortController().signal } = this.#options;
    const asked = await this.#questions.ask(one, priced, { again, signal });
    if (asked === null) return true;
    const { reply } = asked;
    this.#counts.asked += 1;
    if (reply === null) this.#counts.failed += 1;
    else {
      this.#counts[reply.valid ? 'read' : 'invalid'] += 1;
      this.#counts.usd += reply.usd;
      this.#counts.tokens += reply.tokens;
    }
    return true;
  }

  async #waitsFor({ because, until }: Hold): Promise<boolean> {
    if (until === null || because === 'budget') return false;
    const ms = until - this.#home.now();
    if (ms > WAIT_MS_MAX) return false;
    await wait(Math.max(0, ms), this.#options.signal);
    return true;
  }
}

function shown({ turn, part, parts }: Waiting, { request, worst }: PricedRequest): ObserveRequest {
  return {
    ...{ session: turn.session, turn: turn.id, part, parts },
    ...{ worstUsd: worst.usd, worstTokens: worst.tokens },
    ...{ instructions: request.instructions, content: request.content },
  };
}
