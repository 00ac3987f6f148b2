// What the two APIs of the scripted model service look like: the requests that they refuse, and their answers.
import { PromptCache, tokensOf } from './model-server-cache.ts';
import { chatEvents, messageEvents } from './model-server-streams.ts';
import type { ModelBody, Protocol, ScriptedAnswer, Tokens } from './model-server-types.ts';

let count = 0;
const newId = (prefix: string) => `${prefix}_${String(++count).padStart(6, '0')}`;

/** @param now for the lifetime of what is cached, Unix ms */
export function MESSAGES(now: () => number): Protocol {
  const cache = new PromptCache(now);
  return {
    handles: (path) => path.endsWith('/v1/messages'),
    events: messageEvents,
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
      if (request.text.length > REQUEST_BYTES_MAX)
        return { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' };
      const problem = isBatch ? batchProblemOf(request.body) : problemOf(request.body);
      return problem === null ? null : invalid(problem);
    },
    body: (answer, request) => {
      if (answer.status !== undefined) {
        const { type = 'api_error', message = 'scripted' } = answer;
        return JSON.stringify({ type: 'error', error: { type, message }, request_id: newId('req') });
      }
      const { text, isCut } = cutAt(answer.text ?? '', request.max_tokens);
      const usage = answer.usage === undefined ? cache.count(request, text) : answer.usage;
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

const REQUEST_BYTES_MAX = 32 * 1024 * 1024;
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** What is wrong with the requests themselves comes later, with the results. */
function batchProblemOf({ requests }: ModelBody): string | null {
  const names: unknown[] = requests?.map?.(({ custom_id }: ModelBody) => custom_id) ?? [];
  if (names.length === 0) return 'requests: at least one is required';
  if (names.some((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(String(name)))) return 'custom_id: not allowed';
  return new Set(names).size < names.length ? 'custom_id: each one once' : null;
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
  // A long reply that is not streamed could take more than ten minutes.
  if (body.max_tokens < 1 || (body.max_tokens > 21_333 && body.stream !== true))
    return 'max_tokens: too many';
  if (body.messages[0].role !== 'user') return 'messages: the first one must be of the user';
  if (body.system?.some?.(({ text }: ModelBody) => text === '')) return 'system: text must not be empty';
  const { effort = 'low', format } = body.output_config ?? {};
  if (!EFFORTS.includes(effort)) return 'output_config.effort: not one of these';
  if (format !== undefined && !isStrict(format.schema)) return 'output_config.format: additionalProperties';
  return null;
}

/** Services take only schemas whose objects name every field and allow no other. */
function isStrict(schema: ModelBody): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  if (type === 'object' && (additionalProperties !== false || names.some((name) => !required.includes(name))))
    return false;
  return Object.values(schema).every(isStrict);
}

function cutAt(text: string, maxTokens: number) {
  const chars = Math.floor((text.length * maxTokens) / tokensOf(text));
  return text.length > chars ? { text: text.slice(0, chars), isCut: true } : { text, isCut: false };
}

function usageOf({ input, output, cacheRead = 0, cacheWrite = 0 }: Tokens) {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    server_tool_use: null,
    service_tier: 'standard',
  };
}

export function CHAT(): Protocol {
  return {
    handles: (path) => path.endsWith('/chat/completions'),
    events: chatEvents,
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
