// Anthropic's Messages API, or a gateway that speaks it, through Anthropic's SDK. Retries and waiting are the observer's:
// the SDK does none.
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { Json } from '../../../log/index.ts';
import { listOf, objectOf, stringOf } from '../../agents/common/json-fields.ts';
import { AnswerTooLong, fetchUpTo, retryAfterMs, systemCode } from '../../platform/http.ts';
import type { MessagesClient } from './anthropic-sdk.ts';
import { closedFailure, connectionFailure, failureOf, lateFailure, unreadableFailure } from './failures.ts';
import { usageIn } from './messages-usage.ts';
import { OptionalFields } from './optional-fields.ts';
import {
  type BatchProvider,
  type ModelReply,
  type ModelRequest,
  type Provider,
  ProviderFailure,
} from './provider.ts';

export interface AnthropicOptions {
  readonly model: string;
  readonly credential: { readonly apiKey: string } | { readonly authToken: string };
  /** Without `/v1`. */
  readonly url: string;
  /** How long one answer may take, ms. */
  readonly timeoutMs?: number;
  /** A longer answer is not read. */
  readonly answerBytesMax?: number;
}

const TIMEOUT_MS = 120_000;
/** The results of a batch of 200 have some 10 MB. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export function openAnthropic(options: AnthropicOptions): Provider {
  return new AnthropicProvider(options);
}

type OptionalField = 'schema' | 'thinking' | 'effort';

const MENTIONS: Readonly<Record<OptionalField, RegExp>> = {
  schema: /output_config\.format|json_schema|schema|structured output/i,
  thinking: /thinking/i,
  effort: /effort/i,
};

/** Thinking costs output. Haiku and Sonnet can do without; the others always think, with low effort. */
function fieldsOf(model: string): readonly OptionalField[] {
  if (/claude-(?:haiku|sonnet)-/.test(model)) return ['schema', 'thinking'];
  return /claude-(?:opus|fable|mythos)-/.test(model) ? ['schema', 'effort'] : [];
}

class AnthropicProvider implements Provider {
  readonly name = 'anthropic';
  readonly model: string;
  readonly place: string;
  readonly batches: BatchProvider;
  readonly #options: AnthropicOptions;
  readonly #timeoutMs: number;
  readonly #fields: OptionalFields<OptionalField>;
  readonly #closing = new AbortController();
  #client: Promise<MessagesClient> | null = null;

  constructor(options: AnthropicOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.model = options.model;
    this.place = new URL(options.url).host;
    this.#fields = new OptionalFields(fieldsOf(options.model), MENTIONS);
    this.batches = {
      send: (requests, signal) => this.#sendBatch(requests, signal),
      results: (id, signal) => this.#batchResults(id, signal),
      cancel: async (id, signal) => {
        const gone = batchIsGone(this.place);
        await this.#call(signal, (client, options) => client.messages.batches.cancel(id, {}, options), gone);
      },
    };
  }

