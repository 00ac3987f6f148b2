// The fields that `show` returns for an observation and for a turn.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type NewEvent, openLog } from '../../log/index.ts';
import { noteRewritten } from '../../projections/index.ts';
import type { Annals } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';
import { SESSION } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFiles, testWorld } from '../helpers/world.ts';
import { Session } from '../projections/extract/observed.ts';

const folder = sharedFolder('show-item');

type Listed = Readonly<
  Record<
    'turns' | 'items',
    readonly {
      readonly id: string | null;
      readonly text?: string;
      readonly events?: readonly string[];
      readonly tool?: { readonly name: string };
    }[]
  >
>;

/** Imports a transcript into a new home. */
async function imported<T>(name: string, script: Script, work: (annals: Annals) => Promise<T>): Promise<T> {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, script.bytes());
  return await withHome(join(folder, name), async (annals) => {
    await annals.import([path]);
    return await work(annals);
  });
}

function fixedTest(): Script {
  const script = new Script({ session: SESSION, start: Date.UTC(2026, 4, 4) });
  script.prompt('Why does the feeder jam at night?');
  script.use('toolu_1', 'Edit', { file_path: '/home/u/app/chute.ts', old_string: '5', new_string: '9' });
  script.result('toolu_1', 'The file has been updated.');
  script.use('toolu_2', 'Bash', { command: 'npm test' });
  script.result('toolu_2', 'Tests  12 passed (12)');
  script.reply('The chute was too narrow because frost builds up in it. I widened it to 9 centimetres.');
  return script;
}

test('the details of an observation repeat no field that the item has outside them', async () => {
  await imported('observation', fixedTest(), async (annals) => {
    const { rows } = await annals.timeline({ limit: 100 });
    const { id } = rows.find(({ kind }) => kind === 'observation')!;
    const { details, ...item } = await annals.get(id);
    const fields = Object.keys(details as object);
    expect(fields).toContain('facts');
    expect(fields.filter((field) => field in item || field === 'workdir')).toEqual([]);
  });
});

