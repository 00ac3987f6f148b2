import { describe, expect, it } from 'vitest';
import { accountProblemIn } from '../../../src/observer/providers/failures.ts';
import { chatUrl, openOpenAi } from '../../../src/observer/providers/openai-compatible.ts';
import { type ModelServer, modelServer, type ScriptedAnswer, SERVER_KEY } from '../model-server.ts';
import { failureOfCall, NEVER, request } from './requests.ts';

function providerOf(server: ModelServer, more: { key?: string | null; timeoutMs?: number } = {}) {
  const url = chatUrl(`${server.url}/v1`);
  return openOpenAi({ model: 'qwen3', url, key: SERVER_KEY, timeoutMs: 5_000, ...more });
}

describe('The address of a chat service', () => {
  it.each([
    ['', 'https://openrouter.ai/api/v1/chat/completions'],
    ['https://h', 'https://h/chat/completions'],
    [' http://h:1/v1// ', 'http://h:1/v1/chat/completions'],
    ['https://h/v1/chat/completions', 'https://h/v1/chat/completions'],
    ['https://h/v1/Chat/Completions/', 'https://h/v1/Chat/Completions'],
  ])('for %j is %s', (given, expected) => {
    expect(chatUrl(given)).toBe(expected);
  });
});

describe('A chat service', () => {
  it('is asked for JSON of the schema, and its cached tokens count as read from the cache', async () => {
    const usage = { input: 30, output: 7, cacheRead: 20 };
    const server = await modelServer([{ text: '{"title":"A"}', usage }]);
    expect(await providerOf(server).ask(request(), NEVER)).toEqual({
      text: '{"title":"A"}',
      form: 'schema',
      stopReason: 'stop',
      usage: { ...usage, cacheWrite: 0 },
      model: 'qwen3',
    });
    const [{ path, body }] = server.requests as [ModelServer['requests'][0]];
    expect(path).toBe('/v1/chat/completions');
    expect(body).toEqual({
      model: 'qwen3',
      messages: [
        { role: 'system', content: 'Describe the turn.' },
        { role: 'user', content: request().content },
      ],
      max_tokens: 500,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'observations', strict: true, schema: request().schema },
      },
    });
  });

  it('reads a text that several requests share after the instructions', async () => {
    const server = await modelServer();
    await providerOf(server).ask(request({ shared: 'What they have in common.' }), NEVER);
    expect(server.requests[0]!.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Describe the turn.\n\nWhat they have in common.' },
        { role: 'user', content: request().content },
      ],
    });
  });

  it('needs no key', async () => {
    const server = await modelServer();
    server.key = null;
    await providerOf(server, { key: null }).ask(request(), NEVER);
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
  });

  it('that refuses the schema, or the name of the limit, is asked without it from then on', async () => {
    const server = await modelServer([
      { status: 400, message: 'response_format is not supported' },
      { status: 400, message: "Use 'max_completion_tokens' instead of 'max_tokens'." },
    ]);
    const provider = providerOf(server);
    expect((await provider.ask(request(), NEVER)).form).toBe('tags');
    await provider.ask(request(), NEVER);
    expect(server.requests.map(({ body }) => Object.keys(body).slice(2))).toEqual([
      ['max_tokens', 'response_format'],
      ['max_tokens'],
      ['max_completion_tokens'],
      ['max_completion_tokens'],
    ]);
  });

  it.each<[ScriptedAnswer, object]>([
    [{ text: '<skip_summary/>' }, { form: 'tags' }],
    [{ text: 'x'.repeat(3_000) }, { stopReason: 'length' }],
    [
      { raw: '{"choices":[{"message":{"content":null,"refusal":"no"}}]}' },
      { text: '', stopReason: 'refusal' },
    ],
    [{ raw: '{"choices":[{"message":{"content":"a"}}]}' }, { usage: null, model: 'qwen3' }],
    [
      {
        raw: '{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":90}}',
      },
      { usage: { input: 3, output: 87, cacheRead: 0, cacheWrite: 0 } },
    ],
  ])('gives a reply as it came: %#', async (answer, expected) => {
    const server = await modelServer([answer]);
    expect(await providerOf(server).ask(request(), NEVER)).toMatchObject(expected);
  });

  it.each<[ScriptedAnswer, string]>([
    [{ status: 401, message: `Incorrect API key: ${SERVER_KEY}` }, 'auth'],
    [{ status: 400, message: 'API key not valid. Please pass a valid API key.' }, 'auth'],
    [{ status: 400, message: 'qwen3 is not a valid model ID' }, 'auth'],
    [{ status: 404, message: 'model "qwen3" not found, try pulling it first' }, 'auth'],
    [{ status: 308 }, 'auth'],
    [{ status: 402, message: 'Insufficient credits' }, 'quota'],
    [{ status: 429, type: 'insufficient_quota', message: 'You exceeded your current quota' }, 'quota'],
    [{ status: 403, message: 'Quota exceeded' }, 'quota'],
    [
      { status: 429, message: 'Quota exceeded for requests per minute', headers: { 'retry-after': '3' } },
      'rate-limit',
    ],
    [{ status: 429 }, 'rate-limit'],
    [{ status: 503 }, 'transient'],
    [{ status: 200, raw: '{"error":{"code":429,"message":"Rate limited"}}' }, 'rate-limit'],
    [{ status: 200, raw: '{"choices":[{"error":{"code":502,"message":"upstream"}}]}' }, 'transient'],
    [{ raw: 'not JSON' }, 'transient'],
    [{ cut: 'before' }, 'transient'],
    [{ text: 'Claude usage limit reached. Your weekly limit will reset on Monday.' }, 'quota'],
    [{ text: 'Invalid API key · Please run /login' }, 'auth'],
    [{ status: 400, message: 'the-content-of-the-turn' }, 'unrecoverable'],
    [{ status: 418, message: 'the-content-of-the-turn' }, 'unrecoverable'],
  ])('fails with %j: %s', async (answer, kind) => {
    const server = await modelServer([answer]);
    const failure = await failureOfCall(providerOf(server).ask(request(), NEVER), SERVER_KEY);
    expect(failure.class).toBe(kind);
    expect(failure.retryAfterMs).toBe(answer.headers === undefined ? null : 3_000);
  });

  it('that says in the body when to come back has a limit for a while, not an empty account', async () => {
    const raw =
      '[{"error":{"code":429,"message":"You exceeded your current quota","details":[{"retryDelay":"3.2s"}]}}]';
    const server = await modelServer([{ status: 429, raw }]);
    const failure = await failureOfCall(providerOf(server).ask(request(), NEVER));
    expect(failure).toMatchObject({ class: 'rate-limit', retryAfterMs: 3_200 });
  });

  it('that hangs is late, and is left when the provider is closed', async () => {
    const server = await modelServer([{ hangs: 'within', text: 'long' }, { hangs: 'before' }]);
    const failure = await failureOfCall(providerOf(server, { timeoutMs: 40 }).ask(request(), NEVER));
    expect(failure).toMatchObject({ class: 'transient', mayCost: true });
    const provider = providerOf(server);
    const asked = failureOfCall(provider.ask(request(), NEVER));
    await provider.close();
    expect((await asked).class).toBe('transient');
  });
});

