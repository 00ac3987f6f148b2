import { describe, expect, it } from 'vitest';
import { type AnthropicOptions, openAnthropic } from '../../../src/observer/providers/anthropic.ts';
import { ProviderFailure } from '../../../src/observer/providers/provider.ts';
import {
  type ModelServer,
  modelServer,
  type ScriptedAnswer,
  SERVER_KEY,
  startModelServer,
} from '../model-server.ts';
import { failureOfCall, NEVER, request } from './requests.ts';

function providerOf(server: ModelServer, more: Partial<AnthropicOptions> = {}) {
  return openAnthropic({
    model: 'claude-haiku-5-5',
    credential: { apiKey: SERVER_KEY },
    url: server.url,
    timeoutMs: 5_000,
    ...more,
  });
}

async function failing(answer: ScriptedAnswer) {
  const server = await modelServer([answer]);
  const failure = await failureOfCall(providerOf(server).ask(request(), NEVER), SERVER_KEY);
  expect(server.requests).toHaveLength(1);
  return failure;
}

describe('The Messages API', () => {
  it('is asked for JSON of the schema, without thinking, with cached instructions', async () => {
    const server = await modelServer([{ text: '{"title":"A"}', usage: { input: 30, output: 7 } }]);
    const reply = await providerOf(server).ask(request(), NEVER);
    expect(reply).toEqual({
      text: '{"title":"A"}',
      form: 'schema',
      stopReason: 'end_turn',
      usage: { input: 30, output: 7, cacheRead: 0, cacheWrite: 0 },
      model: 'claude-haiku-5-5',
    });
    expect(server.requests[0]!.body).toEqual({
      model: 'claude-haiku-5-5',
      max_tokens: 500,
      system: [{ type: 'text', text: 'Describe the turn.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
      messages: [{ role: 'user', content: request().content }],
      thinking: { type: 'disabled' },
      output_config: { format: { type: 'json_schema', schema: request().schema } },
    });
  });

  it('reads the instructions from its cache the second time', async () => {
    const server = await modelServer();
    const provider = providerOf(server);
    const long = request({ instructions: 'Describe the turn. '.repeat(100) });
    const [first, second] = [await provider.ask(long, NEVER), await provider.ask(long, NEVER)];
    expect(first.usage).toMatchObject({ cacheRead: 0, cacheWrite: 680 });
    expect(second.usage).toMatchObject({ cacheRead: 680, cacheWrite: 0 });
  });

  it('lets models that always think do so with low effort', async () => {
    const server = await modelServer();
    await providerOf(server, { model: 'claude-opus-5-5' }).ask(request(), NEVER);
    const { thinking, output_config } = server.requests[0]!.body;
    expect([thinking, output_config.effort]).toEqual([undefined, 'low']);
  });

  it('sends an unknown model only what every server takes', async () => {
    const server = await modelServer([{ text: '<skip_summary/>' }]);
    const { form } = await providerOf(server, { model: 'local' }).ask(request(), NEVER);
    expect(Object.keys(server.requests[0]!.body)).toEqual(['model', 'max_tokens', 'system', 'messages']);
    expect(form).toBe('tags');
  });

  it('leaves out a field that a gateway refuses, and remembers it', async () => {
    const refusal = { status: 400, message: 'output_config.format: Extra inputs are not permitted' };
    const server = await modelServer([refusal, { text: '<skip_summary/>' }, { text: '{}' }]);
    const provider = providerOf(server);
    expect((await provider.ask(request(), NEVER)).form).toBe('tags');
    expect((await provider.ask(request(), NEVER)).form).toBe('tags');
    expect(server.requests.map(({ body }) => body.output_config !== undefined)).toEqual([true, false, false]);
  });

  it('is reached by a gateway with a path and a token', async () => {
    const server = await modelServer();
    const provider = openAnthropic({
      model: 'claude-haiku-5-5',
      credential: { authToken: SERVER_KEY },
      url: `${server.url}/gateway/`,
    });
    await provider.ask(request(), NEVER);
    expect(server.requests[0]!.path).toBe('/gateway/v1/messages');
    expect(provider.place).toBe(new URL(server.url).host);
  });

  it.each([
    [
      { text: '', stopReason: 'refusal' },
      { text: '', stopReason: 'refusal', form: 'tags' },
    ],
    [{ text: `{"title":"${'x'.repeat(3_000)}"}` }, { stopReason: 'max_tokens', form: 'schema' }],
    [
      { text: 'a', usage: null },
      { usage: null, form: 'tags' },
    ],
    // Less than nothing would make room in the budget.
    [{ text: 'a', usage: { input: -1_000_000, output: 1 } }, { usage: null }],
    [{ text: 'a', model: 'claude-haiku-5-5-20261007' }, { model: 'claude-haiku-5-5-20261007' }],
  ])('gives a reply as it came: %#', async (answer, expected) => {
    const server = await modelServer([answer]);
    expect(await providerOf(server).ask(request(), NEVER)).toMatchObject(expected);
  });
});

describe('A failure of the Messages API', () => {
  it.each([
    [401, 'authentication_error', `invalid key ${SERVER_KEY}`, 'auth'],
    [403, 'permission_error', 'no', 'auth'],
    [404, 'not_found_error', 'model: claude-haiku-5-5', 'auth'],
    [307, 'moved', '', 'auth'],
    [402, 'billing_error', 'pay', 'quota'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the API.', 'quota'],
    [400, 'invalid_request_error', 'You have reached your specified API usage limits.', 'quota'],
    [429, 'rate_limit_error', 'slow down', 'rate-limit'],
    [408, 'timeout_error', '', 'transient'],
    [409, 'conflict_error', '', 'transient'],
    [500, 'api_error', '', 'transient'],
    [529, 'overloaded_error', '', 'transient'],
    [400, 'invalid_request_error', 'messages: bad', 'unrecoverable'],
    [413, 'request_too_large', '', 'unrecoverable'],
    [422, 'invalid_request_error', '', 'unrecoverable'],
  ])('with status %i, %s, "%s" is of the class %s', async (status, type, message, kind) => {
    const failure = await failing({ status, type, message: `${message} the-content-of-the-turn` });
    expect(failure.class).toBe(kind);
    expect(failure.message).toContain(`status ${status}`);
    expect(failure.mayCost).toBe(status === 408 || status === 500);
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ date: 'Sun, 22 Nov 2026 04:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2026 04:00:20 GMT' }, 20_000],
    [{ 'retry-after': '1e300' }, 24 * 60 * 60_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('says when to ask again: %j', async (headers, expected) => {
    expect((await failing({ status: 429, headers })).retryAfterMs).toBe(expected);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['a cut connection', { cut: 'before' }, 'ended before the answer'],
    ['a cut answer', { cut: 'within', text: 'x'.repeat(1_000) }, 'ended before the answer'],
    ['a page', { raw: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }, 'no reply'],
    ['broken JSON', { raw: '{"id":' }, 'no reply'],
    ['other JSON', { raw: '{"ok":true}' }, 'no reply'],
  ])('is transient and may cost something: %s', async (_, answer, message) => {
    const failure = await failing(answer);
    expect(failure).toMatchObject({ class: 'transient', mayCost: true });
    expect(failure.message).toContain(message);
  });

  it.each<[string, ScriptedAnswer]>([
    ['answer', { hangs: 'before' }],
    ['end of the answer', { hangs: 'within', text: 'x'.repeat(1_000) }],
  ])('is transient when the %s does not come in time', async (_, answer) => {
    const provider = providerOf(await modelServer([answer]), { timeoutMs: 40 });
    const failure = await failureOfCall(provider.ask(request(), NEVER));
    expect(failure).toMatchObject({ class: 'transient', mayCost: true });
    expect(failure.message).toContain('no answer within 0.04 s');
  });

  it('is transient when the answer has no end', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(100_000) }];
    const server = await modelServer([{ raw: JSON.stringify({ type: 'message', content }) }]);
    const failure = await failureOfCall(providerOf(server, { answerBytesMax: 50_000 }).ask(request(), NEVER));
    expect(failure).toMatchObject({ class: 'transient', mayCost: true });
    expect(failure.message).toContain('no reply');
  });

  it('costs nothing when the service cannot be reached', async () => {
    const server = await startModelServer();
    await server.close();
    const failure = await failureOfCall(providerOf(server).ask(request(), NEVER));
    expect(failure).toMatchObject({ class: 'transient', mayCost: false });
  });
});

describe('A request to the Messages API', () => {
  it('is not sent when it was aborted before', async () => {
    const server = await modelServer();
    const asked = providerOf(server).ask(request(), AbortSignal.abort(new Error('stopped')));
    await expect(asked).rejects.toThrow('stopped');
    expect(server.requests).toEqual([]);
  });

  it('ends when it is aborted, or when the provider is closed', async () => {
    const server = await modelServer([{ hangs: 'before' }, { hangs: 'before' }]);
    const provider = providerOf(server);
    const control = new AbortController();
    const asked = provider.ask(request(), control.signal);
    control.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    const other = failureOfCall(provider.ask(request(), NEVER));
    await provider.close();
    expect((await other).class).toBe('transient');
  });
});

describe('A batch', () => {
  const two = new Map([
    ['turn-1', request()],
    ['turn-2', request({ content: 'other' })],
  ]);

  it('gives null until it is finished, then a reply or a failure for each name', async () => {
    const server = await modelServer();
    server.answer = ({ body }) =>
      body.messages[0].content === 'other'
        ? { status: 529, type: 'overloaded_error' }
        : { text: '{"title":"A"}', usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } };
    const { batches } = providerOf(server);
    const id = await batches!.send(two, NEVER);
    expect(server.requests[0]!.body.requests[0]).toMatchObject({
      custom_id: 'turn-1',
      params: { system: [{ cache_control: { ttl: '1h' } }] },
    });
    expect(await batches!.results(id, NEVER)).toBeNull();
    server.endBatches('finished');
    // Another process may read the results.
    const results = await providerOf(server).batches!.results(id, NEVER);
    expect([...results!.keys()].sort()).toEqual(['turn-1', 'turn-2']);
    expect(results!.get('turn-1')).toMatchObject({
      form: 'schema',
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    });
    expect(results!.get('turn-2')).toMatchObject({ class: 'transient' });
  });

  it('all of whose requests have a field that is refused is sent again without it', async () => {
    const server = await modelServer();
    server.answer = () => ({
      ...{ status: 400, type: 'invalid_request_error', message: 'output_config.format: not supported' },
    });
    const { batches } = providerOf(server);
    const id = await batches!.send(two, NEVER);
    server.endBatches('finished');
    const results = await batches!.results(id, NEVER);
    expect([...results!.values()].map((one) => (one as ProviderFailure).class)).toEqual([
      'transient',
      'transient',
    ]);
    await batches!.send(two, NEVER);
    expect(server.requests.at(-1)!.body.requests[1].params.output_config).toBeUndefined();
  });

  it('can be cancelled', async () => {
    const server = await modelServer();
    const { batches } = providerOf(server);
    const id = await batches!.send(two, NEVER);
    await batches!.cancel(id, NEVER);
    server.endBatches('finished');
    const results = await batches!.results(id, NEVER);
    const [first] = results!.values();
    expect(first).toBeInstanceOf(ProviderFailure);
    expect(first).toMatchObject({ class: 'transient', mayCost: false });
  });

  it('that the service forgot is unrecoverable', async () => {
    const { batches } = providerOf(await modelServer());
    const failure = await failureOfCall(batches!.results('msgbatch_9', NEVER));
    expect(failure).toMatchObject({ class: 'unrecoverable', mayCost: true });
  });

  it('is refused as a whole for a wrong key', async () => {
    const server = await modelServer();
    server.key = 'another';
    expect((await failureOfCall(providerOf(server).batches!.send(two, NEVER))).class).toBe('auth');
  });
});
