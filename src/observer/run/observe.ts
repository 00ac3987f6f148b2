// Asks a model about the turns that it has not read, one after the other, within the budget. What is asked is on disk before it
// is sent, and what was answered before the next is asked: a crash costs at most one request.
import type { NewEvent } from '../../../log/index.ts';
import { REPLY_SCHEMA } from '../../../projections/index.ts';
import type { ObserveOptions, ObserveReport, ObserveRequest } from '../../api/observe.ts';
import type { Home } from '../../home/home.ts';
import { wait } from '../../platform/wait.ts';
import { codeMode } from '../mode/code-mode.ts';
import { type Budget, ofLastDay, overBudget, type Spending } from '../policy/budget.ts';
import { FAILURES_MAX, nextStep } from '../policy/next-step.ts';
import { costOf, type Prices, worstCaseOf, worstUsageOf } from '../providers/prices.ts';
import { type ModelReply, type ModelRequest, type Provider, ProviderFailure } from '../providers/provider.ts';
import { instructionsOf } from '../request/instructions.ts';
import { turnContent } from '../request/turn-content.ts';
import { coversDigest, recipeOf, settingsMark } from './recipe.ts';
import { redactReply } from './redact-reply.ts';
import { outcomesOf, requestsIn, requestsUntil, type Switched, switchedBy } from './spending.ts';
import { type Waiting, waitingTurns } from './waiting-turns.ts';

/** A summary and several observations, and some room for thinking. */
const REPLY_TOKENS_MAX = 4_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A longer wait ends the run; the next one goes on. */
const WAIT_MS_MAX = 60_000;

