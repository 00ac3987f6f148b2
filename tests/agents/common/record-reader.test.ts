// The reader of records, with a format made for these tests: each line holds its records.
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { readRecords } from '../../../src/agents/common/record-reader.ts';
import { freshState } from '../../../src/agents/common/record-state.ts';
import type { TranscriptFormat, TranscriptRecord } from '../../../src/agents/common/records.ts';
import { sanitizerOf } from '../../../src/agents/common/sanitizer.ts';
import { PrivatePrompts } from '../../../src/capture/private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../../../src/capture/text/clip.ts';
import { linesOf } from '../../../src/capture/transcripts/line-splitter.ts';

const format: TranscriptFormat = {
  version: 1,
  form: 'lines',
  memory: {},
  records: (line, memory) => ({ records: line.records as unknown as TranscriptRecord[], memory }),
};

const SESSION: TranscriptRecord = { kind: 'session', at: 1, session: 'session-1', cwd: '/home/robin/feeder' };
const prompt = (id: string, text: string, turn: string | null = null): TranscriptRecord => ({
  kind: 'prompt',
  at: 2,
  id,
  text,
  turn,
});
const call = (id: string, more: Partial<TranscriptRecord> = {}): TranscriptRecord =>
  ({ kind: 'call', at: 3, id, name: 'shell', input: { command: 'npm test' }, ...more }) as TranscriptRecord;
const result = (id: string, more: object = {}): TranscriptRecord =>
  ({ kind: 'result', at: 5, id, outcome: 'failed', text: '1 failed', ...more }) as TranscriptRecord;
const reply = (id: string, text: string, more: object = {}): TranscriptRecord => ({
  kind: 'reply',
  at: 6,
  id,
  text,
  ...more,
});

