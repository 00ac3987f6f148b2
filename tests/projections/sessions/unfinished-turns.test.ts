// A turn without an end is unfinished: the agent was killed, or is still working. It is not when that cannot be known.
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { type ItemRow, isItemRow, type TurnRow } from '../../../projections/index.ts';
import { viewsOf } from '../../helpers/projected.ts';
import { ofType, readWhole, Script } from '../../helpers/transcripts.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';
const START = Date.UTC(2026, 0, 1);
const LATER = START + 3_600_000;
const ENDS = { stop_reason: 'end_turn' };
const GOES_ON = { stop_reason: 'tool_use' };

/** Whether each turn is unfinished, in order. */
async function unfinished(...events: (readonly NewEvent[])[]): Promise<boolean[]> {
  const runner = await viewsOf(events);
  const rows = (await runner.view('turns').range<TurnRow | ItemRow>('turn/')).map(([, row]) => row);
  const turns = rows.filter((row): row is TurnRow => !isItemRow(row));
  return turns.sort((a, b) => (a.order < b.order ? -1 : 1)).map((turn) => turn.unfinished);
}

const eventsOf = (script: Script) => readWhole(script.bytes()).newEvents;

/** A turn of which the transcript ends after a tool use. */
function killed(script = new Script({ start: START })): Script {
  script.prompt('Make the importer faster');
  script.reply('The parser is twice as fast now.', {}, GOES_ON);
  script.use('toolu_1', 'Edit', { file_path: '/home/u/app/parse.ts' }, {}, GOES_ON);
  script.result('toolu_1', 'done');
  return script;
}

function hook(type: NewEvent['type'], dedupeKey: string, at: number, body: object): NewEvent {
  return {
    type,
    agent: 'claude-code',
    session: SESSION,
    dedupeKey,
    channel: 'hook',
    occurredAt: at,
    body,
  } as NewEvent;
}

const submitted = (at: number, promptId = 'p-1') =>
  hook('prompt.submitted', `hook:${promptId}`, at, { via: 'hook', kind: 'prompt', text: 'Go on', promptId });
const used = (at: number, promptId = 'p-1') => {
  const body = { toolUseId: `toolu_h${at}`, name: 'Bash', input: {}, outcome: 'ok', promptId };
  return hook('tool.used', body.toolUseId, at, body);
};
const stopped = (at: number, promptId = 'p-1') =>
  hook('agent.stopped', `stop:${at}`, at, { reason: 'end', text: 'Done.', promptId });
const started = (at: number) => hook('session.started', `start:${at}`, at, { source: 'resume' });
const ended = (at: number) => hook('session.ended', `end:${at}`, at, { reason: 'other' });

describe('A turn is unfinished', () => {
  it('when its transcript ends with a tool use', async () => {
    expect(await unfinished(eventsOf(killed()))).toEqual([true]);
  });

  it('when only the usage of its last message follows a tool use', async () => {
    const usage = { input: 50, output: 30, cacheRead: 0, cacheCreation: 0 };
    const reported = hook('agent.replied', 'usage:1', START + 60_000, { text: null, usage });
    expect(await unfinished([...eventsOf(killed()), reported])).toEqual([true]);
  });

  it('when its transcript ends with a reply that announced a tool use', async () => {
    const script = new Script();
    script.prompt('Make the importer faster');
    script.reply('The parser is twice as fast now.', {}, GOES_ON);
    expect(await unfinished(eventsOf(script))).toEqual([true]);
  });

  it('when its sub-agent answered and the agent did not', async () => {
    const script = killed();
    script.reply('I read all of it.', { isSidechain: true, agentId: 'a1' }, ENDS);
    expect(await unfinished(eventsOf(script))).toEqual([true]);
  });

  it('when hooks reported a tool use and no stop', async () => {
    expect(await unfinished([submitted(START), used(START + 1)])).toEqual([true]);
  });

  it('when the session ended only before it', async () => {
    expect(await unfinished(eventsOf(killed()), [ended(START - 1)])).toEqual([true]);
  });

  it('when nothing followed its prompt', async () => {
    expect(await unfinished([submitted(START)])).toEqual([true]);
  });

  it('when the session started again after it, even with a later prompt', async () => {
    const again = [started(START + 10), submitted(START + 20, 'p-2'), stopped(START + 30, 'p-2')];
    expect(await unfinished([submitted(START), used(START + 1), ...again])).toEqual([true, false]);
  });

  it('when the next start of the agent closed its last tool use', async () => {
    const script = killed();
    script.use('toolu_2', 'Bash', { command: 'sleep 90' }, {}, GOES_ON);
    const words = "[Tool call interrupted: the session ended before this call's result was recorded]";
    script.result('toolu_2', words, {}, { is_error: true });
    script.prompt('Go on');
    script.reply('All done.', {}, ENDS);
    expect(await unfinished(eventsOf(script))).toEqual([true, false]);
  });
});

