import { describe, expect, it } from 'vitest';
import { ofType, readInSlices, readWhole, Script } from '../../helpers/transcripts.ts';

function used(script: Script) {
  return ofType(readWhole(script.bytes()).newEvents, 'tool.used');
}

describe('Joining tool uses with their results', () => {
  it('records a use with its outcome, at the time of the use', () => {
    const script = new Script();
    const prompt = script.prompt('list');
    const use = script.use(
      'toolu_1',
      'Bash',
      { command: 'ls' },
      {},
      { id: 'msg_a', usage: { input_tokens: 3, output_tokens: 7, cache_read_input_tokens: 5 } },
    );
    const result = script.result('toolu_1', 'a.txt', {
      promptId: 'p1',
      toolUseResult: { stdout: 'a.txt', stderr: '', interrupted: false, isImage: false, durationMs: 12.4 },
    });
    expect(used(script)).toMatchObject([
      {
        dedupeKey: 'toolu_1',
        occurredAt: Date.UTC(2026, 0, 1, 0, 0, 2),
        body: {
          toolUseId: 'toolu_1',
          name: 'Bash',
          input: { command: 'ls' },
          outcome: 'ok',
          result: 'a.txt',
          detail: { interrupted: false, isImage: false, durationMs: 12.4 },
          error: null,
          durationMs: 12,
          usage: { input: 3, output: 7, cacheRead: 5, cacheCreation: 0 },
          messageId: 'msg_a',
          model: 'claude-test-1',
          uuid: use,
          promptUuid: prompt,
          resultUuid: result,
          endedAt: Date.UTC(2026, 0, 1, 0, 0, 3),
        },
      },
    ]);
  });

  it('joins a result that comes before its use', () => {
    const script = new Script();
    script.prompt('go');
    script.result('toolu_1', 'early');
    script.use('toolu_1');
    expect(used(script).map(({ dedupeKey, body }) => [dedupeKey, body.result, body.outcome])).toEqual([
      ['toolu_1', 'early', 'ok'],
    ]);
  });

  it('joins parallel uses whose results come in another order, also with two results on one line', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_a', 'Read', { file_path: '/a' }, {}, { id: 'msg_x' });
    script.use('toolu_b', 'Read', { file_path: '/b' }, {}, { id: 'msg_x' });
    script.result('toolu_b', 'B');
    script.use('toolu_c', 'Read', { file_path: '/c' }, {}, { id: 'msg_x' });
    script.message(
      'user',
      {
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_c',
            content: [
              { type: 'text', text: 'C' },
              { type: 'image', source: {} },
            ],
          },
          { type: 'tool_result', tool_use_id: 'toolu_a', content: 'A' },
        ],
      },
      {},
    );
    expect(used(script).map(({ dedupeKey, body }) => [dedupeKey, body.result])).toEqual([
      ['toolu_b', 'B'],
      ['toolu_c', 'C\n[image]'],
      ['toolu_a', 'A'],
    ]);
  });

  it.each([
    ['failed', { is_error: true }, 'Exit code 1\nno such file', {}],
    ['cancelled', { is_error: true }, "The user doesn't want to proceed with this tool use.", {}],
    ['cancelled', { is_error: true }, 'no', { toolDenialKind: 'user' }],
    ['cancelled', {}, 'partial output', { toolUseResult: { stdout: 'partial output', interrupted: true } }],
    ['cancelled', {}, '[Request interrupted by user for tool use]', {}],
  ] as const)('records the outcome %s of %j', (outcome, block, content, extra) => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1');
    script.result('toolu_1', content, extra, block);
    expect(used(script).map(({ body }) => [body.outcome, body.error])).toEqual([[outcome, content]]);
  });

  it('keeps a use open until its result comes, and records it once as unanswered when the person goes on', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1', 'Bash', { command: 'sleep 100' });
    const before = readWhole(script.bytes());
    expect(before.newEvents.map(({ type }) => type)).toEqual(['session.started', 'prompt.submitted']);
    expect(before.state.open.map(({ id }) => id)).toEqual(['toolu_1']);
    script.use('toolu_side', 'Bash', {}, { isSidechain: true });
    script.prompt('never mind');
    script.prompt('something else');
    const after = readWhole(script.bytes());
    expect(ofType(after.newEvents, 'tool.unanswered')).toMatchObject([
      { dedupeKey: 'toolu_1', body: { input: { command: 'sleep 100' }, name: 'Bash' } },
    ]);
    script.result('toolu_1', 'late');
    expect(used(script).map(({ body }) => body.result)).toEqual(['late']);
  });

  it('keeps no captured text in its state between two reads', () => {
    const script = new Script();
    script.prompt('a secret plan called heron');
    script.use('toolu_1', 'Bash', { command: 'echo heron' });
    script.result('toolu_2', 'heron early');
    script.meta('custom-title', { customTitle: 'the heron title' });
    script.meta('summary', { summary: 'heron summary', leafUuid: 'elsewhere' });
    script.enqueue('heron queued');
    script.dequeue();
    expect(JSON.stringify(readWhole(script.bytes()).state)).not.toContain('heron');
  });

  it('reads the line of an open use again after a restart', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1', 'Bash', { command: 'make' });
    const cut = script.bytes().length;
    script.result('toolu_1', 'made');
    const atOnce = readWhole(script.bytes()).newEvents;
    expect(readInSlices(script.bytes(), [cut]).newEvents).toEqual(atOnce);
    expect(ofType(atOnce, 'tool.used')[0]?.body.input).toEqual({ command: 'make' });
  });

  it('names the sub-agent that a use launched', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1', 'Agent', { prompt: 'look around', description: 'look' });
    script.result('toolu_1', [{ type: 'text', text: 'Found it.' }], {
      toolUseResult: {
        status: 'completed',
        prompt: 'look around',
        agentId: 'a77',
        content: [{ type: 'text', text: 'Found it.' }],
        totalDurationMs: 900,
        totalTokens: 5,
      },
    });
    expect(used(script)[0]?.body).toMatchObject({
      launchedAgentId: 'a77',
      durationMs: 900,
      result: 'Found it.',
      detail: { status: 'completed', agentId: 'a77', totalTokens: 5 },
    });
    expect(JSON.stringify(used(script)[0]?.body.detail)).not.toContain('look around');
  });
});

