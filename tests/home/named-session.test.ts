// Every call that takes a session knows it by its id or the beginning of it, and refuses any other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Annals, ErrorCode } from '../../src/index.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { importEvent } from '../helpers/new-events.ts';
import { Script } from '../helpers/transcripts.ts';

const ONE = '6f1d2c1e-0000-4000-8000-000000000001';
const OTHER = '6f1d99aa-0000-4000-8000-000000000002';
const CWD = '/home/u/feeder';

const folder = sharedFolder('named-session');
const home = join(folder, 'home');

beforeAll(() =>
  withHome(home, async (annals) => {
    for (const [index, session] of [ONE, OTHER].entries()) {
      const script = new Script({
        session,
        cwd: CWD,
        firstUuid: index * 100,
        start: 1_767_225_600_000 + index,
      });
      script.prompt(`Widen chute ${index}: frost builds up`);
      const edit = { file_path: `${CWD}/chute-${index}.ts`, old_string: '8', new_string: '9' };
      script.assistant([{ type: 'tool_use', id: `toolu_${index}`, name: 'Edit', input: edit }]);
      script.result(`toolu_${index}`, 'The file was updated.');
      script.reply(`Chute ${index} is wider now, and frost no longer builds up.`);
      await imported(annals, script);
    }
    await annals.append([importEvent('n-1', { title: 'Brought', text: 'along', cwd: CWD }, 'elsewhere-1')]);
  }),
);

async function imported(annals: Annals, script: Script): Promise<void> {
  const path = join(folder, `${script.session}.jsonl`);
  writeFileSync(path, script.bytes());
  await annals.import([path]);
}

/** What each call answers about a session, as text. */
const CALLS: Readonly<Record<string, (annals: Annals, session: string) => Promise<unknown>>> = {
  context: async (annals, session) => (await annals.context({ cwd: CWD, kind: 'compact', session })).text,
  search: async (annals, session) => (await annals.search('frost', { session })).results,
  'a query': async (annals, session) => (await annals.search(`frost session:${session}`)).results,
  timeline: async (annals, session) => (await annals.timeline({ session })).rows,
  list: async (annals, session) => (await annals.list('prompt', { session })).items,
  log: async (annals, session) => (await eventsOf(annals, { session })).map(({ id }) => id),
  'the end of the log': async (annals, session) =>
    (await eventsOf(annals, { session, last: 2 })).map(({ id }) => id),
  forget: async (annals, session) => (await annals.forget({ session }, { dryRun: true })).plan.things,
};

describe.each(Object.entries(CALLS))('%s', (_, call) => {
  test('takes the beginning of an id for the whole', () =>
    withHome(home, async (annals) => {
      const whole = await call(annals, ONE);
      expect(await call(annals, '6f1d2c1e')).toEqual(whole);
      expect(whole).not.toEqual(await call(annals, OTHER));
    }));

  test.each([
    ['6f1d', 'AMBIGUOUS_ID'],
    ['nobody', 'NOT_FOUND'],
    ['6f1', 'USAGE'],
  ] satisfies [string, ErrorCode][])('refuses “%s” with a hint', (given, code) =>
    withHome(home, async (annals) => {
      await expect(call(annals, given)).rejects.toMatchObject({ code, hint: expect.stringMatching(/./) });
    }),
  );
});

test('A model is asked about no unknown session', () =>
  withHome(home, async (annals) => {
    const compared = annals.compareReadings({ after: 'rules', session: 'nobody' });
    await expect(compared).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await annals.compareReadings({ after: 'rules', session: '6f1d2c1e' })).toMatchObject({
      turns: [],
    });
  }));

test('A memory is saved in the session whose beginning is given, and in no unknown one', () =>
  withHome(join(folder, 'saved'), async (annals) => {
    const script = new Script({ session: ONE, cwd: CWD });
    script.prompt('Widen the chute');
    await imported(annals, script);
    const note = { title: 'Chute', text: '9 cm', cwd: CWD };
    const { id } = await annals.save({ ...note, session: '6f1d2c1e' });
    expect((await annals.get(id)).session).toBe(ONE);
    const events = (await annals.status()).log.events;
    await expect(annals.save([note, { ...note, session: 'nobody' }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringMatching(/./),
    });
    expect((await annals.status()).log.events).toBe(events);
  }));

test('A session that starts gets its context before the log has it', () =>
  withHome(home, async (annals) => {
    const { text } = await annals.context({ cwd: CWD, session: 'new-1', isStarting: true });
    expect(text).toContain('Widen chute');
  }));

test('A session without events of its own is found by its memories', () =>
  withHome(home, async (annals) => {
    for (const session of ['elsewhere-1', 'else'])
      expect((await annals.search('along', { session })).results).toMatchObject([{ title: 'Brought' }]);
  }));