export interface ObserverModel {
  readonly provider: Provider;
  /** Null for a model whose price is unknown. */
  readonly prices: Prices | null;
  readonly budget: Budget;
}

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
  readonly #model: ObserverModel;
  readonly #home: Home;
  readonly #recipe: string;
  readonly #settings: string;
  readonly #requests: ObserveRequest[] = [];
  #waiting = 0;
  readonly #counts = { asked: 0, read: 0, invalid: 0, failed: 0, usd: 0, tokens: 0 };
  #problem: string | null = null;

  constructor(options: ObserveOptions, model: ObserverModel, home: Home) {
    this.#options = options;
    this.#model = model;
    this.#home = home;
    this.#recipe = recipeOf(model.provider, codeMode);
    this.#settings = settingsMark(model.provider);
  }

  report(): ObserveReport {
    const { name: provider, model } = this.#model.provider;
    return {
      ...{ recipe: this.#recipe, provider, model, waiting: this.#waiting, ...this.#counts },
      ...{ problem: this.#problem, requests: this.#requests },
    };
  }

  async start(): Promise<void> {
    const { dryRun, limit = Number.POSITIVE_INFINITY, onProgress, signal } = this.#options;
    const switched = await switchedBy(this.#home.views.turns);
    if (!switched.on && dryRun !== true) {
      this.#problem = 'The observer is paused: `annals observer resume` lets it go on.';
      return;
    }
    const queue: Waiting[] = [];
    const from = { recipe: this.#recipe, retriedAt: switched.retriedAt };
    for await (const one of waitingTurns(this.#options, from, this.#home)) queue.push(one);
    this.#waiting = queue.length;
    for (const [index, one] of queue.slice(0, limit).entries()) {
      signal?.throwIfAborted();
      onProgress?.(index, Math.min(limit, queue.length));
      if (dryRun === true) this.#requests.push(this.#shown(one));
      else if (!(await this.#askWhenAllowed(one, switched))) return;
    }
  }

  #requestOf({ material }: Waiting): ModelRequest {
    return {
      instructions: instructionsOf(codeMode),
      content: turnContent(material),
      maxTokens: REPLY_TOKENS_MAX,
      schema: REPLY_SCHEMA,
    };
  }

  #worst(request: ModelRequest): Spending {
    const { prices } = this.#model;
    const { input, output, cacheRead, cacheWrite } = worstUsageOf(request);
    const usd = prices === null ? null : worstCaseOf(request, prices);
    return { at: this.#home.now(), usd, tokens: input + output + cacheRead + cacheWrite };
  }

  #shown(one: Waiting): ObserveRequest {
    const request = this.#requestOf(one);
    const { usd, tokens } = this.#worst(request);
    const { turn, part, parts } = one;
    return {
      ...{ session: turn.session, turn: turn.id, part, parts, worstUsd: usd, worstTokens: tokens },
      ...{ instructions: request.instructions, content: request.content },
    };
  }

  /** False when the run ends: the budget, the provider or a long wait forbids the next request. */
  async #askWhenAllowed(one: Waiting, switched: Switched): Promise<boolean> {
    const { signal } = this.#options;
    for (;;) {
      await this.#home.runner.catchUp();
      const { turns } = this.#home.views;
      const lastDay = await requestsUntil(this.#home.now() - DAY_MS, turns);
      const newest = outcomesOf(lastDay, switched.retriedAt).sort((a, b) => b.at - a.at);
      const step = nextStep(newest.slice(0, FAILURES_MAX), this.#settings);
      if (step.do === 'stop') {
        const { name, place } = this.#model.provider;
        this.#problem =
          step.because === 'auth'
            ? `${name} at ${place} refused the key: change it, then \`annals observer retry\`.`
            : `${name} at ${place} has no credit left: add some, then \`annals observer retry\`.`;
        return false;
      }
      if (step.do === 'wait') {
        const ms = step.until - this.#home.now();
        if (ms > WAIT_MS_MAX) {
          this.#problem = `After failures, the next request may be sent at ${new Date(step.until).toISOString()}.`;
          return false;
        }
        if (ms > 0) {
          await wait(ms, signal);
          continue;
        }
      }
      const request = this.#requestOf(one);
      const worst = this.#worst(request);
      const spent = {
        lastDay: ofLastDay(lastDay, this.#home.now()),
        session: await requestsIn(one.turn.agent, one.turn.session, turns),
      };
      this.#problem = overBudget(worst, spent, this.#model.budget);
      if (this.#problem !== null) return false;
      await this.#ask(one, request, worst);
      return true;
    }
  }

  async #ask(one: Waiting, request: ModelRequest, worst: Spending): Promise<void> {
    const { log, now } = this.#home;
    const { provider } = this.#model;
    const { turn, part, parts, covers, attempt } = one;
    const again = this.#options.again === true;
    const about = { recipe: this.#recipe, turn: turn.id, part, parts, covers, attempt, again };
    const name = `${coversDigest(this.#recipe, covers)} ${attempt}`;
    const envelope = { agent: turn.agent, session: turn.session, channel: 'api' } as const;
    const askedAt = now();
    const asked: NewEvent<'observer.asked'> = {
      ...{ ...envelope, type: 'observer.asked', dedupeKey: name, occurredAt: askedAt },
      body: {
        ...{ ...about, provider: provider.name, model: provider.model, settings: this.#settings },
        ...{ worstUsd: worst.usd, worstTokens: worst.tokens },
      },
    };
    const [outcome] = await log.append([asked]);
    const link = { ...about, asked: outcome!.id, askedAt };
    this.#counts.asked += 1;
    try {
      const reply = await provider.ask(request, this.#options.signal ?? new AbortController().signal);
      await log.append([
        {
          ...{ ...envelope, type: 'observer.replied', dedupeKey: `${name} replied`, occurredAt: now() },
          body: { ...link, ...this.#replyBody(reply), durationMs: now() - askedAt },
        },
      ]);
      await this.#countReply(link.asked, one);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.#counts.failed += 1;
      const { class: kind, message: reason, retryAfterMs, mayCost } = error;
      await log.append([
        {
          ...{ ...envelope, type: 'observer.failed', dedupeKey: `${name} failed`, occurredAt: now() },
          body: { ...link, class: kind, reason, retryAfterMs, mayCost },
        },
      ]);
    }
  }

  #replyBody(reply: ModelReply) {
    const { form, stopReason, model, usage } = reply;
    const { prices } = this.#model;
    const usd = usage === null || prices === null ? null : costOf(usage, prices);
    const text = redactReply(reply);
    return { text, form, stopReason, model, usage: usage === null ? null : { ...usage }, usd };
  }

  /** Whether the reply is valid is decided where the views are built. */
  async #countReply(asked: string, { turn }: Waiting): Promise<void> {
    await this.#home.runner.catchUp();
    const all = await requestsIn(turn.agent, turn.session, this.#home.views.turns);
    const mine = all.find((one) => one.asked.event === asked);
    if (mine?.answer?.kind !== 'replied') return;
    this.#counts[mine.answer.reply.valid ? 'read' : 'invalid'] += 1;
    this.#counts.usd += mine.usd ?? 0;
    this.#counts.tokens += mine.tokens;
  }
}