describe('A turn is not called unfinished', () => {
  it('when its last reply ends it', async () => {
    const script = killed();
    script.reply('All done.', {}, ENDS);
    expect(await unfinished(eventsOf(script))).toEqual([false]);
  });

  it('when its last reply has no stop reason, as in old versions', async () => {
    const script = killed();
    script.reply('All done.');
    expect(await unfinished(eventsOf(script))).toEqual([false]);
  });

  it('when a hook reported its stop, in either order of arrival', async () => {
    const stop = [stopped(LATER)];
    expect(await unfinished(eventsOf(killed()), stop)).toEqual([false]);
    expect(await unfinished(stop, eventsOf(killed()))).toEqual([false]);
  });

  it('when the person interrupted it', async () => {
    const script = killed();
    script.prompt('[Request interrupted by user]');
    expect(await unfinished(eventsOf(script))).toEqual([false]);
  });

  it('when the session ended after it', async () => {
    expect(await unfinished(eventsOf(killed()), [ended(LATER)])).toEqual([false]);
  });

  it('when it may have answered a later prompt', async () => {
    const script = killed();
    script.prompt('And the writer too');
    script.reply('Both are done.', {}, ENDS);
    expect(await unfinished(eventsOf(script))).toEqual([false, false]);
  });

  it('when the session ended between it and a new start', async () => {
    const again = [
      ended(START + 5),
      started(START + 10),
      submitted(START + 20, 'p-2'),
      stopped(START + 30, 'p-2'),
    ];
    expect(await unfinished([submitted(START), used(START + 1), ...again])).toEqual([false, false]);
  });

  it('when it is a slash command', async () => {
    const script = new Script();
    script.prompt('<command-name>/clear</command-name>');
    expect(await unfinished(eventsOf(script))).toEqual([false]);
  });

  it('when it is private', async () => {
    const script = new Script();
    script.prompt('<private>Look at the heron</private>');
    script.use('toolu_1', 'Bash', { command: 'ls' });
    expect(await unfinished(eventsOf(script))).toEqual([false]);
  });

  it('when an earlier prompt is private, because its end may be private', async () => {
    const script = new Script();
    script.prompt('<private>Look at the heron</private>', { promptId: 'p-1', promptSource: 'typed' });
    script.use('toolu_bheron001', 'Bash', { command: 'make', run_in_background: true });
    script.result('toolu_bheron001', 'Running.', {
      toolUseResult: { stdout: '', backgroundTaskId: 'bheron001' },
    });
    script.reply('It is running.', {}, ENDS);
    script.prompt('Meanwhile', { promptId: 'p-2', promptSource: 'typed' });
    script.use('toolu_1', 'Bash', { command: 'ls' }, {}, GOES_ON);
    script.enqueue('<task-notification>\n<task-id>bheron001</task-id>\n</task-notification>');
    script.result('toolu_1', 'a.txt', { promptId: 'p-2' });
    script.queue('remove');
    script.reply('All of it is done.', {}, ENDS);
    expect(await unfinished(eventsOf(script))).toEqual([false, false]);
  });

  it('when it continued in another session', async () => {
    const script = killed();
    script.meta('continued-in', { continuedInSessionId: '22222222-2222-4333-8444-555555555555' });
    expect(await unfinished(eventsOf(script))).toEqual([false]);
  });

  it('when a copy of its file goes on under a new session id, as in old versions', async () => {
    const sessionId = '22222222-2222-4333-8444-555555555555';
    const script = killed();
    script.reply('All done.', { sessionId });
    const { newEvents } = readWhole(script.bytes());
    const [continued, ...others] = ofType(newEvents, 'session.continued');
    expect([continued?.session, continued?.body.into, others]).toEqual([SESSION, sessionId, []]);
    expect(await unfinished(newEvents)).toEqual([false, false]);
    const apart = killed();
    apart.prompt('Oil the door', { sessionId, parentUuid: null });
    expect(await unfinished(eventsOf(apart))).toEqual([true, true]);
  });
});
