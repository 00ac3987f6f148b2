// Whole sessions from the transcript to the answer of `why`, with a scripted model behind real HTTP in both forms: made-up
// sessions always, ten real ones of five agents in `npm run test:long`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Annals, LogEvent } from '../../src/index.ts';
import { digestsOf, eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { madeUpSessions } from './made-up-sessions.ts';
import { type ModelServer, modelServer, SERVER_KEY } from './model-server.ts';
import { plausibleAnswer } from './plausible-reply.ts';
import { tenSessions } from './real-sessions.ts';

const folder = sharedFolder('sessions-observed');
const CONTENT_CHARS_MAX = 40_000;
let homes = 0;

const PROVIDERS = {
  'the Messages API': ({ url }: ModelServer) => ({ 'observer.url': url }),
  'a chat API': ({ url }: ModelServer) => ({
    ...{ 'observer.provider': 'openai', 'observer.url': `${url}/v1`, 'observer.model': 'claude-haiku-5-5' },
  }),
} as const;

afterEach(() => {
  delete process.env.ANNALS_TEST_KEY;
});

/** Imports the files, has the model read all turns, and looks at what came of it. */
async function observeAll(files: readonly string[], settingsOf: (server: ModelServer) => object) {
  const server = await modelServer();
  server.answer = plausibleAnswer;
  process.env.ANNALS_TEST_KEY = SERVER_KEY;
  const home = join(folder, `home-${++homes}`);
  mkdirSync(home, { mode: 0o700 });
  const settings = {
    'observer.keyVariable': 'ANNALS_TEST_KEY',
    'observer.usdPerDay': 1,
    ...settingsOf(server),
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  const digests = await withHome(home, async (annals) => {
    await annals.import(files);
    const report = await annals.observe();
    expect(report).toMatchObject({ asked: report.waiting, read: report.waiting, failed: 0, problem: null });
    expect(report.waiting).toBeGreaterThanOrEqual(files.length);
    expect(await annals.observe()).toMatchObject({ waiting: 0, asked: 0 });
    const events = await eventsOf(annals);
    expectOneAnswerEach(events, server);
    expect((await annals.observerCost()).lastDay).toMatchObject({ calls: report.asked });
    expect((await annals.observerCost()).lastDay.usd).toBeCloseTo(report.usd, 9);
    await expectReasons(annals, events);
    return digestsOf(annals);
  });
  const asked = server.requests.length;
  rmSync(join(home, 'views'), { recursive: true });
  await withHome(home, async (annals) => {
    expect(await digestsOf(annals)).toEqual(digests);
    expect(await annals.observe()).toMatchObject({ waiting: 0, asked: 0 });
  });
  expect(server.requests).toHaveLength(asked);
  return { asked, server };
}

function expectOneAnswerEach(events: readonly LogEvent[], { requests }: ModelServer): void {
  const asked = events.filter(({ type }) => type === 'observer.asked');
  const replied = events.flatMap((event) => (event.type === 'observer.replied' ? [event.body] : []));
  expect(requests).toHaveLength(asked.length);
  expect(replied.map((body) => body.asked).sort()).toEqual(asked.map(({ id }) => id).sort());
  for (const { body } of requests) {
    const content: string = body.messages.at(-1).content;
    expect(content.length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
    expect(content.isWellFormed()).toBe(true);
  }
}

/** Three items, of the first, the middle and the last turn: each is what the model wrote, on events of its turn. */
async function expectReasons(annals: Annals, events: readonly LogEvent[]): Promise<void> {
  const byId = new Map(events.map((event) => [event.id, event]));
  const { items } = await annals.list('observation', { limit: 1_000 });
  const texts = events.flatMap((event) => (event.type === 'observer.replied' ? [event.body.text] : []));
  const written = items.filter(({ title }) => texts.some((text) => text.includes(titleIn(title))));
  expect(written.length).toBeGreaterThanOrEqual(0.9 * items.length);
  for (const { id, title } of [written[0]!, written[written.length >> 1]!, written.at(-1)!]) {
    const reasons = (await annals.why(id)).events.map((event) => byId.get(event.id)!);
    const answer = reasons.find(({ type }) => type === 'observer.replied') as LogEvent<'observer.replied'>;
    expect(answer.body.text).toContain(titleIn(title));
    const others = reasons.filter((event) => event !== answer && !event.type.startsWith('observer.'));
    expect(others.length).toBeGreaterThan(0);
    for (const event of others) expect(event.session).toBe(answer.session);
    expect(others.filter((event) => answer.body.covers.includes(event.id)).length).toBeGreaterThan(0);
  }
}

function titleIn(title: string | null): string {
  return JSON.stringify((title ?? '').slice(0, 40)).slice(1, -1);
}

describe.each(Object.entries(PROVIDERS))('with %s', (_, settingsOf) => {
  test('made-up sessions are observed, explained, and not asked about again after a rebuild', async () => {
    const { asked, server } = await observeAll(madeUpSessions(folder), settingsOf);
    expect(asked).toBe(6);
    for (const { text } of server.requests) expect(text.match(/Why does the/g)).toHaveLength(1);
  });

  const isLong = process.env.ANNALS_TEST_ALL_TRANSCRIPTS === '1';
  const why = tenSessions === null ? ' (skipped: this machine does not have them)' : '';
  test.skipIf(tenSessions === null || !isLong)(
    `ten real sessions are observed, explained, and not asked about again after a rebuild${why || ' (npm run test:long)'}`,
    async () => {
      const { asked } = await observeAll(tenSessions!, settingsOf);
      expect(asked).toBeGreaterThan(30);
    },
  );
});
