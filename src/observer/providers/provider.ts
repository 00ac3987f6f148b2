// A model that writes observations, behind one interface. The observer asks; retries, waiting and the budget are its own,
// so a provider sends one request a call.
import type { JsonObject } from '../../agents/common/json-fields.ts';

export interface ModelRequest {
  /** The same for all requests of a recipe, so that the provider can cache it. */
  readonly instructions: string;
  /** A long text that several requests have in common, after the instructions; cached together with them. */
  readonly shared?: string;
  /** What this request is about. */
  readonly content: string;
  /** Of the reply, thinking included. */
  readonly maxTokens: number;
  /** The JSON schema that a provider enforces if it can. */
  readonly schema: JsonObject;
}

/** Tokens, as the provider counted them. `input` is what was neither read from its cache nor written to it. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelReply {
  /** As it came. */
  readonly text: string;
  /** Whether the provider enforced the schema, so that the text is JSON of that form. */
  readonly form: 'tags' | 'schema';
  /** The provider's own word: `end_turn`, `max_tokens`, `refusal`, `length`, … Null when it gave none. */
  readonly stopReason: string | null;
  /** Null when the provider did not say: then the worst case counts. */
  readonly usage: ModelUsage | null;
  /** The model that answered, as the provider names it. */
  readonly model: string;
}

/** In dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Provider {
  /** `anthropic`, `openai`, `claude-command`. */
  readonly name: string;
  readonly model: string;
  /** For people: the host, or the path of the command. Holds no secret. */
  readonly place: string;
  /** @throws ProviderFailure; the signal's reason when it is aborted */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** Set when requests can be sent as one batch at half price. */
  readonly batches?: BatchProvider;
  /** Ends what it started. */
  close(): Promise<void>;
}

export interface BatchProvider {
  /** The names are those of the requests in the results: letters, digits, `-` and `_`, at most 64. Resolves to the batch's id. */
  send(requests: ReadonlyMap<string, ModelRequest>, signal: AbortSignal): Promise<string>;
  /** Null while the batch is not finished. */
  results(id: string, signal: AbortSignal): Promise<ReadonlyMap<string, ModelReply | ProviderFailure> | null>;
  cancel(id: string, signal: AbortSignal): Promise<void>;
}

/**
 * - `auth`, `quota`: nothing works until the user changes something
 * - `rate-limit`: later, after `retryAfterMs` if the provider said so
 * - `transient`: the service, the network or a time limit; the same request may work later
 * - `unrecoverable`: this request will never work
 */
export type FailureClass = 'auth' | 'quota' | 'rate-limit' | 'transient' | 'unrecoverable';

/** A service, or a proxy before it, that says a longer time is asked again after this one. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;

/** Its message is one sentence for people. It never holds text of the request, of the reply or a key. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly class: FailureClass;
  readonly retryAfterMs: number | null;
  /** Whether the provider may have worked on the request, so that it may cost something. */
  readonly mayCost: boolean;

  constructor(
    kind: FailureClass,
    message: string,
    { retryAfterMs = null, mayCost = false }: { retryAfterMs?: number | null; mayCost?: boolean } = {},
  ) {
    super(message);
    this.class = kind;
    this.retryAfterMs = retryAfterMs === null ? null : Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
    this.mayCost = mayCost;
  }
}
