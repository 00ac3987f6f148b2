import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { AnnalsError } from '../../log/index.ts';
import type { Annals, ChangeState, ForgetPlan, ImportReport } from '../../src/api.ts';
import { openAnnals } from '../../src/index.ts';
import { PROTOCOL } from '../../src/remote/messages.ts';
import { type RemoteAnnals, remoteAnnals } from '../../src/remote/remote-annals.ts';
import { UNARY_METHODS } from '../../src/remote/remote-methods.ts';
import { type ServeOptions, serveAnnals } from '../../src/remote/serve-annals.ts';
import { FORGET_PLAN, fakeAnnals, report, toolEvent } from '../cli/fake-annals.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { CHANNELS, type Ends, socketEnds } from './channels.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const VERSION = '1.2.3';

async function connected(
  open: () => Promise<Ends>,
  annals: Annals,
  options: Partial<ServeOptions> = {},
): Promise<Ends & { annals: RemoteAnnals }> {
  const ends = await open();
  undo.push(ends.remove);
  serveAnnals(annals, ends.server, { version: VERSION, ...options });
  return { ...ends, annals: await remoteAnnals(ends.client, { version: VERSION }) };
}

/** A promise, and the function that resolves it. */
function later<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe.each(CHANNELS)('over %s', (_name, open) => {
  test('every call passes its arguments on and gives the served answer', async () => {
    const calls: unknown[][] = [];
    const answers = Object.fromEntries(
      UNARY_METHODS.map((method) => [
        method,
        async (...args: unknown[]) => {
          calls.push([method, ...args]);
          return { of: method, list: [1, null, 'é\u2028'], nested: { __proto__: null, a: { b: [] } } };
        },
      ]),
    );
    const { annals } = await connected(open, { ...fakeAnnals(), ...answers } as Annals);
    for (const method of UNARY_METHODS) {
      const call = annals[method] as (...args: unknown[]) => Promise<unknown>;
      const args =
        method === 'import'
          ? [['/a', '/b'], { onProgress: undefined }]
          : method === 'importFrom'
            ? ['claude-mem', ['/a'], { onProgress: undefined }]
            : method === 'export'
              ? ['/folder', { since: 5 }]
              : method === 'context' || method === 'recall'
                ? [{ cwd: '/work', color: false }]
                : method === 'notes'
                  ? [{ cwd: '/work' }]
                  : method === 'project'
                    ? ['/work']
                    : [undefined, { limit: Number.NaN, most: Number.POSITIVE_INFINITY, list: ['x'], $fn: 1 }];
      expect(await call(...args)).toEqual({
        of: method,
        list: [1, null, 'é\u2028'],
        nested: { a: { b: [] } },
      });
      expect(calls.at(-1)).toEqual([method, ...args]);
    }
    expect(annals.home).toBe('/home/robin/.annals');
    expect(annals.server).toMatchObject({ protocol: PROTOCOL, version: VERSION });
  });

  test('paths and the default folder are those of the caller', async () => {
    const served = fakeAnnals();
    const { annals } = await connected(open, served);
    await annals.import(['some.jsonl']);
    await annals.importFrom('claude-mem', ['some.db']);
    await annals.export('backup');
    await annals.context();
    await annals.context({ project: 'birdfeeder' });
    await annals.project();
    await annals.recall({ occasion: 'prompt', text: 'frost', project: 'birdfeeder' });
    expect(served.calls).toEqual([
      ['import', [`${process.cwd()}/some.jsonl`]],
      ['importFrom', 'claude-mem', [`${process.cwd()}/some.db`], undefined],
      ['export', `${process.cwd()}/backup`, undefined],
      ['context', { cwd: process.cwd() }],
      ['context', { project: 'birdfeeder' }],
      ['project', process.cwd()],
      ['recall', { occasion: 'prompt', text: 'frost', project: 'birdfeeder', cwd: process.cwd() }],
    ]);
  });

  test('functions in the arguments are called here, and what they return arrives there', async () => {
    const seen: unknown[] = [];
    const served: Annals = {
      ...fakeAnnals(),
      async import(_paths, options) {
        options?.onProgress?.({ filesDone: 1, filesTotal: 2, bytesDone: 3, bytesTotal: 4, file: 'a' });
        await options?.onSearchable?.(report);
        const { passphrase } = options ?? {};
        seen.push(['passphrase', typeof passphrase === 'function' ? await passphrase() : passphrase]);
        return report;
      },
      async forget(_selection, options) {
        await options?.onStep?.('found');
        seen.push(['confirmed', await options?.confirm?.(FORGET_PLAN)]);
        return { outcome: 'declined', id: null, at: null, plan: FORGET_PLAN, proof: null, ms: 1 };
      },
    };
    const { annals } = await connected(open, served);
    await annals.import(['/a'], {
      onProgress: (progress) => seen.push(progress),
      onSearchable: async (found: ImportReport) => {
        await null;
        seen.push(found);
      },
      passphrase: async () => 'a secret',
    });
    await annals.forget(
      { ids: ['x'] },
      {
        onStep: (step) => void seen.push(step),
        confirm: async (plan: ForgetPlan) => plan.events !== FORGET_PLAN.events,
      },
    );
    expect(seen).toEqual([
      { filesDone: 1, filesTotal: 2, bytesDone: 3, bytesTotal: 4, file: 'a' },
      report,
      ['passphrase', 'a secret'],
      'found',
      ['confirmed', false],
    ]);
  });

  test('an error of a function arrives at the one who called it', async () => {
    const served: Annals = {
      ...fakeAnnals(),
      async forget(_selection, options) {
        await options?.confirm?.(FORGET_PLAN);
        throw new Error('not reached');
      },
    };
    const { annals } = await connected(open, served);
    const confirm = async () => {
      throw new AnnalsError('PASSPHRASE_WRONG', 'No terminal.', { hint: 'Use a file.' });
    };
    await expect(annals.forget({ ids: ['x'] }, { confirm })).rejects.toMatchObject({
      code: 'PASSPHRASE_WRONG',
      hint: 'Use a file.',
    });
  });

  test('errors keep code, message, hint and facts', async () => {
    const facts = { path: '/x', tries: 3, known: false, last: null };
    const served: Annals = {
      ...fakeAnnals(),
      search: async () => {
        throw new AnnalsError('USAGE', 'Wrong.', { hint: 'Right.', facts });
      },
      status: async () => {
        throw new TypeError('a bug');
      },
    };
    const { annals } = await connected(open, served);
    const failure = await annals.search('x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AnnalsError);
    expect(failure).toMatchObject({ code: 'USAGE', message: 'Wrong.', hint: 'Right.', facts });
    const bug = await annals.status().catch((error: unknown) => error);
    expect(bug).not.toBeInstanceOf(AnnalsError);
    expect(bug).toMatchObject({ name: 'TypeError', message: 'a bug' });
  });

  test('an aborted signal is aborted there, also one that was aborted before the call', async () => {
    const served: Annals = {
      ...fakeAnnals(),
      async embed(options) {
        const { signal } = options ?? {};
        if (signal?.aborted !== true)
          await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        throw new AnnalsError('EMBEDDER_FAILED', `Aborted: ${signal?.aborted}.`);
      },
    };
    const { annals } = await connected(open, served);
    const controller = new AbortController();
    const embedding = annals.embed({ signal: controller.signal });
    controller.abort();
    await expect(embedding).rejects.toThrow('Aborted: true.');
    await expect(annals.embed({ signal: controller.signal })).rejects.toThrow('Aborted: true.');
  });

  test('calls that ended leave nothing on a signal', async () => {
    const served: Annals = {
      ...fakeAnnals(),
      async embed() {
        throw new AnnalsError('EMBEDDER_FAILED', 'No.');
      },
      drain: () => new Promise(() => {}),
    };
    const { annals, server } = await connected(open, served);
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, 'abort').length;
    const drain = annals.drain as (options: object) => Promise<unknown>;
    const unanswered = drain({ signal });
    await annals.search('x', { signal });
    await expect(annals.embed({ signal })).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
    expect(listeners()).toBe(1);
    server.close();
    await expect(unanswered).rejects.toMatchObject({ code: 'WORKER_GONE' });
    expect(listeners()).toBe(0);
  });

  test('the log is read in batches, and no further than the reader goes', async () => {
    let read = 0;
    let hasReturned = false;
    const served: Annals = {
      ...fakeAnnals(),
      async *log() {
        try {
          for (; read < 10_000; read++) yield toolEvent(read + 1);
        } finally {
          hasReturned = true;
        }
      },
    };
    const { annals } = await connected(open, served);
    const positions: number[] = [];
    for await (const { position } of annals.log()) {
      positions.push(position);
      if (positions.length === 300) break;
    }
    expect(positions).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    // The end of the iteration is in the channel before this call.
    await annals.status();
    expect(hasReturned).toBe(true);
    expect(read).toBeLessThan(1_000);
  });

  test('a log that fails gives what was read, then the error', async () => {
    const served: Annals = {
      ...fakeAnnals(),
      async *log() {
        yield toolEvent(1);
        throw new AnnalsError('LOG_DAMAGED', 'Position 2 is missing.');
      },
    };
    const { annals } = await connected(open, served);
    const positions: number[] = [];
    const reading = async () => {
      for await (const { position } of annals.log()) positions.push(position);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    expect(positions).toEqual([1]);
  });

  test('news of the log arrive until the listener is removed', async () => {
    const listeners = new Set<(state: ChangeState) => void>();
    const served: Annals = {
      ...fakeAnnals(),
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const { annals } = await connected(open, served);
    const heard: ChangeState[] = [];
    const stop = annals.onChange((state) => heard.push(state));
    await annals.status();
    for (const listener of listeners) listener({ head: 7, projected: 5 });
    await annals.status();
    expect(heard).toEqual([{ head: 7, projected: 5 }]);
    stop();
    await annals.status();
    expect(listeners.size).toBe(0);
  });

  test('when the connection breaks, calls fail and the server gives up what waits for the client', async () => {
    const asked = later();
    const rejected = later<unknown>();
    const listeners = new Set<unknown>();
    const served: Annals = {
      ...fakeAnnals(),
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async forget(_selection, options) {
        const answer = options?.confirm?.(FORGET_PLAN);
        asked.resolve();
        await answer?.catch(rejected.resolve);
        throw new Error('given up');
      },
    };
    const { annals, client } = await connected(open, served);
    annals.onChange(() => {});
    const forgetting = annals.forget({ ids: ['x'] }, { confirm: () => new Promise(() => {}) });
    const gone = later();
    annals.onDisconnect(() => gone.resolve());
    await asked.promise;
    client.close();
    await expect(forgetting).rejects.toMatchObject({ code: 'WORKER_GONE' });
    await gone.promise;
    expect(await rejected.promise).toMatchObject({ code: 'WORKER_GONE' });
    expect(listeners.size).toBe(0);
    await expect(annals.status()).rejects.toMatchObject({ code: 'WORKER_GONE' });
  });

  test('closing waits for the calls before it, and the served library stays open', async () => {
    const saved = later<{ id: string }>();
    const served = { ...fakeAnnals(), save: (() => saved.promise) as unknown as Annals['save'] };
    const { annals } = await connected(open, served);
    const saving = annals.save({ title: 'a', text: 'b' });
    const closing = annals.close();
    await expect(annals.status()).rejects.toMatchObject({ code: 'LOG_CLOSED' });
    saved.resolve({ id: 'm-1' });
    await closing;
    expect(await saving).toEqual({ id: 'm-1' });
    expect(served.closed).toBe(false);
  });

  test('calls of the server beside those of the library are reached by name; no other name is', async () => {
    const { annals } = await connected(open, fakeAnnals(), {
      control: { 'worker.echo': async (...args) => args },
    });
    expect(await annals.control('worker.echo', 1, { a: 2 })).toEqual([1, { a: 2 }]);
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'calls', 'home', ''])
      await expect(annals.control(name)).rejects.toMatchObject({ code: 'USAGE' });
    // As data they are harmless.
    const echoed = await annals.control('worker.echo', JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(JSON.stringify(echoed)).toContain('polluted');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('messages that are not of the protocol close the connection and nothing else', async () => {
    const hostile: unknown[] = [
      { type: 'call', id: 1, method: 'status', args: [], markers: [] },
      { type: 'hello' },
      { type: 'unknown' },
      null,
      42,
      [],
      { type: 'pull', id: 1 },
    ];
    const greeted: unknown[] = [
      { type: 'call', id: -1, method: 'status', args: [], markers: [] },
      { type: 'call', id: 1, method: {}, args: [], markers: [] },
      { type: 'call', id: 1, method: 'status', args: {}, markers: [] },
      { type: 'call', id: 1, method: 'status', args: [], markers: [[5, null, 'function', 0]] },
      { type: 'call', id: 1, method: 'status', args: ['text'], markers: [[0, 'length', 'function', 0]] },
      { type: 'call', id: 1, method: 'status', args: [[]], markers: [[0, 'length', 'function', 0]] },
      {
        ...{ type: 'call', id: 1, method: 'status', args: [null] },
        markers: [
          [0, null, 'signal', 0],
          [0, 'aborted', 'undefined', 0],
        ],
      },
      { type: 'call', id: 1, method: 'onChange', args: [], markers: [] },
      { type: 'hello', protocol: 1, version: 'again', home: '', facts: {} },
    ];
    const hello = { type: 'hello', protocol: PROTOCOL, version: VERSION, home: '', facts: {} };
    const served: Annals = {
      ...fakeAnnals(),
      onChange() {
        throw new Error('closed already');
      },
    };
    for (const messages of [...hostile.map((one) => [one]), ...greeted.map((one) => [hello, one])]) {
      const ends = await open();
      undo.push(ends.remove);
      serveAnnals(served, ends.server, { version: VERSION });
      const closed = new Promise<void>((resolve) => ends.client.onClose(resolve));
      ends.client.onMessage(() => {});
      for (const message of messages) ends.client.send(message);
      await closed;
    }
    // Ends of things that are not there do nothing.
    const { annals, client } = await connected(open, served);
    for (const type of ['pull', 'end']) client.send({ type, id: 77 });
    client.send({ type: 'abort', id: 77, signal: 0 });
    client.send({ type: 'returned', id: 77, callback: 0 });
    expect(await annals.timeline()).toEqual({ rows: [], degraded: [] });
  });

  test('a server of another protocol is refused with its version', async () => {
    const ends = await open();
    undo.push(ends.remove);
    ends.server.onMessage(() =>
      ends.server.send({ type: 'hello', protocol: PROTOCOL + 1, version: '9.0.0', home: '/', facts: {} }),
    );
    await expect(remoteAnnals(ends.client, { version: VERSION })).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      facts: { version: '9.0.0' },
    });
  });

  test('a real library answers through it as it does directly', async () => {
    const folder = await temporaryFolder();
    undo.push(folder.remove);
    const direct = await openAnnals({ home: folder.path });
    undo.push(() => direct.close());
    const { annals: remote } = await connected(open, direct);
    const states: ChangeState[] = [];
    const stop = remote.onChange((state) => states.push(state));
    const { id } = await remote.save({ title: 'The feeder opens at dawn', text: 'Measured in June.' });
    expect(await remote.drain()).toMatchObject({ appended: 0, problems: [] });
    const without = ({ ms: _, ...rest }: object & { ms?: number }) => rest;
    expect(without(await remote.search('feeder dawn'))).toEqual(without(await direct.search('feeder dawn')));
    expect(await remote.get(id)).toEqual(await direct.get(id));
    expect(await remote.why(id)).toEqual(await direct.why(id));
    expect(await remote.timeline()).toEqual(await direct.timeline());
    expect(await remote.list('memory')).toEqual(await direct.list('memory'));
    expect(await remote.stats()).toEqual(await direct.stats());
    const events = async (from: Annals) => {
      const all = [];
      for await (const event of from.log()) all.push(event);
      return all;
    };
    expect(await events(remote)).toEqual(await events(direct));
    const damaged = { type: 'no.such', agent: 'a', session: null, dedupeKey: 'k', channel: 'api' };
    const refusal = async (from: Annals) => from.append([damaged as never]).catch((error: unknown) => error);
    expect(await refusal(remote)).toEqual(await refusal(direct));
    expect(states.at(-1)).toEqual({ head: 1, projected: 1 });
    stop();
  });
});

describe('over a local socket', () => {
  test.each([
    ['broken JSON', Buffer.from('{"type":"hello",\n')],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
    ['deep nesting', Buffer.from(`${'['.repeat(200_000)}\n`)],
    ['a line without an end', Buffer.alloc(2 * 1024 * 1024, 'x')],
  ])('%s closes the connection', async (_what, bytes) => {
    const ends = await socketEnds(1024 * 1024);
    undo.push(ends.remove);
    serveAnnals(fakeAnnals(), ends.server, { version: VERSION });
    const closed = new Promise<void>((resolve) => ends.client.onClose(resolve));
    ends.raw!.write(bytes);
    await closed;
  });

  test('a call or an answer that is too large fails, and the connection stays', async () => {
    const text = 'x'.repeat(2 * 1024 * 1024);
    const served: Annals = { ...fakeAnnals(), get: (async () => ({ text })) as never };
    const { annals } = await connected(() => socketEnds(1024 * 1024), served);
    await expect(annals.get('p-1')).rejects.toMatchObject({ code: 'USAGE' });
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(annals.search('x', cyclic)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await annals.timeline()).toEqual({ rows: [], degraded: [] });
  });
});
