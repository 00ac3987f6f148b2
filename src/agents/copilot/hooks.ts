// Hooks of Copilot CLI. The spelling of an event's name selects the payload: ours are registered in camelCase, whose
// payloads have no name of the event and the agent's own names of tools. Hooks that it runs for Claude Code (from a
// repository's .claude/settings.json) come with Claude's names of events, and with its names of tools.
import { join } from 'node:path';
import type { AgentHooks, CommonHook, HookEntry } from '../common/agent.ts';
import { idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { copilotFolder, sessionFolder } from './files.ts';
import { exitCodeIn, isNotification } from './program-text.ts';

const TIMEOUT_SECONDS = 10;

/** Never preToolUse: Copilot refuses the tool when such a hook fails. */
const ENTRIES: readonly HookEntry[] = [
  'sessionStart',
  'sessionEnd',
  'userPromptSubmitted',
  'postToolUse',
  'postToolUseFailure',
  'agentStop',
  'subagentStop',
].map((event) => ({ event, matcher: null, startsSession: event === 'sessionStart' }));

/** Copilot's own names of tools, as its transcripts have them, by the names that it gives to Claude's hooks. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ['Bash', 'bash'],
  ['Write', 'create'],
  ['Edit', 'edit'],
  ['Read', 'view'],
  ['Agent', 'task'],
  ['Grep', 'grep'],
  ['Glob', 'glob'],
]);

export const hooks: AgentHooks = {
  read,
  // Claude's form and plain text are dropped.
  startAnswer: (text) => `${JSON.stringify({ additionalContext: text })}\n`,
  // The documented limit of 10 KB is not applied at the start of a session: 30,000 characters arrived whole.
  contextMax: 10_000,
  transcriptOf: ({ session_id: session }, machine) =>
    typeof session === 'string' && /^[\w-]+$/.test(session)
      ? join(sessionFolder(machine), session, 'events.jsonl')
      : null,
  settings: {
    kind: 'flat',
    file: (machine) => join(copilotFolder(machine), 'hooks', 'annals.json'),
    entries: ENTRIES,
    required: { version: 1 },
    handler: (_entry, { line, words: [exec = '', ...args], windows }) => ({
      type: 'command',
      ...(windows ? { exec, args } : { bash: line }),
      timeoutSec: TIMEOUT_SECONDS,
    }),
  },
};

function read(payload: JsonObject): CommonHook | string {
  const event = eventOf(payload);
  if (event === null) return 'unknown event';
  const session = sessionOf(payload);
  if (session === null) return 'no session id';
  const ofSubagent = idOf(field(payload, 'parentAgentId')) !== null;
  const common = {
    hook_event_name: event,
    session_id: session,
    ...present({ cwd: payload.cwd, transcript_path: field(payload, 'transcriptPath') }),
  };
  switch (event) {
    case 'SessionStart':
      return { ...common, source: payload.source === 'new' ? 'startup' : (payload.source ?? null) };
    case 'SessionEnd':
      return { ...common, reason: payload.reason ?? null };
    case 'UserPromptSubmit':
      return prompt(payload, common, ofSubagent);
    case 'PostToolUse':
    case 'PostToolUseFailure':
      // A sub-agent of a sub-agent names no session. The transcript has them all.
      return ofSubagent ? 'tool use of a sub-agent' : { ...common, ...toolOf(payload, event) };
    case 'Stop':
      return ofSubagent ? 'stop of a sub-agent' : common;
    case 'SubagentStop':
      return {
        ...common,
        ...present({
          agent_id: field(payload, 'agentId'),
          agent_type: field(payload, 'agentType'),
          last_assistant_message: payload.last_assistant_message ?? payload.response,
        }),
      };
    default:
      return common;
  }
}

function prompt(payload: JsonObject, common: JsonObject, ofSubagent: boolean): CommonHook | string {
  const text = stringOf(payload.prompt) ?? '';
  if (ofSubagent) return 'prompt of a sub-agent';
  if (text.trim() === '') return 'prompt without text';
  return isNotification(text) ? 'notification' : { ...common, prompt: text };
}

function toolOf(payload: JsonObject, event: string): JsonObject {
  const name = stringOf(field(payload, 'toolName')) ?? '';
  const result = objectOf(field(payload, 'toolResult'));
  const text = stringOf(result?.textResultForLlm) ?? stringOf(result?.text_result_for_llm);
  const error = stringOf(payload.error) ?? stringOf(objectOf(payload.error)?.message);
  const tool_name = payload.tool_name === undefined ? name : (OWN_NAMES.get(name) ?? name);
  return {
    tool_name,
    tool_input: payload.toolArgs ?? payload.tool_input ?? null,
    ...(event === 'PostToolUse' ? answered(tool_name, text) : { error }),
  };
}

/** A failing command is a success to Copilot; the end of its text says the exit code. */
function answered(tool: string, text: string | null): JsonObject {
  if (tool !== 'bash') return { tool_response: text };
  const exitCode = exitCodeIn(text ?? '');
  if (exitCode === null) return { tool_response: text, outcome_unknown: true };
  return exitCode === 0
    ? { tool_response: text }
    : { hook_event_name: 'PostToolUseFailure', error: text, tool_response: null };
}

/** A payload's field under its camelCase name, or in snake case as Claude's hooks get it. */
function field(payload: JsonObject, name: string) {
  return payload[name] ?? payload[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** A sub-agent has a session id of its own; the folder of the transcript is named after the session. */
function sessionOf(payload: JsonObject): string | null {
  const path = stringOf(field(payload, 'transcriptPath')) ?? '';
  const folder = /[\\/]session-state[\\/]([^\\/]+)[\\/]events\.jsonl$/.exec(path)?.[1];
  return idOf(folder) ?? idOf(field(payload, 'sessionId'));
}

/** Claude's name of the event. In camelCase, only the fields tell which one it is. */
function eventOf(payload: JsonObject): string | null {
  const named = stringOf(payload.hook_event_name);
  if (named !== null) return named;
  const has = (name: string) => field(payload, name) !== undefined;
  if (has('hookName') || has('transformedPrompt') || has('errorContext')) return null;
  if (has('toolName')) return toolEvent(payload);
  if (has('prompt')) return 'UserPromptSubmit';
  if (has('stopReason')) return has('agentName') ? 'SubagentStop' : 'Stop';
  if (has('source')) return 'SessionStart';
  return has('reason') ? 'SessionEnd' : null;
}

function toolEvent(payload: JsonObject): string | null {
  if (field(payload, 'toolResult') !== undefined) return 'PostToolUse';
  return payload.error === undefined ? null : 'PostToolUseFailure';
}

function present(fields: { readonly [name: string]: JsonObject[string] | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, value] as const],
    ),
  );
}
