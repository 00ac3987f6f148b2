// Sends one request to the model, if the policy and the budget allow it. What is asked is on disk before it is sent, and what
// was answered before the next is asked: a crash costs at most one request.
import type { BodyInput, NewEvent } from '../../../log/index.ts';
import { replySchema } from '../../../projections/index.ts';
import type { Home } from '../../home/home.ts';
import { bootTime } from '../../platform/boot-clock.ts';
import type { Mode } from '../mode/mode.ts';
import { type Budget, DAY_MS, ofLastDay, overBudget, type Spending } from '../policy/budget.ts';
import { budgetHold, failureHold, type Hold, PAUSED } from '../policy/hold.ts';
import { FAILURES_MAX, nextStep } from '../policy/next-step.ts';
import {
  type CostOptions,
  costOf,
  type Prices,
  pricesOf,
  worstCaseOf,
  worstUsageOf,
} from '../providers/prices.ts';
import { type ModelReply, type ModelRequest, type Provider, ProviderFailure } from '../providers/provider.ts';
import { instructionsOf } from '../request/instructions.ts';
import { turnContent } from '../request/turn-content.ts';
import { ownRequests } from './own-requests.ts';
import { type RecentRequest, RecentRequests } from './recent-requests.ts';
import { coversDigest, recipeOf } from './recipe.ts';
import { redactReply } from './redact-reply.ts';
import { requestsIn, switchedBy } from './spending.ts';
import { materialNow, type Waiting } from './waiting-turns.ts';

/** A summary and several observations, and some room for thinking. */
const REPLY_TOKENS_MAX = 4_000;

export interface ObserverModel {
  readonly provider: Provider;
  /** Null for a model whose price is unknown. */
  readonly prices: Prices | null;
  readonly budget: Budget;
  readonly mode: Mode;
  /** Changes with the service, its address, the model and the key. No key can be found from it. */
  readonly settings: string;
}

/** A request with what it costs at most. */
export interface PricedRequest {
  readonly request: ModelRequest;
  /** The events that its content comes from. */
  readonly covers: readonly string[];
  readonly worst: Spending;
}

/** What a request is about, as its events name it. */
export interface Subject {
  readonly agent: string;
  readonly session: string | null;
  /** Names the request and the attempt. */
  readonly name: string;
  readonly about: Pick<
    BodyInput<'observer.asked'>,
    'recipe' | 'turn' | 'part' | 'parts' | 'covers' | 'attempt' | 'again' | 'corpus'
  >;
  /** What only the event of the reply holds. */
  readonly reply?: Partial<Pick<BodyInput<'observer.replied'>, 'covers' | 'question'>>;
}

export interface Asked {
  /** Null after a failure. */
  readonly reply: { readonly valid: boolean; readonly usd: number; readonly tokens: number } | null;
}

export class ModelQuestions {
  readonly model: ObserverModel;
  readonly recipe: string;
  readonly #home: Home;
  readonly #recent: RecentRequests;

  constructor(model: ObserverModel, home: Home) {
    this.model = model;
    this.#home = home;
    this.#recent = new RecentRequests(home.log);
    this.recipe = recipeOf(model.provider, model.mode);
  }

