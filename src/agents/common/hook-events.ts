// Turns hooks in the common form into events. Hooks are a second channel for what the transcript says: they arrive
// sooner and know durations and permission modes, but hold less of the text. A hook is an open object: missing fields
// become null and unknown fields are ignored. The error text of a failed stop is never treated as an answer.
import type { Json, NewEvent } from '../../../log/index.ts';
import { HOOK_CLIP_BYTES } from '../../capture/text/clip.ts';
import type { CommonHook } from './agent.ts';
import { callKey } from './call-key.ts';
import { idOf, listOf, objectOf, stringOf, wholeOf } from './json-fields.ts';
import { promptWords } from './prompt-words.ts';
import { type Author, sanitizerOf, sanitizeTranscriptText } from './sanitizer.ts';
import { detailOf } from './tool-detail.ts';
import { agentReport, resultText } from './tool-result.ts';

export interface HookReceipt {
  /** The agent's name. */
  readonly agent: string;
  /** Name of the spool file: unique, made by the capture script. Replaces ids that the payload lacks. */
  readonly spoolName: string;
  /** Unix ms at which the hook ran. */
  readonly receivedAt: number;
}

export interface HookOutcome {
  readonly events: readonly NewEvent[];
  /**
   * Why there is no event: the name of an event that is not kept, or what the payload lacks. Null otherwise. `status`
   * shows it; docs/hooks.md lists the reasons.
   */
  readonly ignored: string | null;
}

/** The events of one hook call. Never throws. */
export function hookEvents(hook: CommonHook, receipt: HookReceipt): HookOutcome {
  const session = idOf(hook.session_id);
  if (session === null) return nothing('no session id');
  if (hook.cwd === '') return nothing('empty cwd');
  const event = stringOf(hook.hook_event_name) ?? 'no event name';
  const emitted = Object.hasOwn(READERS, event) ? READERS[event]?.(hook, receipt, session) : undefined;
  if (emitted === undefined) return nothing(/^[A-Za-z ]{1,40}$/.test(event) ? event : 'unknown event');
  return emitted === null ? nothing(`${event} not by a person`) : { events: [emitted], ignored: null };
}

function nothing(reason: string): HookOutcome {
  return { events: [], ignored: reason };
}

type HookReader = (hook: CommonHook, receipt: HookReceipt, session: string) => NewEvent | null;

const READERS: { readonly [event: string]: HookReader | undefined } = {
  SessionStart: (hook, receipt, session) => {
    const source = idOf(hook.source);
    return {
      ...envelope(receipt, session),
      type: 'session.started',
      dedupeKey: `${source ?? ''}:${receipt.spoolName}`,
      body: { source, model: idOf(hook.model), permissionMode: idOf(hook.permission_mode), ...shared(hook) },
    };
  },
  SessionEnd: (hook, receipt, session) => {
    const reason = idOf(hook.reason);
    return {
      ...envelope(receipt, session),
      type: 'session.ended',
      dedupeKey: `${reason ?? ''}:${receipt.spoolName}`,
      body: { reason, ...shared(hook) },
    };
  },
  UserPromptSubmit: promptSubmitted,
  PostToolUse: (hook, receipt, session) => toolUsed(hook, receipt, session, 'ok'),
  PostToolUseFailure: (hook, receipt, session) =>
    toolUsed(hook, receipt, session, hook.is_interrupt === true ? 'cancelled' : 'failed'),
  Stop: (hook, receipt, session) => stopped(hook, receipt, session, 'stop'),
  StopFailure: (hook, receipt, session) => stopped(hook, receipt, session, 'error'),
  SubagentStop: (hook, receipt, session) => stopped(hook, receipt, session, 'subagent-stop'),
};

function promptSubmitted(hook: CommonHook, receipt: HookReceipt, session: string): NewEvent | null {
  const text = hook.by_person === false ? null : stringOf(hook.prompt);
  if (text === null) return null;
  const isPrivate = sanitizer.isPrivate(text);
  return {
    ...envelope(receipt, session),
    type: 'prompt.submitted',
    // prompt_id names the current run, and several prompts may be typed during one.
    dedupeKey: receipt.spoolName,
    body: {
      ...(isPrivate ? { text: null } : promptWords(sanitizer, text, acceptedPlan(hook))),
      private: isPrivate,
      kind: /^\/[a-z][\w:-]*(?:\s|$)/i.test(text) ? 'command' : 'prompt',
      via: 'hook',
      source: idOf(hook.source),
      permissionMode: idOf(hook.permission_mode),
      ...shared(hook),
    },
  };
}

