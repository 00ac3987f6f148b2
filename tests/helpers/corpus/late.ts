// Versions from 2.1.196 on: promptId on every line of a turn, attachments, prompt sources, titles, notifications of
// background agents, images, accepted plans; one session on Windows, one forked session.
import { fork } from '../forks.ts';
import type { RawLine } from '../transcripts.ts';
import { type MadeTranscript, Recording, sessionId } from './recording.ts';

const BELL = 'C:\\work\\bell-tower';
const MAP = '/srv/work/star-map';
const HUMAN = { origin: { kind: 'human' }, promptSource: 'typed', permissionMode: 'auto' };

export function lateTranscripts(): MadeTranscript[] {
  return [...desktop(), plan(), queued()];
}

/** The fork of a session: a copy next to the original. */
export function forkedTranscript(original: MadeTranscript): { name: string; bytes: Buffer } {
  const { fileName, bytes } = fork(original.script.bytes(), sessionId(15), { namesRequests: true });
  return { name: `robin__star-map/${fileName}`, bytes };
}

function desktop(): MadeTranscript[] {
  const always = { entrypoint: 'claude-desktop', effort: 'high' };
  const script = new Recording({ number: 9, version: '2.1.219', cwd: BELL, always });
  const background = 'ab2c0ac70ef04a537';
  script.meta('mode', { mode: 'normal' });
  for (const type of ['hook_additional_context', 'skill_listing', 'deferred_tools_delta', 'auto_mode'])
    script.attachment({ type, content: 'made up' });
  script.enqueue('The bell rings an hour late since Sunday.');
  script.dequeue();
  script.turn('9a000000-0000-4000-8000-000000000001');
  script.prompt('The bell rings an hour late since Sunday.', HUMAN);
  const path = `${BELL}\\src\\clock.ts`;
  script.attachment({ type: 'nested_memory', content: { path: `${BELL}\\CLAUDE.md` } });
  script.attachment({ type: 'edited_text_file', filename: path, snippet: '1\tsummer time' });
  const agent = script.launch('Agent', {
    description: 'Write a test',
    prompt: 'Write a test',
    run_in_background: true,
  });
  script.result(agent, [{ type: 'text', text: 'Async agent launched.' }], {
    toolUseResult: {
      isAsync: true,
      status: 'async_launched',
      agentId: background,
      description: 'Write a test',
    },
  });
  script.edited(path, 'hours + 1', 'hours');
  script.attachment({
    type: 'queued_command',
    prompt: 'Keep the old time for the chimes.',
    source_uuid: '59d59525-0000-4000-8000-000000000000',
    commandMode: 'prompt',
    origin: { kind: 'human' },
  });
  script.failed('Bash', { command: 'npm test' }, 'Exit code 1\nclock.test.ts: chimes at noon');
  script.denied('Bash', { command: 'git push' }, { toolDenialKind: 'user-rejected' });
  script.meta('custom-title', { customTitle: 'Late bell' });
  script.meta('custom-title', { customTitle: 'Late bell' });
  script.meta('ai-title', { aiTitle: 'Bell rings an hour late' });
  script.reply('The clock added summer time twice. I took one of them out.', {}, { stop_reason: 'end_turn' });
  script.system('stop_hook_summary', { hookCount: 1, hookInfos: [], hookErrors: [], level: 'suggestion' });
  note(
    script,
    `<task-notification>\n<task-id>${background}</task-id>\n<status>completed</status>\n</task-notification>`,
  );
  script.reply('The test is written.');
  script.turn('9a000000-0000-4000-8000-000000000002');
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  const words = { type: 'text', text: 'This is the tower at noon. Which bell is it?' };
  script.message('user', { role: 'user', content: [image, image, words] }, { ...HUMAN, promptSource: 'sdk' });
  script.tool('Read', { file_path: `${BELL}\\bells.png` }, [image], {
    type: 'image',
    file: { base64: 'iVBORw0KGgo=' },
  });
  script.system('api_error', { level: 'error', error: { message: 'Connection error.' }, retryAttempt: 1 });
  script.assistant([{ type: 'text', text: 'API Error: overloaded' }], {
    isApiErrorMessage: true,
    error: 'overloaded',
  });
  script.meta('last-prompt', { lastPrompt: 'This is the tower at noon.' });
  const aside = {
    number: 10,
    version: '2.1.219',
    cwd: BELL,
    session: script.session,
    agentId: background,
    always,
  };
  const own = new Recording(aside);
  own.prompt('Write a test');
  own.bash('npm test -- clock', '3 passing');
  own.reply('The test is written and passes.');
  const name = `robin__bell-tower/${script.session}`;
  return [
    { name: `${name}.jsonl`, script, prompts: 2, toolUses: 5 },
    { name: `${name}/subagents/agent-${background}.jsonl`, script: own, prompts: 0, toolUses: 1 },
  ];
}

