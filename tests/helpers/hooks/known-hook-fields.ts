// The known payload fields of the kept hook events: whether a field changes what is recorded, and if not, why not.
// `tests/agents/claude-code/known-hook-fields.test.ts` checks each line against the adapter.

import type { Payload } from '../spool.ts';
import { isKnownEvent, KEPT_EVENTS } from './known-hook-events.ts';
import { WHOLE_PAYLOADS } from './whole-payloads.ts';

export interface KnownField {
  /** The events in which the field is recorded, or decides how the payload is handled (caller, turn, privacy). */
  readonly usedIn: readonly string[] | 'every event';
  /** Why the field is not used in the other events that send it. */
  readonly otherwise?: string;
}

const NOWHERE: readonly string[] = [];
const STOPS = ['Stop', 'SubagentStop', 'StopFailure'];
const TOOLS = ['PostToolUse', 'PostToolUseFailure'];

export const PAYLOAD_FIELDS: Readonly<Record<string, KnownField>> = {
  session_id: { usedIn: 'every event' },
  transcript_path: { usedIn: 'every event' },
  cwd: { usedIn: 'every event' },
  prompt_id: { usedIn: 'every event' },
  hook_event_name: { usedIn: 'every event' },
  permission_mode: {
    usedIn: ['SessionStart', 'UserPromptSubmit'],
    otherwise: 'the prompt of the turn says it',
  },
  effort: { usedIn: NOWHERE, otherwise: 'how long the model may think says nothing about the work' },
  source: { usedIn: ['SessionStart', 'UserPromptSubmit'] },
  model: { usedIn: ['SessionStart'] },
  session_title: { usedIn: NOWHERE, otherwise: 'the transcript has the titles, with who gave them' },
  seconds_since_last_response: { usedIn: NOWHERE, otherwise: 'follows from the times of the events' },
  context_tokens: { usedIn: NOWHERE, otherwise: 'an estimate of the cost of resuming' },
  prompt_cache_likely_expired: { usedIn: NOWHERE, otherwise: 'an estimate of the cost of resuming' },
  estimated_cache_write_usd: { usedIn: NOWHERE, otherwise: 'an estimate of the cost of resuming' },
  prompt: { usedIn: ['UserPromptSubmit'] },
  tool_name: { usedIn: TOOLS },
  tool_input: { usedIn: TOOLS },
  tool_response: { usedIn: ['PostToolUse'] },
  tool_use_id: { usedIn: TOOLS },
  duration_ms: { usedIn: TOOLS },
  mcp_server: { usedIn: NOWHERE, otherwise: "the tool's name holds the server's" },
  error: { usedIn: ['PostToolUseFailure', 'StopFailure'] },
  error_details: {
    usedIn: NOWHERE,
    otherwise: 'the kind of the error is kept; the details may quote the request',
  },
  is_interrupt: { usedIn: ['PostToolUseFailure'] },
  agent_id: { usedIn: [...TOOLS, ...STOPS] },
  agent_type: { usedIn: STOPS, otherwise: 'the stop of the sub-agent says it' },
  agent_transcript_path: {
    usedIn: NOWHERE,
    otherwise: "follows from the session's path and the sub-agent's id",
  },
  stop_hook_active: { usedIn: ['Stop', 'SubagentStop'] },
  last_assistant_message: {
    usedIn: ['Stop', 'SubagentStop'],
    otherwise: 'the text of an error is no answer',
  },
  background_tasks: { usedIn: STOPS },
  session_crons: { usedIn: NOWHERE, otherwise: 'a schedule; each run of it is reported when it happens' },
  reason: { usedIn: ['SessionEnd'] },
};

const PATCH = 'the input holds the change; whole files and patches are in the repository';
const ASKED = 'the input holds it';

/** Tool → field of its response → null when the field is kept, else the reason why it is not. */
export const RESPONSE_FIELDS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  Agent: {
    ...kept(
      'status agentId agentType content resolvedModel totalDurationMs totalTokens totalToolUseCount usage',
    ),
    ...kept('toolStats toolsUsed harnessNoteCount harnessTailCount harnessSectionHash canContinueAgent'),
    ...kept('isAsync description outputFile canReadOutputFile modelsUsed worktreePath worktreeBranch'),
    ...kept('taskId sessionUrl'),
    prompt: ASKED,
  },
  Bash: {
    ...kept('stdout stderr interrupted isImage noOutputExpected persistedOutputPath persistedOutputSize'),
    ...kept('rawOutputPath backgroundTaskId backgroundedByUser timedOutAfterMs backgroundCwdHint'),
    ...kept('backgroundEndsWithFinalResponse backgroundWakesOwner returnCodeInterpretation'),
    ...kept(
      'dangerouslyDisableSandbox structuredContent staleReadFileStateHint ghRateLimitHint gitOperation',
    ),
    ...kept('assistantAutoBackgrounded'),
  },
  Edit: {
    ...kept('filePath oldString newString userModified replaceAll'),
    originalFile: PATCH,
    structuredPatch: PATCH,
    gitDiff: PATCH,
  },
  Write: {
    ...kept('type filePath content userModified'),
    originalFile: PATCH,
    structuredPatch: PATCH,
    gitDiff: PATCH,
  },
  Read: kept('type file'),
  TaskCreate: kept('task'),
  TaskUpdate: kept('success taskId updatedFields statusChange error'),
  EnterWorktree: kept('worktreePath worktreeBranch message'),
  ExitWorktree: {
    ...kept('action originalCwd worktreePath worktreeBranch tmuxSessionName discardedFiles discardedCommits'),
    ...kept('message restoredCwd originalCwdMissing'),
  },
  ToolSearch: kept('matches query total_deferred_tools'),
};

function kept(names: string): Record<string, null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null]));
}

/** What is unknown in a payload, one sentence each; for an event that is not kept only the name is compared. */
export function unknownInPayload(payload: Payload): readonly string[] {
  const event = String(payload.hook_event_name);
  if (!isKnownEvent(event)) return [`hook event ${event}`];
  if (!(KEPT_EVENTS as readonly string[]).includes(event)) return [];
  const known = new Set(
    WHOLE_PAYLOADS.filter((one) => one.hook_event_name === event).flatMap((one) => Object.keys(one)),
  );
  const fields = Object.keys(payload).filter((field) => !known.has(field));
  return [...fields.map((field) => `field ${field} of ${event}`), ...unknownInResponse(payload)];
}

function unknownInResponse({ tool_name: tool, tool_response: response }: Payload): readonly string[] {
  // An MCP server may answer anything, and a list or a text has no fields.
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return [];
  if (typeof tool !== 'string' || tool.startsWith('mcp__')) return [];
  if (!Object.hasOwn(RESPONSE_FIELDS, tool)) return [`tool ${tool}`];
  const known = RESPONSE_FIELDS[tool] ?? {};
  return Object.keys(response)
    .filter((field) => !Object.hasOwn(known, field))
    .map((field) => `field ${field} of the response of ${tool}`);
}
