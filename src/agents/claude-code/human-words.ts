// Decides whether a person could have typed a text. Programs also write user messages: notes of background tasks,
// output of commands, messages of other agents, and context that an editor adds (the open file, the selection). Context
// is removed from the person's text. A text that a program wrote is not a prompt, and is counted by reason. A prompt
// that only mentions such markup stays: only a complete block at the start or the end counts as a program's.
import { type Json, parseJson } from '../../../log/index.ts';
import { withoutBlocks } from '../common/context-blocks.ts';
import { objectOf } from '../common/json-fields.ts';

export type HumanWords =
  | { readonly text: string; readonly refused: null }
  | { readonly text: null; readonly refused: Refusal };

export type Refusal =
  | 'context only'
  | 'task note'
  | 'output of a command'
  | 'message of another agent'
  | 'memory note'
  | 'interruption'
  | 'compaction summary'
  | 'not sent by a person'
  | 'meta line'
  | 'local command'
  | 'taken back';

/** Blocks that programs add before or after a person's text. */
const CONTEXT = [
  'system-reminder',
  'system_reminder',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'user-prompt-submit-hook',
  'post-tool-use-hook',
  'session-start-hook',
  'artifact-origin-notes',
  'total_tokens',
] as const;

/** A text that begins with one of these blocks was written by a program. */
const WRITTEN_BY_PROGRAMS: { readonly [tag: string]: Refusal } = {
  'task-notification': 'task note',
  'mcp-resource-update': 'task note',
  'mcp-polling-update': 'task note',
  'remote-review': 'task note',
  tick: 'task note',
  'local-command-stdout': 'output of a command',
  'local-command-stderr': 'output of a command',
  'local-command-caveat': 'output of a command',
  'bash-input': 'output of a command',
  'bash-stdout': 'output of a command',
  'bash-stderr': 'output of a command',
  'bash-exit-code': 'output of a command',
  'persisted-output': 'output of a command',
  function_results: 'output of a command',
  'teammate-message': 'message of another agent',
  'agent-message': 'message of another agent',
  'cross-session-message': 'message of another agent',
  'coordinator-relay': 'message of another agent',
  'fork-boilerplate': 'message of another agent',
  channel: 'message of another agent',
  'slack-ping': 'message of another agent',
  'slack-tag-message': 'message of another agent',
  'fetched-web-content': 'message of another agent',
  'user-memory-input': 'memory note',
};

const SENTENCES: readonly (readonly [string, Refusal])[] = [
  ['[Request interrupted by user', 'interruption'],
  ['Caveat: The messages below', 'output of a command'],
  ['Stop hook feedback:\n', 'output of a command'],
  ['Operation stopped by hook:', 'output of a command'],
  [
    'This session is being continued from a previous conversation that ran out of context',
    'compaction summary',
  ],
];

const NOTE_CHARS_MAX = 256 * 1024;

/**
 * The person's text in a text that was sent as a prompt. An empty text is a person's: it may come with a picture.
 * @param isTyped whether the program says that a person typed it: then only a block alone, or a sentence, is a program's
 */
export function humanWords(sent: string, isTyped = false): HumanWords {
  const text = withoutContext(sent);
  if (text.trim() === '') return sent.trim() === '' ? { text: sent, refused: null } : refuse('context only');
  const opening = /^\s*<([a-z][a-z_-]*)(?=[\s>])/.exec(text)?.[1] ?? '';
  const refused = Object.hasOwn(WRITTEN_BY_PROGRAMS, opening) ? WRITTEN_BY_PROGRAMS[opening] : undefined;
  const start = text.trimStart();
  // A note may be cut before its end tag. A question that begins with such a tag continues on the same line.
  const end = text.lastIndexOf(`</${opening}>`);
  const isBlock = end >= 0 || start.startsWith(`<${opening}>\n`);
  if (refused !== undefined && isTyped && end >= 0) {
    const rest = text.slice(end + opening.length + 3);
    if (rest.trim() !== '' && humanWords(rest, true).refused === null) return { text, refused: null };
  }
  if (refused !== undefined && isBlock) return refuse(refused);
  const sentence = SENTENCES.find(([words]) => start.startsWith(words));
  if (sentence !== undefined) return refuse(sentence[1]);
  return isTaskNote(text) ? refuse('task note') : { text, refused: null };
}

/** The text without the context blocks at its two ends. */
export function withoutContext(text: string): string {
  return withoutBlocks(text, CONTEXT);
}

/** What 2.1.45 to 2.1.50 write to the queue for a background task: `{"task_id":…,"description":…,"task_type":…}`. */
function isTaskNote(text: string): boolean {
  const json = text.trim();
  if (!json.startsWith('{') || !json.endsWith('}') || json.length > NOTE_CHARS_MAX) return false;
  if (!json.includes('"task_id"')) return false;
  const parsed = parseJson(json);
  const note = 'value' in parsed ? objectOf(parsed.value as Json) : null;
  return typeof note?.task_id === 'string' && [note.task_type, note.tool_use_id].some(isString);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function refuse(refused: Refusal): HumanWords {
  return { text: null, refused };
}
