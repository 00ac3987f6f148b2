import { describe, expect, it } from 'vitest';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { ofType, readInSlices, readWhole, Script, uuidOf } from '../../helpers/transcripts.ts';

/** A progress line that embeds a line of a sub-agent. */
function progress(
  script: Script,
  message: Record<string, unknown>,
  agentId = 'a671c91',
  parent = 'toolu_launch',
) {
  return script.message('progress', null, {
    data: { type: 'agent_progress', agentId, prompt: 'look', message },
    parentToolUseID: parent,
  });
}

function innerUse(id: string, number: number, input: Record<string, unknown> = { pattern: 'HERON' }) {
  const message = {
    id: `msg_in${number}`,
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'Glob', input }],
  };
  return { type: 'assistant', uuid: uuidOf(number), timestamp: '2026-01-01T00:10:00Z', message };
}

function innerResult(id: string, number: number) {
  const content = [{ type: 'tool_result', tool_use_id: id, content: 'src/heron.ts' }];
  return {
    type: 'user',
    uuid: uuidOf(number),
    timestamp: '2026-01-01T00:10:01Z',
    message: { role: 'user', content },
  };
}

function launching(prompt = 'find it'): Script {
  const script = new Script({ version: '2.1.31' });
  script.prompt(prompt);
  script.use('toolu_launch', 'Task', { description: 'Find it', prompt: 'look' });
  return script;
}

describe('A sub-agent that is only in progress lines', () => {
  function found(): Script {
    const script = launching();
    progress(script, {
      type: 'user',
      uuid: uuidOf(900),
      message: { role: 'user', content: [{ type: 'text', text: 'look' }] },
    });
    progress(script, innerUse('toolu_in', 901));
    progress(script, innerUse('toolu_in', 901));
    progress(script, innerResult('toolu_in', 902));
    progress(script, {
      type: 'assistant',
      uuid: uuidOf(903),
      message: { id: 'msg_z', content: [{ type: 'text', text: 'It is in src.' }] },
    });
    return script;
  }

  it('is read from them, with the dedupe keys of its own file', () => {
    const { newEvents } = readWhole(found().bytes(), { hasOwnFile: () => false });
    expect(
      ofType(newEvents, 'tool.used').map(({ dedupeKey, body }) => [
        dedupeKey,
        body.agentId,
        body.sidechain,
        body.result,
      ]),
    ).toEqual([['toolu_in', 'a671c91', true, 'src/heron.ts']]);
    expect(
      ofType(newEvents, 'agent.replied').map(({ dedupeKey, body }) => [dedupeKey, body.agentId, body.text]),
    ).toEqual([[uuidOf(903), 'a671c91', 'It is in src.']]);
    expect(ofType(newEvents, 'prompt.submitted')).toHaveLength(1);
  });

  it('gives the same events wherever the file is split', () => {
    const bytes = found().bytes();
    const atOnce = readWhole(bytes, { hasOwnFile: () => false }).newEvents;
    for (let cut = 40; cut < bytes.length; cut += 97)
      expect(readInSlices(bytes, [cut], { hasOwnFile: () => false }).newEvents).toEqual(atOnce);
  });

  it('is read only from its own file when there is one', () => {
    const { newEvents } = readWhole(found().bytes(), { hasOwnFile: (agentId) => agentId === 'a671c91' });
    expect(ofType(newEvents, 'tool.used')).toEqual([]);
  });

  it('is not stored when a private turn launched it, even during a public turn', () => {
    const script = launching('<private>PSECRET</private>');
    progress(script, innerUse('toolu_in', 901, { pattern: 'PSECRET' }));
    script.prompt('something public');
    script.reply('done');
    progress(script, innerResult('toolu_in', 902));
    progress(script, innerUse('toolu_in2', 904, { pattern: 'PSECRET' }));
    progress(script, innerResult('toolu_in2', 905));
    progress(script, innerUse('toolu_in3', 906, { pattern: 'PSECRET' }), 'b000000', 'toolu_unknown');
    progress(script, innerResult('toolu_in3', 907), 'b000000', 'toolu_unknown');
    const { newEvents, state } = readWhole(script.bytes(), { hasOwnFile: () => false });
    expect(JSON.stringify([newEvents, state])).not.toContain('PSECRET');
    expect(ofType(newEvents, 'tool.used')).toEqual([]);
  });
});

describe('The report of a sub-agent', () => {
  const structured = {
    status: 'completed',
    agentId: 'a2b42d0445f75c202',
    harnessNoteCount: 1,
    harnessTailCount: 0,
    content: [
      { type: 'text', text: '<tools-used-before-summary>Bash</tools-used-before-summary>\n' },
      { type: 'text', text: 'There are two files.' },
    ],
    totalDurationMs: 364,
  };

  it('is the sub-agent’s text without the program’s additions, from a hook and from a transcript', () => {
    const script = launching();
    const shown =
      '  <tools-used-before-summary>Bash</tools-used-before-summary>\n\n[Subagent hand-back] The text below …';
    script.result('toolu_launch', [{ type: 'text', text: shown }], { toolUseResult: structured });
    const payload = {
      hook_event_name: 'PostToolUse',
      session_id: 's',
      cwd: '/a',
      tool_name: 'Agent',
      tool_use_id: 't',
    };
    const ofHook = hookEvents(
      { ...payload, tool_response: structured },
      { spoolName: 'n', receivedAt: 1 },
    ).events;
    for (const newEvents of [readWhole(script.bytes()).newEvents, ofHook]) {
      expect(ofType(newEvents, 'tool.used').map(({ body }) => body.result)).toEqual(['There are two files.']);
      expect(JSON.stringify(newEvents)).not.toMatch(/tools-used-before|hand-back/);
    }
  });

  it('has no program’s note even without a structured result', () => {
    const script = launching();
    const text = '<tools-used-before-summary>Bash, Read</tools-used-before-summary>\n';
    script.result('toolu_launch', [
      { type: 'text', text },
      { type: 'text', text: 'Two.' },
    ]);
    expect(ofType(readWhole(script.bytes()).newEvents, 'tool.used').map(({ body }) => body.result)).toEqual([
      'Two.',
    ]);
  });
});

describe('A question to the person at the end of a file', () => {
  const questions = [
    { question: 'Which cache?', header: 'Cache', options: [{ label: 'A' }, { label: 'B' }] },
  ];

  it('is recorded at once as unanswered, and only once', () => {
    const script = new Script();
    script.prompt('choose a cache');
    script.use('toolu_ask', 'AskUserQuestion', { questions });
    const { newEvents } = readWhole(script.bytes());
    expect(
      ofType(newEvents, 'tool.unanswered').map(({ dedupeKey, body }) => [dedupeKey, body.input]),
    ).toEqual([['toolu_ask', { questions }]]);
    script.prompt('never mind');
    expect(ofType(readWhole(script.bytes()).newEvents, 'tool.unanswered')).toHaveLength(1);
  });

  it('is not recorded for a private turn or another tool', () => {
    const script = new Script();
    script.prompt('<private>x</private>');
    script.use('toolu_ask', 'AskUserQuestion', { questions });
    expect(ofType(readWhole(script.bytes()).newEvents, 'tool.unanswered')).toEqual([]);
    const other = new Script();
    other.prompt('go');
    other.use('toolu_ls');
    expect(ofType(readWhole(other.bytes()).newEvents, 'tool.unanswered')).toEqual([]);
  });
});
