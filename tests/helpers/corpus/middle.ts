// Versions 2.0 to 2.1.79: progress lines, sub-agents in separate files or only in progress lines, queue operations as
// the only record of prompts typed meanwhile, compaction by a sub-agent that writes the summary.
import type { RawLine } from '../transcripts.ts';
import { type MadeTranscript, Recording } from './recording.ts';

const MILL = '/home/robin/paper-mill';
const KITE = '/home/robin/kite-log';

export function middleTranscripts(): MadeTranscript[] {
  return [progressAlone(), ...subagents(), short()];
}

/** The sub-agent has no file: only progress lines contain its lines. */
function progressAlone(): MadeTranscript {
  const script = new Recording({ number: 4, version: '2.1.31', cwd: MILL, always: { slug: 'quiet-mill' } });
  script.raw({ type: 'file-history-snapshot', messageId: 'm', snapshot: {}, isSnapshotUpdate: false });
  script.progress('SessionStart', { type: 'hook_progress', hookEvent: 'SessionStart', command: 'true' });
  script.prompt('The mill stops when a roll is empty. Find where it waits.', {
    permissionMode: 'default',
    todos: [],
  });
  const agentId = 'a1b2c3d';
  const task = script.launch('Task', {
    description: 'Find the wait',
    prompt: 'Find the wait',
    subagent_type: 'Explore',
  });
  embedded(script, task, agentId, 1, 'user', {
    role: 'user',
    content: [{ type: 'text', text: 'Find the wait' }],
  });
  const glob = { type: 'tool_use', id: 'toolu_4_inner_1', name: 'Glob', input: { pattern: 'src/*.ts' } };
  embedded(script, task, agentId, 2, 'assistant', answer('msg_4_inner_1', [glob]));
  const names = { type: 'tool_result', tool_use_id: 'toolu_4_inner_1', content: 'src/roll.ts' };
  embedded(script, task, agentId, 3, 'user', { role: 'user', content: [names] });
  const words = [{ type: 'text', text: 'roll.ts waits in feed().' }];
  embedded(script, task, agentId, 4, 'assistant', answer('msg_4_inner_2', words));
  const ended = {
    status: 'completed',
    prompt: 'Find the wait',
    agentId,
    content: words,
    totalDurationMs: 8_000,
  };
  script.result(task, [...words, { type: 'text', text: `agentId: ${agentId}` }], { toolUseResult: ended });
  const test = script.launch('Bash', { command: 'npm test' });
  script.progress(test, { type: 'bash_progress', output: '3 of 9', elapsedTimeSeconds: 2, totalLines: 3 });
  script.result(
    test,
    'Exit code 1\nroll.test.ts: waits for ever',
    { toolUseResult: 'Error: Exit code 1' },
    {
      is_error: true,
    },
  );
  script.enqueue('Also write down how long a roll lasts.');
  script.edited(`${MILL}/src/roll.ts`, 'await forever()', 'await next(roll)');
  script.queue('remove');
  script.bash('npm test', '9 passing');
  script.reply('feed() waited for a roll that never came. It now waits for the next one.');
  script.system('turn_duration', { durationMs: 61_000, isMeta: false });
  script.raw({ type: 'pr-link', prNumber: 7, prUrl: 'https://example.org/pr/7', sessionId: script.session });
  return { name: `robin__paper-mill/${script.session}.jsonl`, script, prompts: 1, toolUses: 4 };
}

function embedded(
  script: Recording,
  use: string,
  agentId: string,
  at: number,
  type: string,
  message: RawLine,
) {
  const uuid = `0000040${at}-0000-4000-9000-000000000000`;
  const line = { type, message, uuid, timestamp: new Date(Date.UTC(2025, 8, 5, 9, 0, 4 + at)).toISOString() };
  script.progress(use, { type: 'agent_progress', agentId, prompt: 'Find the wait', message: line });
}

function answer(id: string, content: readonly RawLine[]): RawLine {
  const usage = { input_tokens: 3, output_tokens: 1 };
  return { id, role: 'assistant', model: 'claude-small-1', stop_reason: null, usage, content };
}

