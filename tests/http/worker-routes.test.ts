// Forgetting in two steps, settings, stop and restart, streams, ports.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../e2e/homes.ts';
import { readWhole, Script } from '../helpers/transcripts.ts';
import { EVENTS, FROST, replied, SESSION, START } from '../projections/observer/replies.ts';
import { CAPTURE_TOKEN, type Served, served, TOKEN } from './served.ts';

describe('forgetting', () => {
  const plan = async (server: Served, selection: object) =>
    (await server.call('POST', '/api/forget/plan', { body: { selection } })).json;
  const confirm = (server: Served, token: string) =>
    server.call('POST', '/api/forget/confirm', { body: { token } });

  test('shows a plan first, and its token forgets exactly that, once', async () => {
    const server = await served({ filled: true });
    const shown = await plan(server, { query: 'axolotl' });
    expect(shown.plan.events).toBe(1);
    expect((await eventsOf(server.annals, { kind: 'memory' })).length).toBe(1);
    const { status, json } = await confirm(server, shown.token);
    expect([status, json.outcome, json.proof.ok]).toEqual([200, 'forgotten', true]);
    expect((await server.call('GET', '/api/memories')).json.items).toEqual([]);
    expect((await confirm(server, shown.token)).status).toBe(404);
  });

  test('does nothing when it would be something else by now', async () => {
    const server = await served({ filled: true });
    const shown = await plan(server, { query: 'axolotl' });
    await server.annals.save({ title: 'Another', text: 'An axolotl again.' });
    const { status, json } = await confirm(server, shown.token);
    expect([status, json.error.code]).toEqual([409, 'PLAN_CHANGED']);
    expect((await server.call('GET', '/api/memories')).json.items).toHaveLength(2);
    expect((await confirm(server, shown.token)).status).toBe(404);
  });

  test('needs one way to name what goes', async () => {
    const server = await served();
    for (const selection of [{}, { ids: [] }, { query: 'a', session: 'b' }, { query: '' }, { all: true }])
      expect((await server.call('POST', '/api/forget/plan', { body: { selection } })).status).toBe(400);
  });
});

describe('settings', () => {
  test('are written when all of them are right', async () => {
    const server = await served();
    const path = join(server.home, 'config.json');
    const put = (body: object) => server.call('PUT', '/api/settings', { body });
    expect((await put({ indexMemory: 0, exclude: ['~/a'] })).json.error.fields).toEqual([
      { field: 'body.indexMemory', message: expect.any(String) },
    ]);
    expect((await put({ nothing: 1 })).status).toBe(400);
    expect(() => readFileSync(path)).toThrow();
    const { json } = await put({ indexMemory: 64, exclude: ['~/a'] });
    expect(json.changed).toEqual(['exclude', 'indexMemory']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ indexMemory: 64, exclude: ['~/a'] });
    expect((await put({ indexMemory: 64 })).json.changed).toEqual([]);
    expect((await put({ exclude: null })).json.changed).toEqual(['exclude']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ indexMemory: 64 });
    expect((await put({ 'observer.usdPerDay': 'none' })).json.changed).toEqual(['observer.usdPerDay']);
    expect((await put({ indexMemory: 'none' })).status).toBe(400);
    expect((await put({ embedder: 'none', 'http.port': 'none' })).json.changed).toEqual([
      'embedder',
      'http.port',
    ]);
    await put({ embedder: null, 'http.port': null });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ indexMemory: 64, 'observer.usdPerDay': null });
  });

  test('an embedder that is not there is refused, and nothing is written', async () => {
    const server = await served();
    const { status } = await server.call('PUT', '/api/settings', {
      body: { embedder: 'remote', indexMemory: 64 },
    });
    expect(status).toBe(409);
    expect(() => readFileSync(join(server.home, 'config.json'))).toThrow();
  });

  test('a secret that was written into the file by mistake is not shown', async () => {
    const server = await served();
    const key = `sk-ant-api03-${'a'.repeat(93)}AA`;
    writeFileSync(
      join(server.home, 'config.json'),
      JSON.stringify({ 'embedder.model': key, exclude: [key] }),
    );
    const { status, text } = await server.call('GET', '/api/settings');
    expect(status).toBe(200);
    expect(text).not.toContain(key);
    expect(text).toContain('[redacted:');
  });
});