function acceptedPlan({ accepted_plan }: CommonHook) {
  const plan = stringOf(objectOf(accepted_plan)?.plan);
  return plan === null ? null : { plan, feedback: stringOf(objectOf(accepted_plan)?.feedback) };
}

function toolUsed(
  hook: CommonHook,
  receipt: HookReceipt,
  session: string,
  outcome: 'ok' | 'failed' | 'cancelled',
): NewEvent {
  const id = idOf(hook.tool_use_id);
  // Claude Code's own reader of transcripts keeps ids as they are.
  const isPlain = id === null || receipt.agent === 'claude-code';
  const toolUseId = isPlain ? (id ?? receipt.spoolName) : callKey(session, id);
  const response = hook.tool_response ?? null;
  const input = hook.tool_input ?? null;
  const result = responseText(response);
  const error = stringOf(hook.error);
  return {
    ...envelope(receipt, session),
    type: 'tool.used',
    dedupeKey: toolUseId,
    body: {
      toolUseId,
      name: clean(stringOf(hook.tool_name) ?? '', 'tool'),
      input: sanitizer.value(input, 'tool'),
      outcome: outcomeOf(hook, outcome),
      result: result === null ? null : clean(result, 'tool'),
      detail: sanitizer.value(detailOf(response, input, result), 'tool'),
      error: error === null ? null : clean(error, 'tool'),
      durationMs: wholeOf(hook.duration_ms),
      launchedAgentId: idOf(objectOf(response)?.agentId),
      endedAt: receipt.receivedAt,
      ...shared(hook),
      ...subagent(hook),
    },
  };
}

function outcomeOf(hook: CommonHook, reported: 'ok' | 'failed' | 'cancelled') {
  if (hook.outcome_unknown === true) return null;
  return objectOf(hook.tool_response)?.interrupted === true ? 'cancelled' : reported;
}

function stopped(
  hook: CommonHook,
  receipt: HookReceipt,
  session: string,
  reason: 'stop' | 'error' | 'subagent-stop',
): NewEvent {
  const answer = reason === 'error' ? null : stringOf(hook.last_assistant_message);
  return {
    ...envelope(receipt, session),
    type: 'agent.stopped',
    dedupeKey: `${idOf(hook.prompt_id) ?? ''}:${receipt.spoolName}`,
    body: {
      reason,
      error: reason === 'error' ? clean(stringOf(hook.error) ?? 'unknown', 'tool') : null,
      text: answer === null ? null : clean(answer, 'agent'),
      agentType: agentName(hook.agent_type),
      backgroundTasks: Array.isArray(hook.background_tasks) ? hook.background_tasks.length : null,
      ...shared(hook),
      ...subagent(hook),
    },
  };
}

/** The text of a structured tool response. The hook does not say what exactly the model saw. */
function responseText(response: Json): string | null {
  if (typeof response === 'string') return response;
  if (Array.isArray(response)) return resultText({ content: response });
  const report = agentReport(response);
  if (report !== null) return report;
  const object = objectOf(response);
  const output = [stringOf(object?.stdout), stringOf(object?.stderr)].filter(
    (text) => text !== null && text !== '',
  );
  if (output.length > 0) return output.join('\n');
  const content = stringOf(objectOf(object?.file)?.content) ?? null;
  return (
    content ?? (listOf(object?.content).length > 0 ? resultText({ content: object?.content ?? null }) : null)
  );
}

function envelope(receipt: HookReceipt, session: string) {
  return {
    agent: receipt.agent,
    session,
    channel: 'hook',
    occurredAt: receipt.receivedAt,
  } as const satisfies Partial<NewEvent>;
}

function shared(hook: CommonHook) {
  const cwd = stringOf(hook.cwd);
  return { cwd: cwd === null ? null : clean(cwd, 'tool'), promptId: idOf(hook.prompt_id) };
}

function subagent(hook: CommonHook) {
  const agentId = agentName(hook.agent_id);
  return { agentId, sidechain: agentId !== null };
}

/** Ids and types of sub-agents have at most 128 characters. Anything longer is treated as missing. */
function agentName(value: Json | undefined): string | null {
  const name = idOf(value);
  return name === null || name.length > 128 ? null : clean(name, 'tool');
}

const sanitizer = sanitizerOf(HOOK_CLIP_BYTES);

function clean(text: string, author: Author): string {
  return sanitizeTranscriptText(sanitizer, text, author);
}
