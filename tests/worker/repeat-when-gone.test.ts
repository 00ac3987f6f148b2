// A worker that ends in the middle of a call: the command makes the call once more, unless that could do its work twice.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Annals } from '../../src/api.ts';
import { openAnnals } from '../../src/index.ts';
import { listenLocal } from '../../src/platform/local-socket.ts';
import { lineChannel } from '../../src/remote/line-channel.ts';
import { UNARY_METHODS } from '../../src/remote/remote-methods.ts';
import { serveAnnals } from '../../src/remote/serve-annals.ts';
import { openThroughWorker } from '../../src/worker/open-home.ts';
import { buildCommand } from '../e2e/command.ts';
import { Script } from '../helpers/transcripts.ts';
import { afterwards, CLIENT, type TestHome, testHome } from './homes.ts';
import { pidOf } from './processes.ts';

const CALLS: Readonly<Record<string, (annals: Annals) => Promise<unknown>>> = {
  append: (annals) => annals.append([]),
  save: (annals) => annals.save({ title: 'Ibis', text: 'fed' }),
  report: (annals) => annals.report({} as never),
  recordInjection: (annals) => annals.recordInjection({} as never),
  act: (annals) => annals.act({} as never),
  decide: (annals) => annals.decide('id', { confirmed: true }),
  recall: (annals) => annals.recall({ occasion: 'prompt', text: 'heron', cwd: '/' } as never),
  forget: (annals) => annals.forget({ ids: ['m-1'] } as never),
  get: (annals) => annals.get('m-1').catch((error) => error.code),
  why: (annals) => annals.why('m-1').catch((error) => error.code),
  import: (annals) => annals.import([]),
  importFrom: (annals) => annals.importFrom('markdown', []).catch((error) => error.code),
  list: (annals) => annals.list('session'),
  search: (annals) => annals.search('heron'),
  compareReadings: (annals) => annals.compareReadings({ after: 'r' }).catch((error) => error.code),
  chooseRecipe: (annals) => annals.chooseRecipe('rules'),
  corpus: (annals) => annals.corpus('birds').catch((error) => error.code),
  buildCorpus: (annals) => annals.buildCorpus('birds'),
  deleteCorpus: (annals) => annals.deleteCorpus('birds'),
  askCorpus: (annals) => annals.askCorpus('birds', 'Which one was fed?'),
  shareJoin: (annals) => annals.shareJoin({ url: 'nats://127.0.0.1:1', name: 'one' }),
  shareAccept: (annals) => annals.shareAccept('ANNALS-INVITE-x'),
  shareInvite: (annals) => annals.shareInvite({ name: 'two' }),
  shareCredential: (annals) => annals.shareCredential({ name: 'ci' }),
  shareMembers: (annals) => annals.shareMembers().catch((error) => error.code),
  shareRemove: (annals) => annals.shareRemove('two'),
  shareRotate: (annals) => annals.shareRotate(),
  shareRecover: (annals) => annals.shareRecover({ url: 'nats://127.0.0.1:1', name: 'one', recoveryKey: '' }),
  shareLeave: (annals) => annals.shareLeave(),
  shareProject: (annals) => annals.shareProject('birds').catch((error) => error.code),
  sharePreview: (annals) => annals.sharePreview('birds').catch((error) => error.code),
  shareSync: (annals) => annals.shareSync().catch((error) => error.code),
};
const ONCE = [
  ...['append', 'save', 'report', 'recordInjection', 'act', 'decide', 'forget'],
  ...['buildCorpus', 'deleteCorpus', 'askCorpus'],
  ...[
    'shareJoin',
    'shareAccept',
    'shareInvite',
    'shareCredential',
    'shareRemove',
    'shareRotate',
    'shareRecover',
  ],
  'shareLeave',
];

