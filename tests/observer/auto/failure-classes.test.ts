// Each class of failure: what becomes of the turns, what happens next, and what `status`, `doctor` and the next session say.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observerLines } from '../../../src/cli/output/observer-lines.ts';
import { observerCheck } from '../../../src/doctor/observer-check.ts';
import { sharedFolder } from '../../e2e/homes.ts';
import { FROST } from '../../projections/observer/replies.ts';
import type { ScriptedAnswer } from '../model-server.ts';
import { type AutoHome, autoHome, turn } from './reactor-homes.ts';

const folder = sharedFolder('failure-classes');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const GOOD: ScriptedAnswer = { text: FROST };
const NOT_READABLE: ScriptedAnswer = { text: 'I cannot say.' };
const REFUSED: ScriptedAnswer = { status: 400, type: 'invalid_request_error', message: 'no' };

interface Case {
  readonly name: string;
  /** In the order of the requests; then good ones. */
  readonly answers: readonly ScriptedAnswer[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The kinds of the events. */
  readonly events: readonly string[];
  /** Why nothing more is sent, and for how long after the last failure, ms. Null: it goes on. */
  readonly hold: null | { readonly because: string; readonly ms: number | null };
  readonly doctor: 'ok' | 'warning' | 'problem';
  /** In `status`; also in the next session if a person must act. */
  readonly said: string | null;
  readonly inContext: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'auth',
    answers: [{ status: 401, type: 'authentication_error', message: 'invalid' }],
    events: ['asked', 'failed'],
    hold: { because: 'auth', ms: null },
    ...{ doctor: 'problem', said: 'refused the key', inContext: true },
  },
  {
    name: 'quota',
    answers: [{ status: 402, type: 'billing_error', message: 'no credit' }],
    events: ['asked', 'failed'],
    hold: { because: 'quota', ms: null },
    ...{ doctor: 'problem', said: 'no credit or quota is left', inContext: true },
  },
  {
    name: 'rate-limit',
    answers: [{ status: 429, type: 'rate_limit_error', headers: { 'retry-after': '90' } }],
    events: ['asked', 'failed'],
    hold: { because: 'rate-limit', ms: 90 * SECOND },
    ...{ doctor: 'warning', said: 'gets too many requests', inContext: false },
  },
  {
    name: 'transient',
    answers: [{ status: 529, type: 'overloaded_error', message: 'later' }],
    events: ['asked', 'failed'],
    hold: { because: 'transient', ms: 5 * SECOND },
    ...{ doctor: 'warning', said: 'could not answer', inContext: false },
  },
  {
    name: 'unrecoverable: the turn is given up, the others go on',
    answers: [REFUSED],
    events: ['asked', 'failed', ...times(5, ['asked', 'replied'])],
    hold: null,
    ...{ doctor: 'ok', said: null, inContext: false },
  },
  {
    name: 'an invalid reply: the turn is given up after the second one, the others go on',
    answers: [NOT_READABLE, NOT_READABLE],
    events: [...times(2, ['asked', 'replied']), ...times(5, ['asked', 'replied'])],
    hold: null,
    ...{ doctor: 'ok', said: null, inContext: false },
  },
  {
    name: 'five failures in a row',
    answers: [REFUSED, REFUSED, REFUSED, REFUSED, REFUSED],
    events: times(5, ['asked', 'failed']),
    hold: { because: 'failures', ms: HOUR },
    ...{ doctor: 'warning', said: 'failed five times in a row', inContext: true },
  },
  {
    name: 'the budget of a day',
    answers: [],
    settings: { 'observer.usdPerDay': 0.006 },
    events: ['asked', 'replied', 'asked', 'replied'],
    hold: { because: 'budget', ms: null },
    ...{ doctor: 'warning', said: 'were spent in the last 24 hours', inContext: true },
  },
];

function times(count: number, events: readonly string[]): string[] {
  return Array.from({ length: count }, () => events).flat();
}

test.each(CASES)('$name', async ({ name, answers, settings = {}, events, hold, doctor, said, inContext }) => {
  const at = await autoHome(join(folder, name.replace(/\W+/g, '-')), settings);
  const { annals, server, start, until, types } = at;
  server.answers.push(...answers);
  server.answer = () => ({ ...GOOD, usage: { input: 10_000, output: 2_500 } });
  await annals.append([1, 2, 3, 4, 5, 6].flatMap((number) => turn(number, { ago: HOUR - number * SECOND })));
  await start();
  await until(async () => (await types()).length === events.length && (await isQuiet(at, hold?.because)));
  expect(await types()).toEqual(events);
  expect(server.requests).toHaveLength(events.filter((type) => type === 'asked').length);

  const { observer } = await annals.status();
  expect(observer.hold?.because ?? null).toBe(hold?.because ?? null);
  if (hold?.because !== 'budget')
    expect(observer.hold?.until ?? null).toBe(
      hold?.ms == null ? null : new Date((await lastFailure(at)) + hold.ms).toISOString(),
    );
  const lines = observerLines(observer, 'annals').join('\n');
  const { text } = await annals.context({ cwd: '/home/u/feeder' });
  const [found] = await observerCheck(async () => annals).look();
  expect(found!.state).toBe(doctor);
  expect(found!.message + (found!.advice ?? '')).toContain(said ?? 'writes observations');
  if (said !== null) expect(lines).toContain(said);
  expect(text).toContain('feeder');
  expect(said !== null && text.includes(said)).toBe(inContext);
  expect(lines).toMatch(hold === null ? /0 requests waiting/ : /[1-9] requests? waiting/);
});

/** Whether the reactor has seen that nothing more may be sent. */
async function isQuiet({ annals, home }: AutoHome, because: string | undefined): Promise<boolean> {
  const { observer } = await annals.status();
  if (because === undefined) return observer.waiting === 0;
  const needsPerson = ['auth', 'quota', 'failures', 'budget'].includes(because);
  return observer.hold?.because === because && (!needsPerson || home.notice.text !== null);
}

async function lastFailure({ annals }: AutoHome): Promise<number> {
  let last = 0;
  for await (const { type, occurredAt } of annals.log()) if (type === 'observer.failed') last = occurredAt!;
  return last;
}