  /** Null if the turn has changed since it was found waiting. */
  async priced(one: Waiting, options: CostOptions = {}): Promise<PricedRequest | null> {
    const { mode } = this.model;
    const now = await materialNow(one, this.#home);
    if (now === null) return null;
    const request = {
      instructions: instructionsOf(mode),
      content: turnContent(now.material),
      maxTokens: REPLY_TOKENS_MAX,
      schema: replySchema({ types: namesOf(mode.types), concepts: namesOf(mode.concepts) }),
    };
    return { ...this.price(request, options), covers: now.covers };
  }

  price(request: ModelRequest, options: CostOptions = {}): Omit<PricedRequest, 'covers'> {
    const { prices } = this.model;
    const { input, output, cacheRead, cacheWrite } = worstUsageOf(request);
    const usd = prices === null ? null : worstCaseOf(request, prices, options);
    return {
      request,
      worst: { at: this.#home.now(), usd, tokens: input + output + cacheRead + cacheWrite },
    };
  }

  /** Whatever is asked next: why nothing may be sent now. */
  async hold(): Promise<Hold | null> {
    await this.#home.runner.catchUp();
    const { turns } = this.#home.views;
    const switched = await switchedBy(turns);
    if (!switched.on) return PAUSED;
    const lastDay = oncePerBatch(await this.#recent.since(this.#home.now() - DAY_MS, turns));
    const recent = lastDay.flatMap(({ outcome }) => outcome ?? []);
    // A key that was refused stays so, however long ago that was.
    const older = recent.length > 0 ? null : await this.#recent.newestOutcome(turns);
    const newest = (older === null ? recent : [older])
      .filter(({ at }) => at > switched.retriedAt)
      .sort((a, b) => b.at - a.at);
    const step = nextStep(newest.slice(0, FAILURES_MAX), this.model.settings);
    return failureHold(step, this.model.provider, this.#home.now());
  }

  /** @param turn null for a question that is about no session */
  async budgetHold(
    { turn }: Pick<Waiting, 'turn'> | { readonly turn: null },
    worst: Spending,
  ): Promise<Hold | null> {
    const { turns } = this.#home.views;
    const now = this.#home.now();
    const over = overBudget(
      worst,
      {
        lastDay: ofLastDay(await this.#recent.since(now - DAY_MS, turns), now),
        session:
          turn === null
            ? []
            : await ownRequests(await requestsIn(turn.agent, turn.session, turns), this.#home.log),
      },
      this.model.budget,
    );
    return over === null ? null : budgetHold(over);
  }

  /** Of a request that leaves with a batch. */
  askedEvent(
    one: Waiting,
    { worst, covers }: Pick<PricedRequest, 'worst' | 'covers'>,
    batch: string,
  ): NewEvent<'observer.asked'> {
    const { agent, session, name, about } = this.#subjectOf(one, covers, false);
    const { provider, settings } = this.model;
    return {
      ...{ agent, session, channel: 'api', type: 'observer.asked', dedupeKey: name, occurredAt: worst.at },
      body: {
        ...{ ...about, provider: provider.name, model: provider.model, settings, batch },
        ...{ worstUsd: worst.usd, worstTokens: worst.tokens, ...bootTime() },
      },
    };
  }

  #subjectOf({ turn, part, parts, attempt }: Waiting, all: readonly string[], again: boolean): Subject {
    const covers = [...all];
    return {
      ...{ agent: turn.agent, session: turn.session },
      name: `${coversDigest(this.recipe, covers)} ${attempt}`,
      about: { recipe: this.recipe, turn: turn.id, part, parts, covers, attempt, again },
    };
  }

  /**
   * Null: nothing was sent, and at the next look it would be the same.
   * @throws the signal's reason; then nobody knows what the request cost
   */
  async ask(
    one: Waiting,
    priced: PricedRequest,
    { again, signal }: { readonly again: boolean; readonly signal: AbortSignal },
  ): Promise<Asked | null> {
    const sent = await this.send(this.#subjectOf(one, priced.covers, again), priced, signal);
    if (sent === null) return null;
    return 'failure' in sent ? { reply: null } : this.#replyTo(sent.asked, one);
  }

  /** As `ask`, about anything. Null: it was asked already, or this request or what it is about is forgotten. */
  async send(
    { agent, session, name, about, reply: more = {} }: Subject,
    { request, worst }: Omit<PricedRequest, 'covers'>,
    signal: AbortSignal,
  ): Promise<
    { readonly asked: string; readonly reply: ModelReply } | { readonly failure: ProviderFailure } | null
  > {
    const { log, now } = this.#home;
    const { provider, settings } = this.model;
    const envelope = { agent, session, channel: 'api' } as const;
    const askedAt = now();
    const asked: NewEvent<'observer.asked'> = {
      ...{ ...envelope, type: 'observer.asked', dedupeKey: name, occurredAt: askedAt },
      body: {
        ...{ ...about, provider: provider.name, model: provider.model, settings },
        ...{ worstUsd: worst.usd, worstTokens: worst.tokens, ...bootTime() },
      },
    };
    const [outcome] = await log.append([asked]);
    if (outcome?.outcome !== 'appended') return null;
    const link = { ...about, asked: outcome.id, askedAt };
    try {
      const reply = await provider.ask(request, signal);
      const body = {
        ...link,
        ...more,
        ...this.replyBody(reply, provider.model),
        durationMs: now() - askedAt,
      };
      const [stored] = await log.append([
        {
          ...{ ...envelope, type: 'observer.replied', dedupeKey: `${name} replied`, occurredAt: now() },
          body,
        },
      ]);
      if (stored?.outcome === 'forgotten')
        return { failure: new ProviderFailure('transient', 'What was asked about was forgotten meanwhile.') };
      return { asked: link.asked, reply: { ...reply, text: body.text } };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const { class: kind, message: reason, retryAfterMs, mayCost } = error;
      await log.append([
        {
          ...{ ...envelope, type: 'observer.failed', dedupeKey: `${name} failed`, occurredAt: now() },
          body: { ...link, class: kind, reason, retryAfterMs, mayCost },
        },
      ]);
      return { failure: error };
    }
  }

  /** @param asked the model that was asked: settings may have changed since */
  replyBody(reply: ModelReply, asked: string, options: CostOptions = {}) {
    const { form, stopReason, model, usage } = reply;
    const prices = asked === this.model.provider.model ? this.model.prices : pricesOf(asked);
    const text = redactReply(reply);
    const usd = usage === null || prices === null ? null : costOf(usage, prices, options);
    return { text, form, stopReason, model, usage: usage === null ? null : { ...usage }, usd };
  }

  /** Whether the reply is valid is decided where the views are built. */
  async #replyTo(asked: string, { turn }: Waiting): Promise<Asked> {
    await this.#home.runner.catchUp();
    const all = await requestsIn(turn.agent, turn.session, this.#home.views.turns);
    const mine = all.find((one) => one.asked.event === asked);
    if (mine?.answer?.kind !== 'replied') return { reply: null };
    return { reply: { valid: mine.answer.reply.valid, usd: mine.usd ?? 0, tokens: mine.tokens } };
  }
}

function namesOf(terms: Mode['types']): string[] {
  return terms.map(({ name }) => name);
}

/** What happened to all requests of a batch together happened once. */
function oncePerBatch(all: readonly RecentRequest[]): RecentRequest[] {
  const seen = new Set<string>();
  return all.filter(({ batch, outcome }) => {
    if (batch === null || outcome === null) return true;
    const name = `${batch} ${outcome.result}`;
    return !seen.has(name) && seen.add(name);
  });
}
