// The scripted service itself, seen by the SDK: it must behave as the real one does, or the other tests show nothing.
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { type ModelServer, modelServer, SERVER_KEY } from './model-server.ts';

const TEXT = 'A reply of several pieces, with 🐦 and "quotes".\n'.repeat(4);
const clientOf = ({ url }: ModelServer) => new Anthropic({ apiKey: SERVER_KEY, baseURL: url, maxRetries: 0 });
const params = (more: object = {}) => ({
  ...{ model: 'claude-haiku-5-5', max_tokens: 500, messages: [{ role: 'user' as const, content: 'turn' }] },
  ...more,
});

describe('a streamed reply', () => {
  test('is the same as a whole one', async () => {
    const server = await modelServer();
    server.answer = () => ({ text: TEXT, stopReason: 'refusal' });
    const client = clientOf(server);
    const whole = await client.messages.create(params());
    const streamed = await client.messages.stream(params()).finalMessage();
    expect(whole).toMatchObject({ content: [{ type: 'text', text: TEXT }], stop_reason: 'refusal' });
    expect({ ...streamed, id: '' }).toEqual({ ...whole, id: '', parsed_output: null });
  });

  test.each(['cut', 'hangs'] as const)('that is %s within fails', async (how) => {
    const server = await modelServer([{ text: TEXT, [how]: 'within' }]);
    const stream = clientOf(server).messages.stream(params(), { signal: AbortSignal.timeout(100) });
    await expect(stream.finalMessage()).rejects.toThrow();
  });

  test('of the chat API has the same text and usage', async () => {
    const server = await modelServer();
    server.answer = () => ({ text: TEXT });
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SERVER_KEY}` },
      body: JSON.stringify(params({ stream: true })),
    });
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    expect(lines.pop()).toBe('data: [DONE]');
    const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)));
    expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(TEXT);
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 12 },
    });
  });
});

describe('the prompt cache', () => {
  const cached = (chars: number, ttl: '5m' | '1h' = '5m') =>
    params({
      system: [{ type: 'text', text: 'x'.repeat(chars), cache_control: { type: 'ephemeral', ttl } }],
    });
  const MINUTE = 60_000;

  test.each([
    ['claude-haiku-5-5', 512],
    ['claude-sonnet-5-5', 1_024],
    ['claude-haiku-4-5', 4_096],
  ])('of %s holds prefixes from %i tokens on', async (model, least) => {
    const client = clientOf(await modelServer());
    const read = async (chars: number) => {
      for (const _ of [1, 2]) await client.messages.create({ ...cached(chars), model });
      return (await client.messages.create({ ...cached(chars), model })).usage.cache_read_input_tokens;
    };
    expect(await read(3 * least)).toBeGreaterThanOrEqual(least);
    expect(await read(3 * least - 20)).toBe(0);
  });

  test.each([
    ['5m', 4, 'read'],
    ['5m', 6, 'written'],
    ['1h', 59, 'read'],
    ['1h', 61, 'written'],
  ] as const)(
    'keeps for %s: after %i minutes it is %s, counted from its last use',
    async (ttl, minutes, how) => {
      const server = await modelServer();
      const client = clientOf(server);
      let time = 0;
      server.now = () => time;
      for (let round = 0; round < 3; round++) {
        const { usage } = await client.messages.create(cached(3_000, ttl));
        const expected = round > 0 && how === 'read' ? 'read' : 'written';
        expect(usage.cache_read_input_tokens! > 0 ? 'read' : 'written').toBe(expected);
        time += minutes * MINUTE;
      }
    },
  );
});

describe('a request that the real service refuses', () => {
  const open = { type: 'object', properties: {}, required: [] };
  test.each<[object, string]>([
    [{ temperature: 0 }, 'temperature'],
    [{ messages: [] }, 'at least one'],
    [{ messages: [{ role: 'assistant', content: 'a' }] }, 'of the user'],
    [{ system: [{ type: 'text', text: '' }] }, 'system'],
    [{ output_config: { effort: 'least' } }, 'effort'],
    [{ output_config: { format: { type: 'json_schema', schema: open } } }, 'additionalProperties'],
    [{ model: 'claude-opus-5-5', thinking: { type: 'disabled' } }, 'thinking'],
  ])('is refused: %j', async (more, message) => {
    const asked = clientOf(await modelServer()).messages.create(params(more));
    await expect(asked).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
    await expect(asked).rejects.toThrow(message);
  });
});
