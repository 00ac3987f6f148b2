// What the two APIs of the scripted model service look like: the requests that they refuse, and their answers.
import type { IncomingMessage } from 'node:http';

export interface ModelRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Null for a request without one. */
  readonly body: ModelBody | null;
  /** The same as text, to look for what must not be in it. */
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
export type ModelBody = any;

/** One answer. Without any field: an empty reply. */
export interface ScriptedAnswer {
  readonly text?: string;
  /** Default: the end of the reply, or the limit of tokens if the text is longer. */
  readonly stopReason?: string;
  /** Default: counted from the texts, with the prefixes that are cached. Null: none is sent. */
  readonly usage?: Tokens | null;
  readonly model?: string;
  /** Before the answer, ms. */
  readonly delayMs?: number;
  /** An error. `type` and `message` are those of its body. */
  readonly status?: number;
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, in place of a reply or of an error's body. */
  readonly raw?: string;
  /** The connection is cut instead of an answer, or in the middle of its body. */
  readonly cut?: 'before' | 'within';
  /** There is never an answer, or never the end of its body. */
  readonly hangs?: 'before' | 'within';
}

/** `input` is what was neither read from the cache nor written to it. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface Protocol {
  handles(path: string): boolean;
  /** What the service refuses before it asks the model. */
  refusalOf(request: ModelRequestSeen, key: string | null, isBatch: boolean): ScriptedAnswer | null;
  /** Of an answer or an error. */
  body(answer: ScriptedAnswer, request: ModelBody): string;
}

const CHARS_A_TOKEN = 3;
/** Of Haiku 5.5. A shorter prefix is not cached. */
const CACHED_MIN = 512;
let count = 0;
const newId = (prefix: string) => `${prefix}_${String(++count).padStart(6, '0')}`;
const tokensOf = (text: string) => Math.ceil(text.length / CHARS_A_TOKEN);

export function MESSAGES(): Protocol {
  const cached = new Set<string>();
  return {
    handles: (path) => path.endsWith('/v1/messages'),
    refusalOf: (request, key, isBatch) => {
      const { authorization } = request.headers;
      if (key !== null && authorization !== `Bearer ${key}`)
        return {
          status: 401,
          type: 'authentication_error',
          message: `invalid bearer token ${authorization}`,
        };
      if (request.headers['anthropic-version'] !== '2026-10-21')
        return invalid('anthropic-version: this server speaks 2026-10-21');
      if (request.body === null) return null;
      const all: ModelBody[] = isBatch ? [] : [request.body];
      const problem = all.map(problemOf).find((one) => one !== null);
      return problem == null ? null : invalid(problem);
    },
    body: (answer, request) => {
      if (answer.status !== undefined) {
        const { type = 'api_error', message = 'scripted' } = answer;
        return JSON.stringify({ type: 'error', error: { type, message }, request_id: newId('req') });
      }
      const { text, isCut } = cutAt(answer.text ?? '', request.max_tokens);
      const usage = answer.usage === undefined ? counted(request, text, cached) : answer.usage;
      return JSON.stringify({
        id: newId('msg'),
        type: 'message',
        role: 'assistant',
        model: answer.model ?? request.model,
        content: text === '' ? [] : [{ type: 'text', text }],
        stop_reason: answer.stopReason ?? (isCut ? 'max_tokens' : 'end_turn'),
        stop_sequence: null,
        ...(usage === null ? {} : { usage: usageOf(usage) }),
      });
    },
  };
}

function invalid(message: string): ScriptedAnswer {
  return { status: 400, type: 'invalid_request_error', message };
}

function problemOf(body: ModelBody): string | null {
  for (const name of ['temperature', 'top_p', 'top_k'])
    if (name in body) return `${name}: Extra inputs are not permitted`;
  if (typeof body.model !== 'string' || !Number.isInteger(body.max_tokens))
    return 'model, max_tokens: required';
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return 'messages: at least one is required';
  if (body.messages.some(({ content }: ModelBody) => content === ''))
    return 'messages: text must not be empty';
  const alwaysThinks = /opus-5-5|fable-5-1/.test(body.model);
  if (alwaysThinks && body.thinking?.type === 'disabled')
    return 'thinking: cannot be disabled for this model';
  return null;
}

function cutAt(text: string, maxTokens: number) {
  const chars = maxTokens * CHARS_A_TOKEN;
  return text.length > chars ? { text: text.slice(0, chars), isCut: true } : { text, isCut: false };
}

function counted(request: ModelBody, reply: string, cached: Set<string>): Tokens {
  const blocks: ModelBody[] = Array.isArray(request.system) ? request.system : [];
  const prefix = blocks.some((block) => block.cache_control) ? blocks.map(({ text }) => text).join('') : '';
  const all = JSON.stringify(request.messages) + blocks.map(({ text }) => text).join('');
  const [length, output] = [tokensOf(prefix), tokensOf(reply)];
  if (length < CACHED_MIN) return { input: tokensOf(all), output };
  const key = `${request.model} ${prefix}`;
  const isCached = cached.has(key);
  cached.add(key);
  const input = tokensOf(all) - length;
  return isCached ? { input, output, cacheRead: length } : { input, output, cacheWrite: length };
}

function usageOf({ input, output, cacheRead = 0, cacheWrite = 0 }: Tokens) {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    service_tier: 'standard',
  };
}

export function CHAT(): Protocol {
  return {
    handles: (path) => path.endsWith('/chat/completions'),
    refusalOf: ({ headers, body }, key) => {
      if (key !== null && headers.authorization !== `Bearer ${key}`)
        return {
          status: 401,
          type: 'invalid_api_key',
          message: `Incorrect API key: ${headers.authorization}`,
        };
      if (!Array.isArray(body?.messages)) return invalid('messages: required');
      return null;
    },
    body: (answer, request) => {
      if (answer.status !== undefined) {
        const { type = 'server_error', message = 'scripted' } = answer;
        return JSON.stringify({ error: { message, type, code: type } });
      }
      const { text, isCut } = cutAt(answer.text ?? '', request.max_tokens ?? request.max_completion_tokens);
      const prompt = tokensOf(JSON.stringify(request.messages));
      const { usage = { input: prompt, output: tokensOf(text) } } = answer;
      return JSON.stringify({
        id: newId('chatcmpl'),
        object: 'chat.completion',
        created: 1_795_000_000,
        model: answer.model ?? request.model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: text },
            finish_reason: answer.stopReason ?? (isCut ? 'length' : 'stop'),
          },
        ],
        ...(usage === null ? {} : { usage: chatUsage(usage) }),
      });
    },
  };
}

function chatUsage({ input, output, cacheRead = 0 }: Tokens) {
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    ...(cacheRead === 0 ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }),
  };
}