describe('A text in place of a reply', () => {
  it.each([
    ['Claude usage limit reached. Your weekly limit will reset on Monday.', 'quota'],
    ['Your subscription quota is exhausted, try again tomorrow.', 'quota'],
    ["You've hit your session limit · resets 3pm", 'quota'],
    ['Credit balance is too low', 'quota'],
    ['The context window usage limit reached its end', null],
    ['usage limit reached: no observations', null],
    ['Failed to authenticate. API Error: 401', 'auth'],
    ['Authentication failed', 'auth'],
    ['Authentication required. Please use /login', 'auth'],
    ['API Error: 401 Unauthorized', 'auth'],
    ['403 Forbidden', 'auth'],
    ['Status: 401', 'auth'],
    ['Request failed with 403', 'auth'],
    ['Please run /login to authenticate again', 'auth'],
    ['Internal error 500', null],
    ['The guide says that users are running /login once.', null],
    ['<observation><title>401 Unauthorized</title></observation>', null],
    ['{"observations":[{"title":"Status: 401"}]}', null],
    ['<answer>It answers 401 Unauthorized when the token is wrong [o-6qcz54yk4kxq].</answer>', null],
    ['<no_answer/> The passages name no quota exceeded.', null],
    [`${'The request to the shop failed. '.repeat(20)} 401 Unauthorized`, null],
    ['', null],
  ])('%j is about the account: %s', (text, expected) => {
    expect(accountProblemIn(text)).toBe(expected);
  });
});
