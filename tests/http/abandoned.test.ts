// A client that goes away before it has its answer: the call stops, and nothing is reported as a failure.
import { expect, test } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { served, TOKEN } from './served.ts';

test('a search stops when its client has gone, and the next one is answered', async () => {
  const folder = await temporaryFolder();
  const library = await openAnnals({ home: folder.path });
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const outcomes: Promise<string>[] = [];
  const signals: AbortSignal[] = [];
  const annals = {
    ...library,
    search: (async (query, options = {}) => {
      signals.push(options.signal!);
      await gate;
      const answer = library.search(query, options);
      outcomes.push(
        answer.then(
          () => 'answered',
          (error: Error) => error.name,
        ),
      );
      return answer;
    }) as typeof library.search,
  };
  const server = await served({ annals });
  try {
    const client = new AbortController();
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = fetch(`${server.base}/api/search?q=chute`, { headers, signal: client.signal });
    await expect.poll(() => signals.length).toBe(1);
    client.abort();
    await asked.catch(() => {});
    await expect.poll(() => signals[0]!.aborted).toBe(true);
    open();
    expect((await server.call('GET', '/api/search?q=chute')).status).toBe(200);
    expect(await Promise.all(outcomes)).toEqual(['AbortError', 'answered']);
    expect(server.errors).toEqual([]);
  } finally {
    await server.close();
    await library.close();
    await folder.remove();
  }
});