test('a commit that a later turn rewrote is shown as rewritten wherever it is listed', async () => {
  const script = new Session({ session: SESSION, start: Date.UTC(2026, 4, 4) });
  const turn = (prompt: string, file: string, ...runs: readonly (readonly [string, string])[]) => {
    script.prompt(prompt);
    script.edited(`/home/u/app/${file}`);
    for (const [command, printed] of runs) script.ran(command, printed);
    script.reply('The feeder is wider now in this place, so that no frost builds up in it at night.');
  };
  turn(
    'Widen the chute and commit it.',
    'chute.ts',
    ['git commit -am "fix: widen the chute"', '[main 3f602d1] fix: widen the chute'],
    ['git push', '   1111111..3f602d1  main -> main'],
  );
  const amend = 'git commit -a --amend --no-edit';
  turn('The lid too, in the same commit.', 'lid.ts', [amend, '[main 4a713e2] fix: widen the chute']);
  turn('And the hatch.', 'hatch.ts', [`${amend} >/dev/null`, '']);
  await imported('rewritten', script, async (annals) => {
    const evidence = [
      {
        commits: [{ hash: '3f602d1', rewritten: 'yes' }],
        pushes: [{ branch: 'main', hash: '3f602d1', rewritten: 'yes' }],
      },
      { commits: [{ hash: '4a713e2', rewritten: 'maybe' }] },
      { commits: [] },
    ];
    const { items } = await annals.list('observation');
    const cards = [...items].reverse();
    expect(cards).toMatchObject(evidence.map((one) => ({ evidence: one })));
    const shown = await Promise.all(cards.map(({ id }) => annals.get(id)));
    expect(shown).toMatchObject(evidence.map((one) => ({ details: { evidence: one } })));
    const listed = [
      'Commit 3f602d1 (rewritten later): fix: widen the chute',
      'Commit 4a713e2 (may have been rewritten later): fix: widen the chute',
    ];
    expect(cards.map(({ facts }) => facts.at(-1))).toEqual([...listed, undefined]);
    expect(shown.map(({ text }) => text.match(/Commit .*/)?.[0])).toEqual([...listed, undefined]);
    const { results } = await annals.search('3f602d1 kind:observation');
    expect(results[0]!.snippet).toContain(listed[0]);
    const completed = (await annals.list('summary')).items.map((one) => one.completed);
    expect(completed.at(-1)).toContain('Committed 3f602d1 (rewritten later): fix: widen the chute.');
    const { text } = await annals.context({ cwd: '/home/u/app' });
    expect(text).not.toMatch(/(?:3f602d1|4a713e2)(?! \()/);
  });
});

test('a statement that later work overtook says so, in `show` and in a search', async () => {
  const script = new Session({ session: SESSION, start: Date.UTC(2026, 4, 4) });
  script.prompt('Widen the chute of the feeder. Let’s keep the wooden lid of the northern feeder.');
  script.edited('/home/u/app/chute.ts');
  script.reply(
    'Widened the chute of the feeder, so that no frost builds up in it at night.\n\n## Next steps\n- Oil the rusty hinge of the southern hatch\n- Measure the roof beams before winter comes\n- If you want, I paint the garden bench in spring',
  );
  script.prompt(
    'Replace the wooden lid of the northern feeder, and oil that rusty hinge of the southern hatch.',
  );
  script.edited('/home/u/app/hatch.ts');
  script.reply('The hinge of the southern hatch is oiled now, and the lid is made of steel.');
  await imported('overtaken', script, async (annals) => {
    const { rows } = await annals.timeline({ limit: 100 });
    const of = (kind: string) => rows.filter((row) => row.kind === kind);
    const summary = of('summary')[0]!.id;
    const { text, details } = await annals.get(summary);
    const [listed] = (await annals.list('summary')).items.filter(({ id }) => id === summary);
    expect(details).toMatchObject({ nextSteps: listed!.nextSteps });
    expect(listed!.nextSteps[0]).toBe('Oil the rusty hinge of the southern hatch');
    expect(text).toMatch(/Oil the rusty hinge of the southern hatch \(perhaps done since: [op]-\w{12}\)/);
    expect(text).toMatch(/Measure the roof beams before winter comes$/m);
    expect(text).toContain(
      `paint the garden bench in spring (what the person said next: ${of('prompt')[1]!.id})`,
    );
    const first = of('observation')[0]!.id;
    expect((await annals.get(first)).text).toContain(
      `keep the wooden lid of the northern feeder. (perhaps no longer so: ${of('prompt')[1]!.id})`,
    );
    const { results } = await annals.search('wooden lid kind:observation');
    expect(results.find(({ id }) => id === first)!.snippet).toContain('(perhaps no longer so: p-');
    const decided = await annals.search('lid type:decision');
    const shown = decided.results.find(({ id }) => id === first)!;
    expect(shown.snippet).toContain('wooden lid');
    expect(shown.decisions).toBeUndefined();
  });
});

test('a decision about which the person decided again names the later one', async () => {
  const script = new Session({ session: SESSION, start: Date.UTC(2026, 4, 5) });
  for (const currency of ['euros', 'dollars']) {
    script.prompt(`Let’s keep the price list of all northern feeders in ${currency}.`);
    script.edited('/home/u/app/prices.ts');
    script.reply(`The price list of the northern feeders is kept in ${currency} now.`);
  }
  await imported('decided-again', script, async (annals) => {
    const { items } = await annals.list('observation');
    const [dollars, euros] = await Promise.all(items.map(({ id }) => annals.get(id)));
    expect(euros!.text).toContain(`in euros. (decided again later: ${items[0]!.id})`);
    expect(dollars!.text).not.toContain('decided again');
  });
});

test('a listed commit without a hash is known by its whole subject', () => {
  const rewritten = new Map([['fix: oil (all)', 'maybe' as const]]);
  const text =
    '- Commit: fix: oil (all)\n- Commit: fix: oil (all) and grease\nCommitted: fix: oil (all). Done.';
  expect(noteRewritten(text, rewritten).match(/\(may have been rewritten later\): \S+ \S+ \S+/g)).toEqual([
    '(may have been rewritten later): fix: oil (all)',
    '(may have been rewritten later): fix: oil (all).',
  ]);
});

test('the items of a turn have their text in one line', async () => {
  await imported('turn', fixedTest(), async (annals) => {
    const session = (await annals.get(SESSION)).details as unknown as Listed;
    const turn = (await annals.get(session.turns[0]!.id!)).details as unknown as Listed;
    expect(turn.items[0]).toEqual({
      id: expect.stringMatching(/^p-/),
      kind: 'prompt',
      text: 'Why does the feeder jam at night?',
      at: '2026-05-04T00:00:01.000Z',
      agentId: null,
      events: [expect.any(String)],
    });
    const { items: observations } = await annals.list('observation');
    const fix = turn.items.find(({ tool }) => tool?.name === 'Edit')!;
    expect(fix.tool).toEqual({ name: 'Edit', title: 'Edit u/app/chute.ts', outcome: 'ok', error: '' });
    expect(observations[0]!.evidence.events).toEqual(expect.arrayContaining([...fix.events!]));
  });
});

test('every id that a turn lists can be shown; stops without text and private prompts have none', async () => {
  const script = fixedTest();
  script.prompt('<private>the axolotl</private>');
  script.reply('Noted.');
  script.prompt('Go on');
  script.prompt('[Request interrupted by user]');
  await imported('ids', script, async (annals) => {
    const turns = ((await annals.get(SESSION)).details as unknown as Listed).turns;
    const items = [];
    for (const { id } of turns) items.push(...((await annals.get(id!)).details as unknown as Listed).items);
    expect(items.filter(({ id }) => id === null).map(({ text }) => text)).toEqual([
      '[private]',
      'interrupted',
    ]);
    for (const { id } of items) if (id !== null) expect((await annals.get(id)).id).toBe(id);
  });
});

test('a turn says of a tool use whose outcome is unknown that it is, and lists no reports of usage', async () => {
  const home = join(folder, 'unknown-outcome');
  const event = (occurredAt: number, type: NewEvent['type'], dedupeKey: string, body: object): NewEvent =>
    ({
      type,
      agent: 'codex',
      session: SESSION,
      channel: 'hook',
      occurredAt,
      dedupeKey,
      body,
    }) as NewEvent;
  // Makes the home.
  await withHome(home, async () => undefined);
  const files = { headFile: null, world: testWorld(), files: testFiles };
  const log = await openLog({ directory: join(home, 'log'), ...files });
  await log.append([
    event(1_000, 'prompt.submitted', 'p1', { via: 'hook', text: 'Why does the feeder jam?' }),
    event(2_000, 'tool.used', 'c1', {
      toolUseId: 'c1',
      name: 'Bash',
      input: { command: 'npm test' },
      outcome: null,
      endedAt: 1,
    }),
    event(3_000, 'agent.replied', 'u1', {
      text: null,
      usage: { input: 5, output: 1, cacheRead: 0, cacheCreation: 0 },
    }),
  ]);
  await log.close();
  await withHome(home, async (annals) => {
    const session = (await annals.get(SESSION)).details as unknown as Listed;
    const turn = (await annals.get(session.turns[0]!.id!)).details as unknown as Listed;
    expect(turn.items.map(({ text }) => text)).toEqual([
      'Why does the feeder jam?',
      'Bash npm test → outcome unknown',
    ]);
  });
});