/** A session with two sub-agents: one launched by a tool use, one that wrote the summary of a compaction. */
function subagents(): MadeTranscript[] {
  const script = new Recording({ number: 5, version: '2.1.39', cwd: KITE });
  const sent = 'a881341';
  script.progress('SessionStart', { type: 'hook_progress', hookEvent: 'SessionStart', command: 'true' });
  script.system('local_command', { content: '<command-name>/model</command-name>', level: 'info' });
  script.prompt('Kites are logged without the wind. Add the wind to every entry.', {
    permissionMode: 'plan',
  });
  const task = script.launch('Task', { description: 'Read the log', prompt: 'Read the kite log' });
  // 2.1.39 wrote the sub-agent's actions twice: here and in its own file.
  embedded(script, task, sent, 9, 'assistant', answer('msg_5_inner', [{ type: 'text', text: 'I read on.' }]));
  const report = [{ type: 'text', text: 'Entries have a time and a place.' }];
  const ended = {
    status: 'completed',
    agentId: sent,
    content: report,
    totalDurationMs: 5_000,
    totalToolUseCount: 1,
  };
  script.result(task, report, { toolUseResult: ended });
  const shell = script.launch('Bash', { command: 'npm run watch', run_in_background: true });
  script.result(shell, 'Command running in background with ID: b77', {
    toolUseResult: { backgroundTaskId: 'b77' },
  });
  script.progress(shell, {
    type: 'waiting_for_task',
    taskDescription: 'npm run watch',
    taskType: 'local_bash',
  });
  script.enqueue('{"task_id":"b77","description":"npm run watch","task_type":"local_bash"}');
  script.queue('dequeue');
  script.enqueue('Use knots, not metres a second.');
  script.edited(`${KITE}/src/entry.ts`, 'time, place', 'time, place, wind');
  script.dequeue();
  script.prompt('Use knots, not metres a second.');
  script.failed('Bash', { command: 'npm test' }, 'Exit code 1\nentry.test.ts: wind is missing');
  const before = script.reply('The test still reads the old form of an entry.');
  script.system('compact_boundary', {
    parentUuid: null,
    logicalParentUuid: before,
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto', preTokens: 155_000 },
  });
  script.message(
    'user',
    {
      role: 'user',
      content: 'This session is being continued from a previous conversation that ran out of context.',
    },
    { isCompactSummary: true, isVisibleInTranscriptOnly: true, promptId: 'p-compact' },
  );
  script.enqueue('Thrown away before it was sent');
  script.queue('popAll');
  script.bash('npm test', '21 passing');
  script.reply('Every entry holds the wind in knots.');
  const aside = { number: 6, version: '2.1.39', cwd: KITE, session: script.session, agentId: sent };
  const agent = new Recording(aside);
  agent.prompt('Read the kite log');
  agent.message(
    'user',
    { role: 'user', content: '<system-reminder>\nmade up\n</system-reminder>' },
    { isMeta: true },
  );
  agent.bash('cat kites.log', '2025-09-01 10:00 beach');
  agent.reply('Entries have a time and a place.');
  const compact = new Recording({ ...aside, number: 7, agentId: 'acompact-fffbd0' });
  compact.prompt('Write down what happened so far.');
  compact.reply('The wind was added to entries; one test still fails.');
  const name = `robin__kite-log/${script.session}`;
  return [
    { name: `${name}.jsonl`, script, prompts: 2, toolUses: 5 },
    { name: `${name}/subagents/agent-${sent}.jsonl`, script: agent, prompts: 0, toolUses: 1 },
    { name: `${name}/subagents/agent-acompact-fffbd0.jsonl`, script: compact, prompts: 0, toolUses: 0 },
  ];
}

/** One prompt; one tool use that was still unanswered when the person sent the next prompt. */
function short(): MadeTranscript {
  const script = new Recording({ number: 8, version: '2.1.62', cwd: KITE });
  script.progress('SessionStart', { type: 'hook_progress', hookEvent: 'SessionStart', command: 'true' });
  script.prompt('Which kites flew in August?', { permissionMode: 'acceptEdits' });
  script.launch('Read', { file_path: `${KITE}/kites.log` });
  script.prompt('Only the red ones.');
  script.bash('grep red kites.log', '');
  script.reply('No red kite flew in August.');
  return { name: `robin__kite-log/${script.session}.jsonl`, script, prompts: 2, toolUses: 2 };
}