/** Reads the lines in parts that end after these bytes. */
function read(lines: readonly (readonly TranscriptRecord[])[], cuts: readonly number[] = []) {
  const bytes = Buffer.from(lines.map((records) => `${JSON.stringify({ records })}\n`).join(''));
  const world = {
    agent: 'codex',
    format,
    path: '/sessions/session-1.jsonl',
    sanitizer: sanitizerOf(TRANSCRIPT_CLIP_BYTES),
    fallbackSession: 'session-1',
    mainSessionOf: (session: string) => session,
    privatePrompts: new PrivatePrompts(),
    lineAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  let state = freshState(format);
  const events: NewEvent[] = [];
  for (const end of [...cuts, bytes.length]) {
    const part = linesOf(bytes.subarray(state.offset, end), state.offset);
    const outcome = readRecords(JSON.parse(JSON.stringify(state)) as typeof state, part, world);
    events.push(...outcome.events);
    state = outcome.state;
  }
  return { events, state, size: bytes.length };
}

const types = (events: readonly NewEvent[]) => events.map(({ type }) => type);

describe('The reader of records', () => {
  it('says whether the agent goes on after a reply', () => {
    const { events } = read([[SESSION], [reply('r-1', 'I look.', { goesOn: true }), reply('r-2', 'Done.')]]);
    const replies = events.filter(({ type }) => type === 'agent.replied');
    expect(replies.map(({ body }) => (body as { stopReason?: string }).stopReason)).toEqual([
      'tool_use',
      undefined,
    ]);
  });

  it('joins a call with its result, whichever comes first', () => {
    for (const pair of [
      [call('c-1'), result('c-1')],
      [result('c-1'), call('c-1')],
    ]) {
      const { events } = read([[SESSION], [prompt('p-1', 'Run the tests')], ...pair.map((one) => [one])]);
      expect(types(events)).toEqual(['session.started', 'prompt.submitted', 'tool.used']);
      expect(events[2]).toMatchObject({
        agent: 'codex',
        session: 'session-1',
        channel: 'transcript',
        body: { name: 'shell', input: { command: 'npm test' }, outcome: 'failed', error: '1 failed' },
      });
    }
  });

  it('gives the same events however the file is cut', () => {
    const lines = [
      [SESSION],
      [prompt('p-1', 'Run the tests', 't-1')],
      [call('c-1'), call('c-2')],
      [result('c-2')],
      [result('c-1')],
      [reply('r-1', 'One test fails.')],
      [prompt('p-2', '<private>my key is in the drawer</private>', 't-2')],
      [call('c-3', { turn: 't-2' })],
      [result('c-3', { turn: 't-2' })],
      [reply('r-2', 'I found the key.', { turn: 't-2' })],
      [prompt('p-3', 'Go on', 't-3')],
      [reply('r-3', 'Done.')],
    ];
    const whole = read(lines);
    for (let end = 1; end < whole.size; end += 7) expect(read(lines, [end])).toEqual(whole);
  });

  it('records of a private turn only that it took place', () => {
    const { events, state } = read([
      [SESSION],
      [prompt('p-1', '<private>my key is in the drawer</private>', 't-1')],
      [call('c-1', { turn: 't-1' })],
      [result('c-1', { turn: 't-1', launchedAgentId: 'helper' })],
      [reply('r-1', 'I found the key.')],
      [reply('r-2', 'The key is here.', { agentId: 'helper' })],
      [{ kind: 'title', at: 7, source: 'ai', title: 'The key' }],
      [{ kind: 'stop', at: 7, id: 's-1', reason: 'stop', text: 'I found the key.' }],
      [prompt('p-2', 'And now the tests', 't-2')],
      [reply('r-3', 'They pass.', { turn: 't-2' })],
      [reply('r-4', 'The key again.', { turn: 't-1' })],
    ]);
    expect(types(events)).toEqual([
      'session.started',
      'prompt.submitted',
      'prompt.submitted',
      'agent.replied',
    ]);
    expect(events[1]!.body).toMatchObject({ text: null, private: true });
    expect(JSON.stringify(events)).not.toMatch(/key|drawer/);
    expect(JSON.stringify(state)).not.toMatch(/drawer|found/);
  });

  it('keeps a private run private for what is typed before the agent rests', () => {
    const { events } = read([
      [SESSION],
      [prompt('p-1', '<private>my key is in the drawer</private>')],
      [call('c-1')],
      [prompt('p-2', 'Be quick')],
      [result('c-1')],
      [reply('r-1', 'I found the key.')],
      [prompt('p-3', 'And now the tests')],
      [reply('r-2', 'They pass.')],
    ]);
    expect(types(events).filter((type) => type !== 'prompt.submitted')).toEqual([
      'session.started',
      'agent.replied',
    ]);
    expect(JSON.stringify(events)).not.toContain('key');
  });

  it('says once that a call had no result when the person went on, and then what came of it', () => {
    const { events } = read([
      [SESSION],
      [prompt('p-1', 'Run the tests')],
      [call('c-1')],
      [prompt('p-2', 'Still there?')],
      [prompt('p-3', 'Hello?')],
      [result('c-1')],
    ]);
    expect(types(events)).toEqual([
      'session.started',
      'prompt.submitted',
      'tool.unanswered',
      'prompt.submitted',
      'prompt.submitted',
      'tool.used',
    ]);
  });

  it('gives the events of a sub-agent to the session that launched it', () => {
    const { events, state } = read([
      [{ kind: 'session', at: 1, session: 'child', parentSession: 'session-1', cwd: '/home/robin/feeder' }],
      [prompt('p-1', 'Look for the config')],
      [call('c-1')],
      [result('c-1')],
    ]);
    expect(types(events)).toEqual(['tool.used']);
    expect(events[0]).toMatchObject({ session: 'session-1', body: { agentId: 'child', sidechain: true } });
    expect(state.counts.refused).toEqual({ 'prompt of a sub-agent': 1 });
  });

  it('makes a call id that is unique only in its session different in every session', () => {
    const { events } = read([[SESSION], [call('call_0')], [result('call_0')]]);
    expect(events[1]).toMatchObject({
      dedupeKey: 'session-1/call_0',
      body: { toolUseId: 'session-1/call_0' },
    });
  });

  it('counts what it does not know, and parks a line that the format cannot read', () => {
    const { state } = read([[SESSION], [{ kind: 'unknown', at: null, name: 'new_thing' }], null as never]);
    expect(state.counts).toMatchObject({ unknownLines: { new_thing: 1 }, parked: 1 });
  });
});
