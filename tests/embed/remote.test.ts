import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AnnalsError } from '../../log/index.ts';
import type { Model } from '../../src/embed/embedders/model.ts';
import { openRemote, type RemoteOptions } from '../../src/embed/embedders/remote-embedder.ts';
import { type EmbeddingService, embeddingService, reply, status } from '../helpers/embedding-service.ts';

const KEY = 'sk-never-to-be-seen-0123456789';

function modelOf(service: EmbeddingService, options: Partial<RemoteOptions> = {}) {
  const waits: number[] = [];
  const model: Model = openRemote({
    url: service.url,
    model: 'hashes',
    key: () => KEY,
    keyVariable: 'OUR_KEY',
    inputTypes: false,
    wait: async (ms) => void waits.push(ms),
    timeoutMs: { document: 100_000, query: 100_000 },
    ...options,
  });
  return { model, waits };
}

async function failure(work: Promise<unknown>): Promise<AnnalsError> {
  return work.then(
    () => {
      throw new Error('It answered.');
    },
    (error: AnnalsError) => error,
  );
}

describe('A remote embedder', () => {
  it('returns a vector of length 1 for each text, in the order of the texts', async () => {
    const service = await embeddingService();
    const { model } = modelOf(service);
    const { vectors, tokens } = await model.embed(['one cat', 'two dogs', 'one cat'], 'document');
    expect(vectors.map(({ length }) => length)).toEqual([32, 32, 32]);
    expect(Math.hypot(...vectors[0]!)).toBeCloseTo(1, 5);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[0]).not.toEqual(vectors[1]);
    expect(tokens).toBe(7);
    expect(service.keys).toEqual([`Bearer ${KEY}`]);
  });

  it('sends the input type if the settings say so', async () => {
    const service = await embeddingService();
    const { model } = modelOf(service, { inputTypes: true });
    await model.embed(['a'], 'document');
    await model.embed(['a'], 'query');
    await modelOf(service).model.embed(['a'], 'query');
    expect(service.requests.map((request) => request.input_type)).toEqual(['document', 'query', undefined]);
  });

  it('waits as long as the service asks, and longer each time, before it retries', async () => {
    const service = await embeddingService();
    const answers = [
      (response: ServerResponse) => status(response, 429, { 'retry-after': '7' }),
      (response: ServerResponse) => status(response, 503),
      (response: ServerResponse) =>
        status(response, 429, {
          date: 'Sun, 22 Nov 2026 04:00:00 GMT',
          'retry-after': 'Sun, 22 Nov 2026 04:00:20 GMT',
        }),
    ];
    service.misbehave = (_, response) => answers.shift()?.(response) ?? false;
    const { model, waits } = modelOf(service);
    expect((await model.embed(['a'], 'document')).vectors).toHaveLength(1);
    expect(waits).toEqual([7_000, 1_000, 20_000]);
  });

  it('gives up after five attempts, and at once if asked to wait for an hour', async () => {
    const service = await embeddingService();
    service.misbehave = (_, response) => status(response, 500);
    const { model, waits } = modelOf(service);
    expect((await failure(model.embed(['a'], 'document'))).message).toContain('status 500');
    expect(service.requests).toHaveLength(5);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
    service.misbehave = (_, response) => status(response, 429, { 'retry-after': '3600' });
    expect((await failure(model.embed(['a'], 'document'))).code).toBe('EMBEDDER_FAILED');
    expect(service.requests).toHaveLength(6);
  });

  it('makes one attempt for a query, and does not wait long', async () => {
    const service = await embeddingService();
    service.misbehave = () => true;
    const { model, waits } = modelOf(service, { timeoutMs: { document: 100_000, query: 1_000 } });
    expect((await failure(model.embed(['a'], 'query'))).message).toContain('no answer within 1 s');
    expect(service.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('does not retry when the key is rejected, and names its variable but not the key', async () => {
    const service = await embeddingService();
    service.misbehave = (_, response) => {
      response.statusCode = 401;
      response.end(`{"error":"Incorrect API key: ${KEY}"}`);
      return true;
    };
    const error = await failure(modelOf(service).model.embed(['a'], 'document'));
    expect(service.requests).toHaveLength(1);
    expect(error.hint).toContain('OUR_KEY');
    expect(`${JSON.stringify(error)} ${error.stack}`).not.toContain(KEY);
  });

  it('is not called without the key it needs', async () => {
    const service = await embeddingService();
    const { model } = modelOf(service, { key: () => null });
    expect(() => model.embed(['a'], 'document')).toThrow(
      expect.objectContaining({ code: 'EMBEDDER_MISSING' }),
    );
    expect(service.requests).toEqual([]);
  });

  it.each(['sk-“quoted”', 'two words', 'two\nlines'])(
    'does not send %j as a key, nor repeat it',
    async (key) => {
      const service = await embeddingService();
      const { model, waits } = modelOf(service, { key: () => key });
      const error = await failure(Promise.resolve().then(() => model.embed(['a'], 'document')));
      expect(error).toMatchObject({ code: 'EMBEDDER_MISSING', message: expect.stringContaining('OUR_KEY') });
      expect(`${JSON.stringify(error)} ${error.stack}`).not.toContain(key);
      expect([service.requests, waits]).toEqual([[], []]);
    },
  );

  it('reports that the service cannot be reached', async () => {
    const service = await embeddingService();
    const { model } = modelOf(service, { url: 'http://127.0.0.1:9/v1' });
    expect((await failure(model.embed(['a'], 'query'))).message).toMatch(/cannot be reached \(.+\)/);
  });

  it('follows no redirect, so that no other host gets the texts and the key', async () => {
    const [service, other] = [await embeddingService(), await embeddingService()];
    service.misbehave = (_, response) => status(response, 307, { location: `${other.url}/embeddings` });
    const { model, waits } = modelOf(service);
    const { code, message, hint } = await failure(model.embed(['a'], 'document'));
    expect({ code, message, waits }).toMatchObject({ code: 'EMBEDDER_FAILED', waits: [] });
    expect(message).toContain('status 307, a redirect, which is not followed');
    expect(hint).toContain('embedder.url');
    expect(other.requests).toEqual([]);
  });

  const good = [1, 2, 3];
  it.each([
    ['not JSON', (response: ServerResponse) => void response.end('<html>Bad gateway</html>')],
    ['no list of vectors', (response: ServerResponse) => reply(response, { embeddings: [good, good] })],
    [
      'one vector for each text: 1 for 2',
      (response: ServerResponse) => reply(response, { data: [{ index: 0, embedding: good }] }),
    ],
    ['only zeros', (response: ServerResponse) => reply(response, both([0, 0, 0]))],
    ['no numbers', (response: ServerResponse) => reply(response, both([1, null, 3]))],
    ['no numbers', (response: ServerResponse) => reply(response, both(['1', '2', '3']))],
    ['no numbers', (response: ServerResponse) => reply(response, both([]))],
    ['no numbers', (response: ServerResponse) => reply(response, both('AACAPw=='))],
    ['do not all have the same length', (response: ServerResponse) => reply(response, both([1, 2]))],
    ['which vector belongs to which text', (response: ServerResponse) => reply(response, both(good, 0))],
    ['which vector belongs to which text', (response: ServerResponse) => reply(response, both(good, -1))],
  ])('rejects an invalid answer: %s', async (why, answer) => {
    const service = await embeddingService();
    service.misbehave = (_, response) => {
      answer(response);
      return true;
    };
    const error = await failure(modelOf(service).model.embed(['a', 'b'], 'document'));
    expect(error.code).toBe('EMBEDDER_FAILED');
    expect(error.message).toContain(why);
    expect(service.requests).toHaveLength(1);
  });

  function both(second: unknown, index = 1): unknown {
    return {
      data: [
        { index: 0, embedding: good },
        { index, embedding: second },
      ],
    };
  }
});