/** Something that is taken for a worker and ends as soon as it is called, `lives` times. Returns the calls. */
async function dyingWorker({ home }: TestHome, lives = 1, calls: string[] = []): Promise<readonly string[]> {
  const server = await listenLocal(join(home, 'worker.sock'), (socket) => {
    const end = async (method: string) => {
      calls.push(method);
      server.close();
      if (lives > 1) await dyingWorker({ home } as TestHome, lives - 1, calls);
      socket.destroy();
      return new Promise<never>(() => {});
    };
    const served = Object.fromEntries(UNARY_METHODS.map((method) => [method, () => end(method)]));
    const facts = { pid: 1, build: null, environment: { ANNALS_EXCLUDE: '' } };
    const log = async function* () {
      yield await end('log');
    };
    const annals = { ...served, log, home } as unknown as Annals;
    serveAnnals(annals, lineChannel(socket), { version: CLIENT.version, facts });
  });
  afterwards(() => server.close());
  return calls;
}

/** How a command opens the home, and how often it opened the log itself. */
async function opened(at: TestHome, lives = 1) {
  mkdirSync(at.home, { mode: 0o700, recursive: true });
  const calls = await dyingWorker(at, lives);
  const direct: unknown[] = [];
  const annals = await openThroughWorker({ home: at.home }, CLIENT, (options) => {
    direct.push(options);
    return openAnnals(options);
  });
  afterwards(() => annals.close());
  return { annals, calls, direct };
}

test.each(UNARY_METHODS.filter((method) => ![...ONCE, 'embed', 'export'].includes(method)))(
  'the call %s is made again on the log itself, once',
  async (method) => {
    const { annals, calls, direct } = await opened(testHome());
    const call = CALLS[method] ?? ((one: Annals) => (one[method] as () => Promise<unknown>)());
    expect(await call(annals)).toBeDefined();
    expect(calls).toEqual([method]);
    expect(direct).toHaveLength(1);
  },
);

test('the events of the log are read again if none was read', async () => {
  const { annals, calls } = await opened(testHome());
  const read = [];
  for await (const event of annals.log()) read.push(event);
  expect(read).toEqual([]);
  expect(calls).toEqual(['log']);
});

test.each(ONCE)('the call %s is not made again', async (method) => {
  const { annals, calls, direct } = await opened(testHome());
  await expect(CALLS[method]!(annals)).rejects.toMatchObject({ code: 'WORKER_GONE' });
  expect(calls).toEqual([method]);
  expect(direct).toHaveLength(0);
});

test.each(['status', 'save'])('calls after a %s that was cut off are made on the log', async (method) => {
  const { annals, calls, direct } = await opened(testHome());
  const call = CALLS[method] ?? ((one: Annals) => one.status());
  await call(annals).catch(() => undefined);
  await annals.save({ title: 'Heron', text: 'fed' });
  expect((await annals.search('heron')).results).toHaveLength(1);
  expect(calls).toEqual([method]);
  expect(direct).toHaveLength(1);
});

test('when the next worker ends too, the command fails', async () => {
  const { annals, calls, direct } = await opened(testHome(), 2);
  await expect(annals.search('heron')).rejects.toMatchObject({ code: 'WORKER_GONE' });
  expect(calls).toEqual(['search', 'search']);
  expect(direct).toHaveLength(0);
});

test('an import through a worker that is killed meanwhile ends like any other', async () => {
  buildCommand();
  const at = testHome();
  const folder = join(at.folder, 'transcripts');
  mkdirSync(folder);
  for (let file = 0; file < 20; file++) {
    const script = new Script({ session: `session-${file}`, firstUuid: file * 1_000 + 1 });
    for (let prompt = 0; prompt < 20; prompt++) script.prompt(`feed heron ${prompt} of lake ${file}`);
    writeFileSync(join(folder, `session-${file}.jsonl`), script.bytes());
  }
  expect((await at.run('worker', 'start')).code).toBe(0);
  const annals = await openThroughWorker({ home: at.home }, CLIENT, openAnnals);
  afterwards(() => annals.close());
  const worker = pidOf(at.home);
  let isKilled = false;
  await annals.import([folder], {
    onProgress() {
      if (!isKilled) process.kill(worker, 'SIGKILL');
      isKilled = true;
    },
  });
  expect(isKilled).toBe(true);
  const prompts = new Set();
  for await (const { dedupeKey } of annals.log({ type: 'prompt.submitted' })) prompts.add(dedupeKey);
  expect(prompts.size).toBe(400);
  expect(await annals.verify({ rebuilt: true })).toMatchObject({ ok: true });
});