describe('The structured result', () => {
  it('omits whole files, patches and text that the input or result repeats', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1', 'Edit', {
      file_path: '/a.ts',
      old_string: 'const before = 1',
      new_string: 'const after = 2',
    });
    script.result('toolu_1', 'The file /a.ts has been updated.', {
      toolUseResult: {
        filePath: '/a.ts',
        oldString: 'const before = 1',
        newString: 'const after = 2',
        originalFile: 'the whole file',
        structuredPatch: [{ lines: ['-const before = 1'] }],
        userModified: false,
        replaceAll: false,
      },
    });
    script.use('toolu_2', 'Read', { file_path: '/b.ts' });
    script.result('toolu_2', '1→line one of the file', {
      toolUseResult: {
        type: 'text',
        file: { filePath: '/b.ts', content: 'line one of the file', numLines: 1, totalLines: 9 },
      },
    });
    script.use('toolu_3', 'Write', { file_path: '/c.ts', content: 'all of it' });
    script.result('toolu_3', 'File created', {
      toolUseResult: {
        type: 'create',
        filePath: '/c.ts',
        content: 'all of it',
        structuredPatch: [],
        originalFile: null,
      },
    });
    expect(used(script).map(({ body }) => body.detail)).toEqual([
      { filePath: '/a.ts', userModified: false, replaceAll: false },
      { type: 'text', file: { filePath: '/b.ts', numLines: 1, totalLines: 9 } },
      { type: 'create', filePath: '/c.ts' },
    ]);
  });

  it('keeps what the model did not see', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1', 'Grep', { pattern: 'x' });
    script.result('toolu_1', 'Found 2 files', {
      toolUseResult: { filenames: ['/a.ts', '/b.ts'], numFiles: 2, stderr: 'a warning' },
    });
    expect(used(script)[0]?.body.detail).toEqual({
      filenames: ['/a.ts', '/b.ts'],
      numFiles: 2,
      stderr: 'a warning',
    });
  });

  it('keeps the rows of a table apart, and a null in its place', () => {
    const script = new Script();
    script.prompt('go');
    script.use('toolu_1', 'mcp__db__query', { sql: 'x' });
    const rows = [
      [1, 'a'],
      [2, null],
      [3, 'c'],
    ];
    script.result('toolu_1', '3 rows', { toolUseResult: { rows } });
    expect(used(script)[0]?.body.detail).toEqual({ rows });
  });
});
