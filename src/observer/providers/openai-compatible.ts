// Any service with OpenAI's chat API: OpenRouter, Ollama, LM Studio, Gemini's compatible address, gateways.
import { type Json, parseJson } from '../../../log/index.ts';
import {
  countOf,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
  wholeOf,
} from '../../agents/common/json-fields.ts';
import { type Posted, post, retryAfterMs } from '../../platform/http.ts';
import {
  accountFailure,
  accountProblemIn,
  closedFailure,
  connectionFailure,
  failureOf,
  lateFailure,
  unreadableFailure,
} from './failures.ts';
import { OptionalFields } from './optional-fields.ts';
import type { ModelReply, ModelRequest, ModelUsage, Provider } from './provider.ts';

export interface OpenAiOptions {
  readonly model: string;
  /** As `chatUrl` gives it. */
  readonly url: string;
  /** Null if none is needed. */
  readonly key: string | null;
  /** How long one answer may take, ms. */
  readonly timeoutMs?: number;
}

/** A model on a processor reads a long turn for minutes. */
const TIMEOUT_MS = 300_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const ANSWER_LIMITS = { depthMax: 40, valuesMax: 50_000 };
const CHAT = '/chat/completions';
const OPENROUTER = 'https://openrouter.ai/api/v1';

/** The address for requests: that of OpenRouter when none is given; `/chat/completions` is added if it is missing. */
export function chatUrl(given: string): string {
  const url = given.trim().replace(/\/+$/, '');
  if (url === '') return OPENROUTER + CHAT;
  return url.toLowerCase().endsWith(CHAT) ? url : url + CHAT;
}

export function openOpenAi(options: OpenAiOptions): Provider {
  return new OpenAiProvider(options);
}

type OptionalField = 'schema' | 'max_tokens';

const MENTIONS: Readonly<Record<OptionalField, RegExp>> = {
  schema: /response_format|json_schema|schema|structured output/i,
  // Newer models of OpenAI take another name only.
  max_tokens: /max_completion_tokens/i,
};

class OpenAiProvider implements Provider {
  readonly name = 'openai';
  readonly model: string;
  readonly place: string;
  readonly #options: OpenAiOptions;
  readonly #timeoutMs: number;
  readonly #fields = new OptionalFields<OptionalField>(['schema', 'max_tokens'], MENTIONS);
  readonly #closing = new AbortController();

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.model = options.model;
    this.place = new URL(options.url).host;
  }

  async ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    signal.throwIfAborted();
    const { url, key } = this.#options;
    const posted = await post(url, {
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(this.#body(request)),
      timeoutMs: this.#timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
      signal: AbortSignal.any([signal, this.#closing.signal]),
    });
    if (posted.outcome === 'late') throw lateFailure(this.place, this.#timeoutMs);
    if (posted.outcome === 'unreachable') throw connectionFailure(this.place, posted.code);
    const refusal = refusalIn(posted);
    if (refusal === null) return this.#reply(posted);
    if (this.#fields.learn(refusal.status, refusal.body)) return this.ask(request, signal);
    throw failureOf({ ...refusal, place: this.place, model: this.model });
  }

  async close(): Promise<void> {
    this.#closing.abort(closedFailure());
  }

  #body({ instructions, shared, content, maxTokens, schema }: ModelRequest) {
    const format = { name: 'observations', strict: true, schema };
    return {
      model: this.model,
      messages: [
        { role: 'system', content: [instructions, ...(shared === undefined ? [] : [shared])].join('\n\n') },
        { role: 'user', content },
      ],
      [this.#fields.uses('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: maxTokens,
      ...(this.#fields.uses('schema')
        ? { response_format: { type: 'json_schema', json_schema: format } }
        : {}),
    };
  }

  #reply(posted: Answered): ModelReply {
    const answer = answerIn(posted);
    const choice = objectOf(listOf(answer?.choices)[0]);
    const message = objectOf(choice?.message);
    if (answer === null || message === null) throw unreadableFailure(this.place);
    const text = stringOf(message.content) ?? '';
    const problem = accountProblemIn(text);
    if (problem !== null) throw accountFailure(problem, this.place);
    const isRefusal = text === '' && stringOf(message.refusal) !== null;
    return {
      text,
      // Some services ignore the schema.
      form: this.#fields.uses('schema') && text.trimStart().startsWith('{') ? 'schema' : 'tags',
      stopReason: isRefusal ? 'refusal' : stringOf(choice?.finish_reason),
      usage: usageIn(answer.usage),
      model: stringOf(answer.model) ?? this.model,
    };
  }
}

type Answered = Extract<Posted, { outcome: 'answered' }>;

function answerIn({ text }: Answered): JsonObject | null {
  if (text === null) return null;
  const parsed = parseJson(text, ANSWER_LIMITS);
  return 'value' in parsed ? objectOf(parsed.value as Json) : null;
}

/** Some services put an error into an answer of status 200. */
function refusalIn(posted: Answered) {
  const { status, header, text } = posted;
  // Gemini says it in the body.
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(text ?? '')?.[1];
  const wait = retryAfterMs(header) ?? (delay === undefined ? null : Math.ceil(Number(delay) * 1_000));
  if (status < 200 || status > 299) return { status, body: text ?? '', retryAfterMs: wait };
  const answer = answerIn(posted);
  const error = objectOf(answer?.error) ?? objectOf(objectOf(listOf(answer?.choices)[0])?.error);
  if (error === null) return null;
  return { status: wholeOf(error.code) ?? 500, body: JSON.stringify(error), retryAfterMs: wait };
}

function usageIn(value: Json | undefined): ModelUsage | null {
  const usage = objectOf(value);
  const [prompt, completion] = [countOf(usage?.prompt_tokens), countOf(usage?.completion_tokens)];
  if (usage === null || prompt === null || completion === null) return null;
  const cached = countOf(objectOf(usage.prompt_tokens_details)?.cached_tokens) ?? 0;
  // Some services count thinking in the total only.
  const rest = (countOf(usage.total_tokens) ?? 0) - prompt;
  return {
    input: Math.max(0, prompt - cached),
    output: Math.max(completion, rest),
    cacheRead: cached,
    cacheWrite: 0,
  };
}
