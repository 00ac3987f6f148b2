// Hooks of Gemini CLI. Payloads of 0.61.0. Its hooks name neither the turn nor the tool call: what a tool did is read
// from the transcript, which has the call's id. An API error ends a turn without any hook.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { partsOf, textsOf } from '../common/gemini-parts.ts';
import { type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { sessionStartAnswer } from '../common/start-answer.ts';
import { geminiFolder, isTranscript } from './files.ts';
import { personText } from './person-text.ts';
import { judged } from './tool-outcome.ts';

/** Milliseconds, unlike with other agents. The program waits for a hook. */
const TIMEOUT_MS = 10_000;

const ENTRIES: readonly HookEntry[] = [
  { event: 'SessionStart', matcher: null, startsSession: true },
  ...['BeforeAgent', 'AfterTool', 'AfterAgent', 'SessionEnd'].map((event) => ({
    event,
    matcher: null,
    startsSession: false,
  })),
];

export const hooks: AgentHooks = {
  read(payload) {
    const event = stringOf(payload.hook_event_name) ?? '';
    return Object.hasOwn(READERS, event) ? READERS[event]!(payload) : payload;
  },
  // Only JSON is context; other text would be shown to the person. The program writes `&lt;` for `<` in the text.
  startAnswer: sessionStartAnswer,
  recallEvents: { prompt: 'BeforeAgent' },
  // No limit is documented; this many arrived whole.
  contextMax: 30_000,
  transcriptOf: (hook) => {
    const path = stringOf(hook.transcript_path);
    return path !== null && isTranscript(path) ? path : null;
  },
  settings: {
    kind: 'groups',
    file: (machine: Machine) => join(geminiFolder(machine), 'settings.json'),
    entries: ENTRIES,
    handler: (_entry, { line, words, windows }) => ({
      name: 'annals',
      type: 'command',
      command: windows ? powershell(words) : line,
      timeout: TIMEOUT_MS,
    }),
  },
};

const READERS: { readonly [event: string]: (payload: JsonObject) => CommonHook | string } = {
  SessionStart: (payload) => common(payload, 'SessionStart', { source: payload.source ?? null }),
  SessionEnd: (payload) => common(payload, 'SessionEnd', { reason: payload.reason ?? null }),
  BeforeAgent: (payload) => {
    const person = personText(stringOf(payload.prompt) ?? '');
    if ('ignored' in person) return person.ignored;
    if (person.text.trim() === '') return 'no text';
    return common(payload, 'UserPromptSubmit', { prompt: person.text });
  },
  // `prompt_response` joins all texts of the turn, so it is not the last answer: the transcript has it.
  AfterAgent: (payload) => common(payload, 'Stop', {}),
  AfterTool: (payload) => {
    const response = objectOf(payload.tool_response) ?? {};
    const name = stringOf(payload.tool_name) ?? '';
    const failed = response.error !== undefined && response.error !== null;
    const said = textsOf(partsOf(response.llmContent)).join('');
    const { outcome, text } = judged(name, failed ? 'failed' : 'ok', said, response.returnDisplay);
    const isOk = outcome === 'ok';
    return common(payload, isOk ? 'PostToolUse' : 'PostToolUseFailure', {
      tool_name: name,
      tool_input: payload.tool_input ?? null,
      ...(isOk ? { tool_response: text } : { error: text, is_interrupt: outcome === 'cancelled' }),
    });
  },
};

function common(payload: JsonObject, event: string, fields: JsonObject): CommonHook {
  const { session_id = null, cwd = null, transcript_path = null } = payload;
  return { hook_event_name: event, session_id, cwd, transcript_path, ...fields };
}

/** On Windows the program runs hooks in PowerShell. */
function powershell(words: readonly string[]): string {
  return `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}`;
}
