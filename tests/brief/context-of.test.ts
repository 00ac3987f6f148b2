import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Annals, CONTEXT_OCCASIONS } from '../../src/api.ts';
import { openAnnals } from '../../src/index.ts';
import { onEachCorpus } from '../helpers/corpus/corpora.ts';
import { testFolder } from '../helpers/views.ts';
import { fixedFeeder, movedReport } from '../projections/context/sessions.ts';
import { Session } from '../projections/extract/observed.ts';

const NOW = Date.UTC(2026, 0, 5);
const CWD = '/home/u/app';

async function opened(...transcripts: readonly Buffer[]): Promise<Annals> {
  const folder = await testFolder();
  const source = join(folder, 'transcripts');
  await mkdir(source);
  for (const [index, bytes] of transcripts.entries()) await writeFile(join(source, `${index}.jsonl`), bytes);
  const annals = await openAnnals({ home: join(folder, 'home') });
  onTestFinished(() => annals.close());
  if (transcripts.length > 0) await annals.import([source]);
  return annals;
}

describe('The brief for the next session of a project', () => {
  it('shows where the last one stopped, what is open, what was decided and how tests are run', async () => {
    const annals = await opened(fixedFeeder(), movedReport());
    const { text, tokens, project, degraded } = await annals.context({ cwd: CWD });
    expect(project).toBe('app');
    expect(degraded).toEqual([]);
    expect(tokens).toBe(Math.ceil(text.length / 4));
    expect(text).toMatch(
      /Where the last session stopped[\s\S]*Move the weekly report[\s\S]*## Open problems/,
    );
    expect(text).toContain('`npm test` failed the last time its end was seen');
    expect(text).toContain('existing schedules must stay readable');
    expect(text).toContain('expected 2 feedings to be 1');
  });

  it('states what it costs for the person only, from the usage of those turns', async () => {
    const annals = await opened(fixedFeeder());
    const agents = await annals.context({ cwd: CWD });
    expect(agents.text).not.toMatch(/costs? about/);
    const { text } = await annals.context({ cwd: CWD, form: 'person', width: 200, color: false });
    const item = await annals.get('aaaaaaaa-0000-4000-8000-000000000001');
    const { usage } = item.details as { usage: Record<string, number> };
    const sum = Object.values(usage).reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(0);
    expect(text).toContain(
      `Reading this costs about ${agents.tokens} tokens; finding it out cost about ${sum} `,
    );
  });

  it('shows the agent’s own recap, unless a prompt came after it', async () => {
    const script = new Session();
    script.prompt('start the feeder and look whether the hatch jams');
    script.reply('The feeder runs in the background.');
    script.system('away_summary', { content: 'We repair the feeder. Next: grease the hatch_spring.' });
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toMatch(/Recap: .*We repair the feeder\. Next: grease the hatch_spring\./);
    expect(text).toContain('Answer: [agent] The feeder runs');
    const { results } = await annals.search('where were we with the hatch spring');
    expect(JSON.stringify(results)).toContain('"recap"');
    script.prompt('is it done?');
    const later = await opened(script.bytes());
    expect((await later.context({ cwd: CWD })).text).not.toContain('Recap:');
  });

  it('shows a code block of an answer in the line of the answer', async () => {
    const script = new Session();
    script.prompt('did you push?');
    script.reply(
      'Yes, all is pushed:\n\n```\nOn branch `hatch`\nnothing to commit\n```\n\nThe epic is closed.',
    );
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toContain("Yes, all is pushed: `On branch 'hatch' nothing to commit` The epic is closed.");
    expect(text).not.toContain('```');
  });

  it('shows the end of a turn without a summary, and notes a turn without an answer', async () => {
    const script = new Session();
    script.prompt('start the feeder');
    script.reply('The feeder runs in the background.');
    script.prompt('does the hatch still jam?');
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toMatch(
      /Asked last: \[user\] does the hatch still jam\? .*\n {2}Answer: no answer is on record/,
    );
    expect(text).toMatch(
      /Asked: \[user\] start the feeder .*\n {2}Answer: \[agent\] The feeder runs in the background\./,
    );
  });

  it('does not show an announcement as the answer, and marks where a long answer is cut', async () => {
    const script = new Session();
    script.prompt('start the feeder');
    script.reply('I’ll start by reading all of the key files in parallel to understand the current state.');
    script.prompt('does the hatch still jam?');
    script.reply(`It jams when ${'the old hinge of the hatch is cold and '.repeat(30)}wet.`);
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toMatch(/Said on the way: \[agent\] I’ll start by reading/);
    expect(text).toMatch(/Answer: \[agent\] It jams when .*\w…/);
  });

  it('does not show words before a tool use as the answer', async () => {
    const script = new Session();
    script.prompt('start the feeder');
    script.reply('This takes a while.', {}, { stop_reason: 'tool_use' });
    script.prompt('does the hatch still jam?');
    script.reply('Slowly.');
    script.ran('ls');
    script.prompt('which birds came today?');
    script.reply('Three herons.', {}, { stop_reason: 'end_turn' });
    script.ran('ls');
    script.prompt('who feeds them?');
    script.reply('The neighbour.');
    script.use('toolu_todo', 'TodoWrite', { todos: [] });
    script.result('toolu_todo', 'ok');
    script.prompt('where does the lamp stand?');
    script.ran('ls');
    script.reply('By the door.');
    const annals = await opened(script.bytes());
    const { session } = script;
    const { text } = await annals.context({ cwd: CWD, kind: 'compact', session });
    expect(text.match(/(?<=- )(?:Answer|Said on the way): .*\./g)).toEqual([
      'Answer: [agent] By the door.',
      'Answer: [agent] The neighbour.',
      'Answer: [agent] Three herons.',
      'Said on the way: [agent] Slowly.',
      'Said on the way: [agent] This takes a while.',
    ]);
  });

  it('says that a turn ended in an error, unless the agent went on', async () => {
    const script = new Session();
    script.prompt('start the feeder');
    script.reply('One thing first.', {}, { stop_reason: 'tool_use' });
    script.ran('ls');
    const failed = { isApiErrorMessage: true };
    script.reply('API Error: 400', failed, { model: '<synthetic>' });
    script.prompt('does the hatch still jam?');
    script.reply('API Error: 529', failed, { model: '<synthetic>' });
    script.reply('It does not.');
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toMatch(
      /Asked: \[user\] start the feeder .*\n {2}Failed: this turn ended in an error; .*\n {2}Said on the way: \[agent\] One thing first\./,
    );
    expect(text).toMatch(/does the hatch still jam\? .*\n {2}Answer: \[agent\] It does not\./);
  });

  it('says that the person stopped a turn, also one in which the agent said something', async () => {
    const script = new Session();
    script.prompt('start the feeder');
    script.reply('I look for its switch.');
    script.prompt('[Request interrupted by user]');
    script.prompt('does the hatch still jam?');
    script.prompt('[Request interrupted by user]');
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toMatch(
      /Asked last: \[user\] does the hatch still jam\? .*\n {2}Stopped: the person stopped this turn/,
    );
    expect(text).toMatch(
      /Asked: \[user\] start the feeder .*\n {2}Stopped: the person .*\n {2}Said on the way: \[agent\] I look for its switch\./,
    );
    expect(text).not.toContain('Answer: ');
  });

  it.each([
    ['the person stopped', '[Request interrupted by user]', {}],
    ['ended in an error', 'API Error: 400', { isApiErrorMessage: true }],
  ])('shows the prompt at the end of an earlier session whose turn %s', async (end, said, extra) => {
    const earlier = new Session({
      session: '99999999-2222-4333-8444-555555555555',
      firstUuid: 900,
      start: Date.UTC(2025, 11, 30),
    });
    earlier.prompt('write a page about the winter plan of feeders');
    earlier.reply('I begin.');
    earlier.reply(said, extra, { model: '<synthetic>' });
    const annals = await opened(earlier.bytes(), fixedFeeder());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toMatch(new RegExp(`- “write a page about the winter plan of feeders” → .*${end}`));
  });

  it('shows such a prompt also in the session with the newest summary', async () => {
    const earlier = new Session();
    earlier.prompt('make the hatch open an hour earlier');
    earlier.edited('/home/u/app/src/hatch.ts');
    earlier.reply('The hatch now opens an hour earlier.');
    earlier.prompt('write a page about the winter plan of feeders');
    earlier.prompt('[Request interrupted by user]');
    const later = new Session({
      session: '99999999-2222-4333-8444-555555555555',
      firstUuid: 900,
      start: Date.UTC(2026, 0, 3),
    });
    later.prompt('where does the lamp stand?');
    later.reply('By the door.');
    const annals = await opened(earlier.bytes(), later.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toContain('- “write a page about the winter plan of feeders” → the person stopped');
    expect(text).toMatch(/Earlier session: .*\n- Asked earlier: \[user\] make the hatch/);
  });

  it('does not call a turn stopped in which the agent went on', async () => {
    const script = new Session();
    script.prompt('start the feeder');
    script.reply('I look for its switch.');
    script.reply('[Request interrupted by user]', {}, { model: '<synthetic>' });
    script.reply('The feeder runs in the background.');
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toContain('Answer: [agent] The feeder runs in the background.');
    expect(text).not.toContain('Stopped: ');
  });

  it('does not say of a forgotten answer that it was never recorded', async () => {
    const script = new Session();
    script.prompt('does the hatch still jam?');
    script.reply('No, it has a heater.');
    const annals = await opened(script.bytes());
    const { results } = await annals.search('heater', { kind: 'answer' });
    await annals.forget({ ids: results.map(({ id }) => id) });
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toContain('does the hatch still jam?');
    expect(text).not.toMatch(/heater|was recorded/);
  });

  it('lists all prompts of the session after a compaction, not only those that changed files', async () => {
    const script = new Session();
    script.prompt('does the hatch jam when it freezes?');
    script.reply('No, the hatch has a heater.', {}, { stop_reason: 'end_turn' });
    script.prompt('make the hatch open an hour earlier, and never touch the weekly report');
    script.edited('/home/u/app/src/hatch.ts');
    script.reply(
      'The hatch now opens an hour earlier, because birds come at dawn. Next step: adjust the winter schedule in winter.ts.',
      {},
      { stop_reason: 'end_turn' },
    );
    script.prompt('which birds came today?');
    script.reply('Three herons came today.', {}, { stop_reason: 'end_turn' });
    script.prompt('does the roof leak?');
    script.prompt('[Request interrupted by user]');
    script.prompt('/compact');
    const annals = await opened(script.bytes(), fixedFeeder());
    const { session } = script;
    const { text } = await annals.context({ cwd: CWD, kind: 'compact', session });
    expect(text).toMatch(
      /## What was asked in this session, newest first\n- \[user\] does the roof leak\? .*\n {2}- Stopped: the person stopped .*\n- \[user\] which birds came today\? .*\n {2}- Answer: \[agent\] Three herons came today\..*\n- \[user\] make the hatch open an hour earlier.*\n- \[user\] does the hatch jam.*\n {2}- Answer: \[agent\] No, the hatch has a heater\./,
    );
    expect(text).toMatch(/What this session did so far[\s\S]*opens an hour earlier/);
    expect(text).toMatch(/Left open.*\n- .*winter\.ts/);
    expect(text).toMatch(/Decisions made[\s\S]*never touch the weekly report/);
    expect(text).not.toMatch(/\/compact|Move the weekly report/);
    const started = await annals.context({ cwd: CWD });
    expect(started.text).not.toContain('What was asked in this session');
  });

  it('does not name another session as the one that a fork continues', async () => {
    const annals = await opened(fixedFeeder(), movedReport());
    const session = '77777777-2222-4333-8444-555555555555';
    const { text } = await annals.context({ cwd: CWD, kind: 'fork', session, isStarting: true });
    expect(text).toMatch(/^## Where the last session stopped/m);
    expect(text).toContain('Asked: [user] Move the weekly report');
    expect(text).not.toMatch(/Where this session was|Since then|evening feeding/);
  });

  it('shows a prompt with its slash command', async () => {
    const script = new Session();
    script.prompt('<command-name>/greet</command-name>\n<command-args>the cat</command-args>');
    script.reply('Hello, cat.', {}, { stop_reason: 'end_turn' });
    const annals = await opened(script.bytes());
    expect((await annals.context({ cwd: CWD })).text).toContain('Asked last: [user] /greet the cat');
  });

  it('leaves out commits that were rewritten, after a compaction', async () => {
    const script = new Session();
    script.prompt('commit the hatch');
    script
      .edited('/home/u/app/src/hatch.ts')
      .ran('git commit -am "feat: a hatch"', '[main 3f602d1] feat: a hatch');
    script.reply('The hatch is committed, and it opens an hour before dusk on every day.');
    script.prompt('say it better: a soft reset, then commit again');
    script.ran(
      'git reset --soft HEAD~1 && git commit -m "feat: a wide hatch"',
      '[main 4a713e2] feat: a wide hatch',
    );
    script.reply('It is the same hatch with a better message, and nothing else was changed.');
    const annals = await opened(script.bytes());
    const { text } = await annals.context({ cwd: CWD, kind: 'compact', session: script.session });
    expect(text).toContain('Committed: 4a713e2 feat: a wide hatch');
    expect(text).not.toContain('Committed: 3f602d1');
  });

  it('is empty in an unknown folder, where a person gets one line of welcome', async () => {
    const annals = await opened(fixedFeeder());
    const cwd = '/home/u/new-project';
    expect(await annals.context({ cwd })).toMatchObject({ text: '', tokens: 0, project: 'new-project' });
    const { text } = await annals.context({ cwd, form: 'person' });
    expect(text.split('\n')).toHaveLength(1);
    expect(text).toContain('new-project');
    await expect(annals.context({ project: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('finds its project from a folder deeper in the repository, without writing an event', async () => {
    const folder = await testFolder();
    const deep = join(folder, 'app', 'src', 'deep');
    await mkdir(deep, { recursive: true });
    await mkdir(join(folder, 'app', '.git'));
    await writeFile(join(folder, 'app', '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const annals = await opened(fixedFeeder({ cwd: join(folder, 'app') }));
    const before = (await annals.status()).log.events;
    const { text, project } = await annals.context({ cwd: deep });
    expect(project).toBe('app');
    expect(text).toContain('evening feeding test');
    expect((await annals.status()).log.events).toBe(before);
  });

  it('shows saved memories, and saved decisions among the decisions', async () => {
    const annals = await opened();
    await annals.save([
      { title: 'Deploy on Mondays', text: 'The zoo is closed then.', cwd: CWD, at: NOW },
      { title: 'No glue', text: 'It melts in summer.', type: 'decision', cwd: CWD, at: NOW },
    ]);
    const { text } = await annals.context({ cwd: CWD });
    expect(text).toContain('Deploy on Mondays — The zoo is closed then.');
    expect(text).toMatch(/## Decisions made[^#]*No glue — It melts in summer\./);
  });
});

describe('A timeline', () => {
  it('lists prompts, observations, summaries and saved memories, oldest first', async () => {
    const annals = await opened(fixedFeeder(), movedReport());
    await annals.save({ title: 'No glue', text: 'It melts.', cwd: CWD, at: NOW });
    const { rows } = await annals.timeline({ project: 'app' });
    expect(rows.map(({ kind }) => kind).filter((kind) => kind !== 'summary')).toEqual([
      'prompt',
      'observation',
      'prompt',
      'observation',
      'memory',
    ]);
    expect(rows.map(({ at }) => at)).toEqual([...rows.map(({ at }) => at)].sort());
    expect(rows.every(({ project }) => project === 'app')).toBe(true);
    expect((await annals.timeline({ limit: 1 })).rows.map(({ title }) => title)).toEqual(['No glue']);
  });

  it('shows what is around one item, named by any id or id prefix, and the item itself', async () => {
    const annals = await opened(fixedFeeder(), movedReport());
    const all = (await annals.timeline()).rows;
    const middle = all[2]!;
    const { rows } = await annals.timeline({ around: middle.id.slice(0, 10), limit: 3 });
    expect(rows).toHaveLength(3);
    expect(rows.map(({ id }) => id)).toContain(middle.id);
    const tool = (await annals.search('npm test', { kind: 'tool', limit: 1 })).results[0]!;
    const around = await annals.timeline({ around: tool.id, limit: 4 });
    expect(around.rows.map(({ id }) => id)).toContain(tool.id);
    await expect(annals.timeline({ around: 'o-zzzzzzzzzzzz' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows as many rows before and after the item as requested', async () => {
    const annals = await opened(fixedFeeder(), movedReport());
    const project = (await annals.timeline()).rows[2]!.project;
    const all = (await annals.timeline({ project })).rows.map(({ id }) => id);
    const middle = Math.floor(all.length / 2);
    const ids = async (before: number, after: number) =>
      (await annals.timeline({ around: all[middle]!, before, after })).rows.map(({ id }) => id);
    expect(await ids(1, 1)).toEqual(all.slice(middle - 1, middle + 2));
    expect(await ids(1, 0)).toEqual(all.slice(middle - 1, middle + 1));
    expect(await ids(0, 1)).toEqual(all.slice(middle, middle + 2));
    expect(await ids(0, 0)).toEqual([all[middle]]);
    expect(await ids(1_000, 1_000)).toEqual(all);
    await expect(annals.timeline({ before: 3 })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('can be limited to one session and to a time span', async () => {
    const annals = await opened(fixedFeeder(), movedReport());
    const session = 'aaaaaaaa-0000-4000-8000-000000000001';
    const { rows } = await annals.timeline({ session: 'aaaaaaaa' });
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(rows.map((row) => row.session))).toEqual(new Set([session]));
    const later = await annals.timeline({ since: Date.UTC(2026, 0, 2), until: Date.UTC(2026, 0, 3) });
    expect(later.rows.length).toBeGreaterThan(0);
    expect(later.rows.some((row) => row.session === session)).toBe(false);
  });
});

onEachCorpus('Over many projects', ({ files }) => {
  it('keeps within its limits for every project and occasion, and is the same after a rebuild', async () => {
    const annals = await opened();
    await annals.import(files.map(({ path }) => path));
    const projects = (await annals.status()).projects.map(({ name }) => name);
    const texts = async () => {
      const texts: string[] = [];
      for (const project of projects)
        for (const kind of CONTEXT_OCCASIONS) texts.push((await annals.context({ project, kind })).text);
      return texts;
    };
    const before = await texts();
    expect(before.filter((text) => text !== '').length).toBeGreaterThan(10);
    for (const text of before.filter((one) => one !== '')) {
      expect(text.length).toBeLessThanOrEqual(9_000);
      expect(text).toMatch(/^<annals-context project="[^"\n]+">\n[\s\S]+\n<\/annals-context>$/);
      expect(text).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\p{Surrogate}|[\u{10000}-\u{10ffff}]/u,
      );
    }
    await annals.rebuild();
    expect(await texts()).toEqual(before);
  });
});
