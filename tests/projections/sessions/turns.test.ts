import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import {
  type ItemRow,
  isItemRow,
  readTool,
  type SessionRow,
  sessionKeys,
  type TurnRow,
} from '../../../projections/index.ts';
import { viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const AGENT = 'claude-code';

async function turnsOf(...events: (readonly NewEvent[])[]) {
  const runner = await viewsOf(events);
  const view = runner.view('turns');
  const rows = (await view.range<TurnRow | ItemRow>('turn/')).map(([, row]) => row);
  const turns = rows
    .filter((row): row is TurnRow => !isItemRow(row))
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  const sessions = (await view.range<SessionRow>(sessionKeys.sessions())).map(([, row]) => row);
  return { turns, items: rows.filter(isItemRow), session: sessions[0]! };
}

function hookUse(id: string, more: object): NewEvent {
  const body = { toolUseId: id, name: 'Bash', input: { command: 'ls' }, outcome: 'ok' as const, ...more };
  const session = '11111111-2222-4333-8444-555555555555';
  return { type: 'tool.used', agent: AGENT, session, dedupeKey: id, channel: 'hook', occurredAt: 9e12, body };
}

describe('The branch of a session', () => {
  it.each<[string, string, readonly (readonly [branch: string, command: string, printed: string])[]]>([
    [
      'git switched to',
      'oak',
      [
        ['main', 'git switch -c oak', "Switched to a new branch 'oak'"],
        ['main', 'ls', ''],
      ],
    ],
    ['git committed to', 'oak', [['main', 'git commit -m Oil', '[oak 3f602d1] Oil\n 1 file changed']]],
    [
      'a status names',
      'oak',
      [['main', 'cd /home/u/app && git status -sb', '## oak...origin/oak [ahead 1]']],
    ],
    [
      'a status by rtk names',
      'oak',
      [['main', 'rtk git status', '📌 oak...origin/oak\n📝 Modified: 1 files']],
    ],
    [
      'the agent states later',
      'ash',
      [
        ['main', 'git status', 'On branch main'],
        ['ash', 'ls', ''],
      ],
    ],
    ['of its folder, not of another', 'main', [['main', 'git -C /home/u/oak status -sb', '## oak']]],
    ['that is no heading of a text', 'main', [['main', 'git status -s; cat a.md', '## oak']]],
    ['a rebase does not leave', 'main', [['main', 'git commit -m Oil', '[detached HEAD 3f602d1] Oil']]],
  ])('is the one that %s: %s', async (_, expected, uses) => {
    const events = uses.map(([branch, command, result], index) => ({
      ...hookUse(`toolu_${index}`, { branch, result, cwd: '/home/u/app', input: { command } }),
      occurredAt: 9e12 + index,
    }));
    expect((await turnsOf(events)).session.branch).toBe(expected);
  });

  it('is not that of a prompt after the work', async () => {
    const script = new Script();
    script.prompt('List', { gitBranch: 'oak' });
    script.reply('A file.', { gitBranch: 'oak' });
    script.prompt('/exit', { gitBranch: 'main' });
    expect((await turnsOf(readWhole(script.bytes()).newEvents)).session.branch).toBe('oak');
  });
});

describe('A turn', () => {
  it('prices an API message once, by its last and largest line', async () => {
    const script = new Script();
    script.prompt('Hello');
    const usage = (output: number) => ({ id: 'msg_1', usage: { input_tokens: 10, output_tokens: output } });
    script.assistant([{ type: 'thinking', thinking: 'hm' }], {}, usage(1));
    script.reply('Hello to you', {}, usage(7));
    script.use('toolu_1', 'Bash', { command: 'ls' }, {}, usage(42));
    script.result('toolu_1', 'a.ts');
    const { session } = await turnsOf(readWhole(script.bytes()).newEvents);
    expect(session.usage).toMatchObject({ input: 10, output: 42 });
  });

  it('takes text and time from the transcript and duration from the hook, in either order of arrival', async () => {
    const script = new Script();
    script.prompt('List');
    script.use('toolu_1', 'Bash', { command: 'ls -la' });
    script.result('toolu_1', 'a.ts');
    // Both report a duration: the hook's counts.
    const transcript = readWhole(script.bytes()).newEvents.map((newEvent) =>
      newEvent.type === 'tool.used' ? { ...newEvent, body: { ...newEvent.body, durationMs: 99 } } : newEvent,
    );
    const hook = [hookUse('toolu_1', { durationMs: 17 })];
    for (const events of [
      [transcript, hook],
      [hook, transcript],
    ]) {
      const { items } = await turnsOf(...events);
      const used = items.filter((item) => item.kind === 'tool');
      expect(used).toHaveLength(1);
      expect(readTool(used[0]!)).toMatchObject({ input: { command: 'ls -la' }, durationMs: 17 });
      expect(used[0]!.at).toBeLessThan(9e12);
    }
  });

  it('includes the tool uses of its sub-agent, which has a file of its own', async () => {
    const main = new Script({ start: Date.UTC(2026, 0, 1) });
    main.prompt('Explore the code', { promptId: 'one' });
    main.use('toolu_1', 'Agent', { description: 'Explore', prompt: 'Look' });
    main.result('toolu_1', 'Found it', { toolUseResult: { status: 'completed', agentId: 'abc' } });
    main.prompt('Thanks', { promptId: 'two' });
    const agent = new Script({ start: Date.UTC(2026, 0, 2), firstUuid: 500 });
    const aside = { isSidechain: true, agentId: 'abc' };
    agent.prompt('Look', aside);
    agent.use('toolu_2', 'Grep', { pattern: 'x' }, aside);
    agent.result('toolu_2', 'x', aside);
    const whole = [
      readWhole(main.bytes()).newEvents,
      readWhole(agent.bytes(), { name: 'agent-abc.jsonl' }).newEvents,
    ];
    const { turns, items } = await turnsOf(...whole);
    const launched = items.find((item) => item.kind === 'tool' && item.reports[0]!.dedupeKey === 'toolu_2');
    expect(turns).toHaveLength(2);
    expect(launched?.turn).toBe(turns[0]!.id);
  });

  it('ends at a prompt that reached the working agent, when only the queue reports that prompt', async () => {
    const script = new Script();
    script.prompt('Build it');
    script.use('toolu_1');
    script.result('toolu_1', 'ok');
    script.enqueue('And test it');
    script.dequeue();
    script.use('toolu_2', 'Bash', { command: 'npm test' });
    script.result('toolu_2', 'ok');
    const { turns } = await turnsOf(readWhole(script.bytes()).newEvents);
    expect(turns.map(({ counts }) => counts)).toMatchObject([
      { prompts: 1, toolUses: 1 },
      { prompts: 1, toolUses: 1 },
    ]);
  });

  it('does not count a command such as /exit alone as a turn', async () => {
    const script = new Script();
    script.prompt('Open the door');
    script.reply('It is open.');
    script.prompt('<command-name>/exit</command-name>');
    script.use('toolu_1', 'TaskStop', { task_id: 'b1' });
    script.result('toolu_1', 'stopped');
    const { session } = await turnsOf(readWhole(script.bytes()).newEvents);
    expect(session).toMatchObject({ turns: 1, counts: { prompts: 1, commands: 1, toolUses: 1 } });
  });

  it('counts a tool use once that was first unanswered and then finished', async () => {
    const script = new Script();
    script.prompt('Wait');
    script.use('toolu_1', 'Bash', { command: 'sleep 9' });
    script.prompt('Go on');
    script.result('toolu_1', 'done at last');
    const { items, session } = await turnsOf(readWhole(script.bytes()).newEvents);
    const used = items.filter((item) => item.kind === 'tool');
    expect(session.counts.toolUses).toBe(1);
    expect(used).toHaveLength(1);
    expect(used[0]!.reports).toHaveLength(2);
    expect(readTool(used[0]!).outcome).toBe('ok');
  });
});
