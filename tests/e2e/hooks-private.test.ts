// A private turn through the whole product: in any order of draining, and whichever channel reports its prompt, nothing
// of it is in the log, a view or the spool. All views catch up between any two files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asked, filesWith, leave, type Payload, payload, stopped, used, waiting } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { eventsOf, sharedFolder, withHome } from './homes.ts';
import { scanHome } from './scan.ts';

const HIDDEN = ['quokka', 'numbat', 'bilby', 'wombat'];
const MINUTE = 60_000;
const folder = sharedFolder('private');
const SITUATIONS: Readonly<Record<string, (session: string, ids: Payload) => readonly Payload[]>> = {
  'prompt, use, sub-agent’s use, stop': (_, ids) => [
    asked('<private>tell me of the quokka</private>', ids),
    used('toolu_1', 'a quokka, a numbat', ids),
    used('toolu_2', 'the bilby', { agent_id: 'a1', ...ids }),
    stopped('It was a wombat.', ids),
  ],
  'prompt, launch, the next prompt, the background agent': (_, ids) => [
    asked('<private>tell me of the quokka</private>', ids),
    used('toolu_1', '', {
      tool_name: 'Agent',
      tool_input: { prompt: 'look for the numbat' },
      tool_response: { status: 'async_launched', agentId: 'a1', description: 'numbat' },
      ...ids,
    }),
    asked('Now the tests.', { ...ids, prompt_id: 'p-2' }),
    payload('SubagentStop', { ...ids, prompt_id: 'p-2', agent_id: 'a1', last_assistant_message: 'a bilby' }),
  ],
};

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** Queries all views and the text index between two drains. */
const look = (home: string) =>
  withHome(home, async (annals) => {
    await annals.search('the quokka of the tests');
    await annals.context({ cwd: '/home/u/app' });
    return annals.status();
  });

async function expectNothing(home: string, prompts: number): Promise<void> {
  await look(home);
  expect([...waiting(home), ...waiting(home, 'bad')]).toEqual([]);
  const types = await withHome(home, async (annals) =>
    (await eventsOf(annals)).filter(({ type }) => type !== 'workdir.seen').map(({ type }) => type),
  );
  expect(types).toEqual(Array(prompts).fill('prompt.submitted'));
  expect(await scanHome(home, HIDDEN)).toEqual([]);
}

describe.each(Object.entries(SITUATIONS))('A private turn (%s)', (name, filesOf) => {
  test('drained file by file in all 24 orders leaves nothing', async () => {
    const home = join(folder, name);
    mkdirSync(home, { mode: 0o700 });
    const now = Date.now();
    const orders = permutations(filesOf('', {}).map((_, index) => index));
    expect(orders).toHaveLength(24);
    for (let step = 0; step < 4; step++) {
      for (const [number, order] of orders.entries()) {
        const session = `s-${number}`;
        const index = order[step]!;
        // The file has the time of its event, and is found when it is put into the spool.
        leave(
          home,
          `c-${number}-${index}`,
          { ...filesOf(session, {})[index], session_id: session },
          now + index,
        );
      }
      if (step === 0) expect(filesWith(join(home, 'spool/new'), HIDDEN).length).toBeGreaterThan(10);
      await look(home);
    }
    await expectNothing(
      home,
      24 * filesOf('', {}).filter((one) => one.hook_event_name === 'UserPromptSubmit').length,
    );
  });
});

describe('A private turn whose prompt file is lost', () => {
  const sessions = Array.from({ length: 4 }, (_, number) => `s-${number}`);

  /** One transcript per session: the only report of the private prompt. */
  function transcripts(home: string): readonly string[] {
    return sessions.map((session) => {
      const script = new Script({ session, start: Date.now() - 2 * 60 * MINUTE, version: '2.1.210' });
      script.prompt('<private>tell me of the quokka</private>', { promptId: 'p-1' });
      const project = join(home, `../.claude/projects/-home-u-app-${home.length}`);
      mkdirSync(project, { recursive: true });
      const path = join(project, `${session}.jsonl`);
      writeFileSync(path, script.bytes());
      return path;
    });
  }

  function leaveOthers(home: string, paths: readonly string[], at: number): void {
    for (const [number, session] of sessions.entries())
      for (const [index, one] of Object.values(SITUATIONS)[0]!(session, {}).entries())
        if (index > 0)
          leave(
            home,
            `c-${number}-${index}`,
            {
              ...one,
              session_id: session,
              ...(paths[number] === undefined ? {} : { transcript_path: paths[number] }),
            },
            at,
          );
  }

  test('leaves nothing once its transcript is imported', async () => {
    const home = join(folder, 'lost, imported');
    mkdirSync(home, { mode: 0o700 });
    const paths = transcripts(home);
    leaveOthers(home, [], Date.now());
    await look(home);
    expect(waiting(home)).toHaveLength(12);
    await withHome(home, (annals) => annals.import(paths));
    await look(home);
    expect(waiting(home)).toEqual([]);
    expect(await scanHome(home, HIDDEN)).toEqual([]);
  });

  test('leaves nothing when only the transcript on disk reports it and the idle time is over', async () => {
    const home = join(folder, 'lost, on disk only');
    mkdirSync(home, { mode: 0o700 });
    leaveOthers(home, transcripts(home), Date.now() - 31 * MINUTE);
    // The prompts are stored from the transcript, without their text.
    await expectNothing(home, sessions.length);
  });

  test('waits while no channel has reported it: nothing is in the log or a view', async () => {
    const home = join(folder, 'lost, waiting');
    mkdirSync(home, { mode: 0o700 });
    leaveOthers(home, [], Date.now() - 29 * MINUTE);
    await look(home);
    expect(waiting(home)).toHaveLength(12);
    const elsewhere = (await scanHome(home, HIDDEN)).filter(({ where }) => !where.startsWith('spool/new/'));
    expect(elsewhere).toEqual([]);
  });
});