  async ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const message = await this.#call(signal, (client, options) =>
      client.messages.create(this.#params(request, '5m'), options),
    );
    return this.#reply(message as unknown as Json);
  }

  async close(): Promise<void> {
    this.#closing.abort(closedFailure());
  }

  #params({ instructions, shared, content, maxTokens, schema }: ModelRequest, ttl: '5m' | '1h') {
    const system = [instructions, ...(shared === undefined ? [] : [shared])].map((text) => ({
      type: 'text' as const,
      text,
    }));
    const format = { format: { type: 'json_schema' as const, schema } };
    const output = {
      ...(this.#fields.uses('schema') ? format : {}),
      ...(this.#fields.uses('effort') ? { effort: 'low' as const } : {}),
    };
    return {
      model: this.model,
      max_tokens: maxTokens,
      system: [...system.slice(0, -1), { ...system.at(-1)!, cache_control: { type: 'ephemeral', ttl } }],
      messages: [{ role: 'user', content }],
      ...(this.#fields.uses('thinking') ? { thinking: { type: 'disabled' } } : {}),
      ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
    } satisfies MessageCreateParamsNonStreaming;
  }

  /**
   * @param work is done again when the service refused a field that can be left out
   * @param unknown what a 404 means; by default that the model or the address is wrong
   * @throws ProviderFailure, or the signal's reason
   */
  async #call<T>(
    signal: AbortSignal,
    work: (client: MessagesClient, options: { readonly signal: AbortSignal }) => Promise<T>,
    unknown?: ProviderFailure,
  ): Promise<T> {
    signal.throwIfAborted();
    this.#client ??= clientOf(this.#options);
    const client = await this.#client;
    const late = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await work(client, { signal: AbortSignal.any([signal, late, this.#closing.signal]) });
    } catch (error) {
      signal.throwIfAborted();
      this.#closing.signal.throwIfAborted();
      if (error instanceof ProviderFailure) throw error;
      if (late.aborted) throw lateFailure(this.place, this.#timeoutMs);
      if (error instanceof SyntaxError || error instanceof AnswerTooLong) throw unreadableFailure(this.place);
      const refusal = refusalIn(error);
      if (refusal === null) throw connectionFailure(this.place, systemCode(causeOf(error)));
      if (refusal.status === 404 && unknown !== undefined) throw unknown;
      if (!this.#fields.learn(refusal.status, refusal.body))
        throw failureOf({ ...refusal, place: this.place, model: this.model });
    }
    return this.#call(signal, work, unknown);
  }

  /** @throws ProviderFailure */
  #reply(value: Json): ModelReply {
    const message = objectOf(value);
    if (message === null || !Array.isArray(message.content)) throw unreadableFailure(this.place);
    const texts = listOf(message.content).flatMap((one) => {
      const block = objectOf(one);
      return block?.type === 'text' ? [stringOf(block.text) ?? ''] : [];
    });
    const text = texts.join('');
    return {
      text,
      form: this.#fields.uses('schema') && text.trimStart().startsWith('{') ? 'schema' : 'tags',
      stopReason: stringOf(message.stop_reason),
      usage: usageIn(message.usage),
      model: stringOf(message.model) ?? this.model,
    };
  }

  async #sendBatch(requests: ReadonlyMap<string, ModelRequest>, signal: AbortSignal): Promise<string> {
    const batch = await this.#call(signal, (client, options) => {
      const all = [...requests].map(([custom_id, request]) => ({
        custom_id,
        params: this.#params(request, '1h'),
      }));
      return client.messages.batches.create({ requests: all }, options);
    });
    const id = stringOf(objectOf(batch as unknown as Json)?.id);
    if (id === null) throw unreadableFailure(this.place);
    return id;
  }

  async #batchResults(id: string, signal: AbortSignal) {
    const read = async (client: MessagesClient, options: { readonly signal: AbortSignal }) => {
      const { processing_status, results_url } = await client.messages.batches.retrieve(id, {}, options);
      if (processing_status !== 'ended') return null;
      // The service keeps results for some weeks.
      if (results_url === null) throw batchIsGone(this.place);
      const results = new Map<string, ModelReply | ProviderFailure>();
      for await (const { custom_id, result } of await client.messages.batches.results(id, {}, options))
        results.set(custom_id, this.#batchItem(result as unknown as Json));
      return results;
    };
    return this.#call(signal, read, batchIsGone(this.place));
  }

  #batchItem(value: Json): ModelReply | ProviderFailure {
    const result = objectOf(value);
    if (result?.type === 'canceled' || result?.type === 'expired')
      return new ProviderFailure('transient', `${this.place} did not come to this request of the batch.`);
    if (result?.type === 'succeeded') {
      try {
        return this.#reply(result.message ?? null);
      } catch (error) {
        return error as ProviderFailure;
      }
    }
    const body = JSON.stringify(result?.error ?? null);
    const type = stringOf(objectOf(objectOf(result?.error)?.error)?.type) ?? 'api_error';
    const status = STATUS[type] ?? 500;
    // All requests of a batch left with the same fields.
    if (this.#fields.learn(status, body) || this.#fields.isKnown(status, body))
      return new ProviderFailure('transient', `${this.place} refused a field that is now left out.`);
    return failureOf({ status, body, retryAfterMs: null, place: this.place, model: this.model });
  }
}

/** Of the errors in a batch's results, which have no status of their own. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

function batchIsGone(place: string): ProviderFailure {
  return new ProviderFailure('unrecoverable', `${place} does not know this batch any more.`, {
    mayCost: true,
  });
}

async function clientOf({
  credential,
  url,
  answerBytesMax = ANSWER_BYTES_MAX,
}: AnthropicOptions): Promise<MessagesClient> {
  const sdk = await import('./anthropic-sdk.ts');
  return new sdk.MessagesClient({
    ...credential,
    baseURL: url,
    maxRetries: 0,
    // Its messages may hold parts of requests.
    logLevel: 'off',
    fetch: fetchUpTo(answerBytesMax),
    fetchOptions: { redirect: 'manual' },
  });
}

/** What the service answered, in the SDK's error for a status; null for other errors. */
function refusalIn(error: unknown) {
  if (!(error instanceof Error && 'status' in error && typeof error.status === 'number')) return null;
  const { status, headers, error: body } = error as { status: number; headers?: Headers; error?: unknown };
  return {
    status,
    body: JSON.stringify(body ?? null),
    retryAfterMs: retryAfterMs((name) => headers?.get(name) ?? null),
  };
}

/** The SDK's connection error has that of `fetch` as its cause. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
