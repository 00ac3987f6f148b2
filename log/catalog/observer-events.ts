// What a model was asked about a turn or a corpus, and what it answered. A reply was paid for and cannot be made again, so it is an
// event, and a replay asks nobody. `agent` and `session` of the envelope are those of the turn; a question to a corpus has no session. Dedupe key: the recipe, the number of
// the attempt and a digest of the covered events; of an answer also the kind of it.
import * as z from 'zod';
import { flag, nullableInteger, nullableText } from './body-fields.ts';

const nullableNumber = z.number().nullable().default(null);

/** The request, repeated in the answer: each of the two can be read without the other. */
const request = {
  /** Everything that the prose depends on besides the turn: provider, model, mode, wording. */
  recipe: z.string(),
  /** Id of the turn when it was asked about. Empty for a question to a corpus. */
  turn: z.string(),
  /** Counted from 1. */
  part: z.number().int(),
  parts: z.number().int(),
  /** The events that the model saw. */
  covers: z.array(z.string()),
  attempt: z.number().int(),
  /** A second reading of history: it counts only when a person chose its recipe. */
  again: flag,
  /** Of a question to a corpus; `digest` is that of the corpus's text and the question. */
  corpus: z.looseObject({ name: z.string(), digest: z.string() }).nullable().default(null),
};

export const observerAsked = z.looseObject({
  ...request,
  provider: z.string(),
  model: z.string(),
  /** Tells whether the provider’s settings have changed since. No key can be found from it. */
  settings: z.string(),
  /**
   * What it may cost at most, in dollars. Null without a known price. Of a request that was recorded again without what it was
   * about, because that was forgotten: what it cost.
   */
  worstUsd: nullableNumber,
  worstTokens: z.number().int(),
  /** The batch that it leaves with: a name of ours, because the provider names it later. */
  batch: nullableText,
  /** When it was, by a clock that cannot be set: the start of the system, and how long it had run, ms. Null where it has none. */
  boot: nullableText,
  upMs: nullableInteger,
});

/** A service took a batch, and may be asked for its answers from now on. */
export const observerSent = z.looseObject({
  /** As its requests name it. */
  batch: z.string(),
  /** As the service names it. */
  id: z.string(),
});

export const observerReplied = z.looseObject({
  ...request,
  /** Id of the `observer.asked` event, and its time. */
  asked: z.string(),
  askedAt: nullableInteger,
  /** What a person asked a corpus. */
  question: nullableText,
  /** As it came. */
  text: z.string(),
  /** schema: the provider enforced the JSON form. */
  form: z.enum(['tags', 'schema']),
  stopReason: nullableText,
  /** The model that answered, as the provider names it. */
  model: z.string(),
  /** Null when the provider did not say: then the worst case counts. */
  usage: z
    .looseObject({
      input: z.number().int(),
      output: z.number().int(),
      cacheRead: z.number().int(),
      cacheWrite: z.number().int(),
    })
    .nullable()
    .default(null),
  usd: nullableNumber,
  durationMs: nullableInteger,
});

export const observerFailed = z.looseObject({
  ...request,
  asked: z.string(),
  askedAt: nullableInteger,
  class: z.enum(['auth', 'quota', 'rate-limit', 'transient', 'unrecoverable']),
  /** One sentence; never a text of the request or the reply. */
  reason: z.string(),
  retryAfterMs: nullableInteger,
  /** The provider may have worked on it: then the worst case counts. */
  mayCost: flag,
});

/** From which recipe the memory speaks. A later choice wins (by occurredAt, then id). */
export const observerChosen = z.looseObject({
  /** Null: from the rules alone. `latest`: from the newest reading of each turn, as before any choice. */
  recipe: z.string().nullable(),
});

/** A person stops the observer, or lets it go on. */
export const observerSwitched = z.looseObject({
  on: z.boolean(),
  /** Failures before this do not count, and what was given up is asked again. */
  retry: flag,
});