/** The prompt that the program writes when a background agent has ended. */
function note(script: Recording, content: string): void {
  script.meta('queue-operation', { operation: 'enqueue', content, timestamp: '2025-09-10T09:00:40.000Z' });
  script.meta('queue-operation', { operation: 'dequeue', timestamp: '2025-09-10T09:00:40.000Z' });
  script.message(
    'user',
    { role: 'user', content },
    { origin: { kind: 'task-notification' }, promptSource: 'system' },
  );
}

/** A plan that is made, discussed and accepted with feedback; then a recap, and the session continues. */
function plan(): MadeTranscript {
  const script = new Recording({ number: 11, version: '2.1.330', cwd: MAP, always: { entrypoint: 'cli' } });
  const planned = '# Plan: draw the southern sky\n\n1. Read the catalogue.\n2. Draw stars below the equator.';
  script.turn('11000000-0000-4000-8000-000000000001');
  script.prompt('Draw the southern sky too. Make a plan first.', { ...HUMAN, permissionMode: 'plan' });
  const asked: RawLine = { questions: [{ question: 'How faint?', options: [{ label: 'To magnitude 5' }] }] };
  script.tool('AskUserQuestion', asked, 'How faint? To magnitude 5', {
    answers: { 'How faint?': 'To magnitude 5' },
  });
  script.tool('ExitPlanMode', { plan: planned }, 'The plan was accepted.', { plan: planned, isAgent: false });
  script.turn('11000000-0000-4000-8000-000000000002');
  const closing = 'If you need specific details from before exiting plan mode, read the transcript.';
  const accepted = `Implement the following plan:\n\n${planned}\n\n${closing}\n\nUser feedback on this plan: no labels`;
  script.prompt(accepted, { planContent: planned, origin: { kind: 'auto-continuation' } });
  script.edited(`${MAP}/src/sky.ts`, 'if (star.dec < 0) continue;', 'if (star.mag > 5) continue;');
  script.bash('npm test', '40 passing');
  const spoken = { id: 'msg_two_blocks' };
  script.assistant([{ type: 'thinking', thinking: 'Hm.', signature: 'made' }], {}, spoken);
  script.reply('The southern sky is drawn down to magnitude 5, without labels.', {}, spoken);
  script.system('away_summary', { content: 'The southern sky is drawn. Next: the Milky Way.' });
  script.turn('11000000-0000-4000-8000-000000000003');
  script.prompt('Now the Milky Way.', HUMAN);
  script.failed('Bash', { command: 'node draw.js --milky-way' }, 'Exit code 2\nno outline of the Milky Way');
  script.interrupted({ interruptedMessageId: 'msg_made' });
  return { name: `robin__star-map/${script.session}.jsonl`, script, prompts: 3, toolUses: 5 };
}

/** Prompts typed while the agent worked, sent together; a shell command; a session that continues under another id. */
function queued(): MadeTranscript {
  const script = new Recording({
    number: 12,
    version: '2.1.197',
    cwd: '/srv/work/seed-bank',
    always: { entrypoint: 'cli' },
  });
  script.turn('12000000-0000-4000-8000-000000000001');
  script.prompt('Count the seeds that are older than ten years.', HUMAN);
  script.enqueue('And those without a label.');
  script.enqueue('And list the empty drawers.');
  script.bash('node count.js --older 10', '412');
  script.queue('dequeue');
  script.queue('dequeue');
  script.turn('12000000-0000-4000-8000-000000000002');
  script.prompt('And those without a label.', { ...HUMAN, promptSource: 'queued' });
  script.prompt('And list the empty drawers.', { ...HUMAN, promptSource: 'queued' });
  script.reply('412 are older than ten years; 9 have no label; drawers 3 and 8 are empty.');
  script.turn('12000000-0000-4000-8000-000000000003');
  script.message('user', { role: 'user', content: '<bash-input>ls drawers</bash-input>' }, HUMAN);
  script.message(
    'user',
    { role: 'user', content: '<bash-stdout>3 8</bash-stdout><bash-stderr></bash-stderr>' },
    {},
  );
  script.reply('Drawers 3 and 8 stand there.');
  return { name: `robin__seed-bank/${script.session}.jsonl`, script, prompts: 3, toolUses: 1 };
}