describe('the worker', () => {
  test('stops and restarts after the request was answered', async () => {
    const server = await served();
    expect(await server.call('POST', '/api/stop')).toMatchObject({ status: 202, json: { stopping: true } });
    await expect.poll(() => server.asked).toEqual(['stop']);
    expect(await server.call('POST', '/api/restart')).toMatchObject({
      status: 202,
      json: { restarting: true },
    });
    await expect.poll(() => server.asked).toEqual(['stop', 'restart']);
  });

  test('takes the next port when one is taken', async () => {
    const one = await served();
    const other = await served({ port: one.port });
    expect(other.port).not.toBe(one.port);
    for (const { call } of [one, other]) expect((await call('GET', '/api/health')).json.ok).toBe(true);
  });

  test('answers all of the first requests, which come while it loads what answers them', async () => {
    const { call } = await served();
    const answers = await Promise.all(
      ['/api/health', '/api/status', '/api/health'].map((path) => call('GET', path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]!.json).toEqual(answers[2]!.json);
  });

  test('refuses tokens that could be guessed', async () => {
    await expect(served({ token: 'short' })).rejects.toThrow(TypeError);
    await expect(served({ captureToken: TOKEN })).rejects.toThrow(TypeError);
  });

  test('sends headers that keep answers out of other pages and caches', async () => {
    const server = await served();
    for (const path of ['/api/health', '/api/status', '/nothing']) {
      const { headers } = await server.call('GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('server')).toBeNull();
    }
  });

  test('a brief and notes are of a project that is named, never of the folder of the worker', async () => {
    const { call } = await served({ filled: true });
    for (const path of ['/api/context', '/api/session/start', '/api/notes']) {
      expect([path, (await call('GET', path)).status]).toEqual([path, 400]);
      expect([path, (await call('GET', `${path}?cwd=/home/u/feeder`)).status]).toEqual([path, 200]);
    }
    const note = { act: 'note', text: 'Feed at dusk.' };
    const refused = await call('POST', '/api/acts', { body: note });
    expect([refused.status, refused.json.error.fields]).toEqual([
      400,
      [{ field: 'body', message: expect.stringContaining('cwd') }],
    ]);
    const { status } = await call('POST', '/api/acts', { body: { ...note, project: 'feeder' } });
    expect(status).toBe(200);
  });

  test('a bug is answered without its text, and reported', async () => {
    const inner = await served();
    const server = await served({
      annals: {
        ...inner.annals,
        stats: async () => {
          throw new Error('captured text');
        },
      },
    });
    const { status, text, json } = await server.call('GET', '/api/stats');
    expect([status, json.error.code]).toEqual([500, 'INTERNAL']);
    expect(text).not.toContain('captured text');
    expect(server.errors).toHaveLength(1);
  });
});

interface StreamEvent {
  readonly id: string | null;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of different messages.
  readonly data: any;
}

/** Reads a stream event by event. */
async function streamOf(server: Served, query = '', headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${server.base}/api/stream${query}`, {
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    signal: abort.signal,
  });
  const reader = response.body!.getReader();
  let text = '';
  const next = async (): Promise<StreamEvent | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
        if (field('event') === null) continue;
        return { id: field('id'), event: field('event')!, data: JSON.parse(field('data')!) };
      }
      const { done, value } = await reader.read();
      if (done) return null;
      text += Buffer.from(value).toString('utf8');
    }
  };
  /** Events until one passes. */
  const until = async (passes: (event: StreamEvent) => boolean): Promise<StreamEvent[]> => {
    const events: StreamEvent[] = [];
    for (;;) {
      const event = await next();
      if (event === null) throw new Error('The stream ended.');
      events.push(event);
      if (passes(event)) return events;
    }
  };
  return { response, next, until, close: () => abort.abort() };
}

describe('the stream', () => {
  test('says what was captured, projected and summarised, as it happens', async () => {
    const server = await served();
    const stream = await streamOf(server);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    const body = { session: 's-1', cwd: '/home/u/pond' };
    await server.call('POST', '/api/session/prompt', { body: { ...body, text: 'Widen the chute' } });
    const tool = { tool: 'Edit', input: { file_path: '/home/u/pond/chute.ts' }, result: 'Updated.' };
    await server.call('POST', '/api/session/observation', { body: { ...body, ...tool } });
    await server.call('POST', '/api/session/end', {
      body: { ...body, answer: 'I widened the chute to 9 cm.' },
    });
    await server.call('GET', '/api/stats');
    const missing = new Set(['summarised', 'projected 4']);
    const events = await stream.until(({ event, data }) => {
      missing.delete(event === 'projected' ? `projected ${data.position}` : event);
      return missing.size === 0;
    });
    const captured = events.filter(({ event }) => event === 'captured');
    expect(captured.map(({ id, data }) => [id, data.position, data.type])).toEqual([
      ['1', 1, 'prompt.submitted'],
      ['2', 2, 'tool.used'],
      ['3', 3, 'agent.stopped'],
      ['4', 4, 'session.ended'],
    ]);
    const summarised = events.find(({ event }) => event === 'summarised');
    expect(summarised!.data).toMatchObject({ session: 's-1', project: 'pond', unfinished: false });
    expect(JSON.stringify(captured)).not.toContain('chute');
    stream.close();
  });

  test('names the agent when one of two sessions with the same id is summarised', async () => {
    const server = await served();
    const stream = await streamOf(server);
    const missing = new Set<string>();
    for (const agent of ['aa', 'bb']) {
      const body = { agent, session: 'run-1', cwd: '/home/u/pond' };
      await server.call('POST', '/api/session/prompt', { body: { ...body, text: `Widen ${agent}` } });
      const use = { tool: 'Edit', input: { file_path: `/home/u/pond/${agent}.ts` }, result: 'Updated.' };
      await server.call('POST', '/api/session/observation', { body: { ...body, ...use } });
      await server.call('POST', '/api/session/end', { body: { ...body, answer: `I widened ${agent}.` } });
      const [turn] = (await server.annals.list('turn', { agent, session: 'run-1' })).items;
      missing.add(`${agent} ${turn!.id}`);
    }
    await stream.until(({ event, data }) => {
      if (event === 'summarised') missing.delete(`${data.agent} ${data.turn}`);
      return missing.size === 0;
    });
    stream.close();
  });

  test('says that a turn has another summary when a model read it, also an older one', async () => {
    const server = await served();
    const { annals } = server;
    const later = new Script({ session: SESSION, cwd: '/home/u/feeder', start: START + 1e7, firstUuid: 900 });
    later.prompt('Paint it', { promptId: 'second' });
    later.use('toolu_9', 'Edit', { file_path: '/home/u/feeder/a.ts', old_string: '5', new_string: '9' });
    later.result('toolu_9', 'The file has been updated.');
    later.reply('Painted.');
    await annals.append([...EVENTS, ...readWhole(later.bytes()).newEvents]);
    const { items } = await annals.list('summary');
    const [{ turn }] = items.slice(-1) as [(typeof items)[number]];
    const stream = await streamOf(server);
    await annals.append([replied(turn, FROST)]);
    await annals.list('summary');
    const events = await stream.until(({ event }) => event === 'summarised');
    expect(events.filter(({ event }) => event === 'summarised').map(({ data }) => data.turn)).toEqual([turn]);
    stream.close();
  });

  test('is resumed after the last event that was seen, without a gap and without a repeat', async () => {
    const server = await served({ filled: true });
    const positions = (await eventsOf(server.annals)).map(({ position }) => position);
    const seen: number[] = [];
    for (let last = 0; last < positions.at(-1)!; ) {
      const stream = await streamOf(server, '', { 'last-event-id': String(last) });
      for (let count = 0; count < 3; count++) {
        const event = await stream.next();
        if (event?.event !== 'captured') break;
        last = Number(event.id);
        seen.push(last);
      }
      stream.close();
    }
    expect(seen).toEqual(positions);
  });

  test('begins where `after` says, and refuses what is no position', async () => {
    const server = await served({ filled: true });
    const { head } = (await server.annals.status()).log;
    const stream = await streamOf(server, '?after=5');
    expect((await stream.next())?.data.position).toBe(6);
    // Nothing changes any more, and the views are built.
    await stream.until(({ event, data }) => event === 'projected' && data.position === head);
    stream.close();
    for (const id of ['x', '-1', '1.5']) {
      const { status } = await server.call('GET', '/api/stream', { headers: { 'last-event-id': id } });
      expect([id, status]).toEqual([id, 400]);
    }
  });

  test('ends when the server closes, and there are not too many', async () => {
    const server = await served({ limits: { graceMs: 600_000 } });
    const streams = await Promise.all(Array.from({ length: 32 }, () => streamOf(server)));
    expect((await server.call('GET', '/api/stream')).status).toBe(503);
    expect((await server.call('GET', '/api/status')).json.streams).toBe(32);
    streams[0]!.close();
    await expect.poll(async () => (await server.call('GET', '/api/status')).json.streams).toBe(31);
    const ends = streams.slice(1).map(({ next }) => next());
    // Connections that are kept open for more requests do not hold it up.
    await server.close();
    expect(await Promise.all(ends)).toEqual(Array(31).fill(null));
  });

  test('is not opened by a request for its headers', async () => {
    const server = await served();
    const { status, headers } = await server.call('HEAD', '/api/stream');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await server.call('GET', '/api/status')).json.streams).toBe(0);
  });

  test('is not for a capture token', async () => {
    const server = await served();
    expect((await server.call('GET', '/api/stream', { token: CAPTURE_TOKEN })).status).toBe(403);
  });
});
