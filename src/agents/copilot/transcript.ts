// Transcripts of Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`, lines of {type, data, id, timestamp,
// parentId}. Lines of a sub-agent have an `agentId`. Seen from 1.0.34 to 1.0.102.
import type { Usage } from '../../../log/index.ts';
import { idOf, type JsonObject, listOf, objectOf, stringOf, timeOf, wholeOf } from '../common/json-fields.ts';
import type { RecordFields, TranscriptFormat, TranscriptRecord } from '../common/records.ts';
import { exitCodeIn, isNotification } from './program-text.ts';

/** `session`: of the file, because a resumption does not name it. */
type Memory = { readonly session: string | null };

export const copilotFormat: TranscriptFormat<Memory> = {
  version: 1,
  form: 'lines',
  memory: { session: null },
  records(line, memory) {
    const type = stringOf(line.type) ?? '';
    const data = objectOf(line.data) ?? {};
    const session = type === 'session.start' ? idOf(data.sessionId) : memory.session;
    const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
    if (read === undefined)
      return {
        records: isPassed(type) ? [] : [{ ...fieldsOf(line, data), kind: 'unknown', name: line.type }],
        memory,
      };
    return { records: read(data, fieldsOf(line, data), session), memory: { session } };
  },
};

/** Lines with nothing to keep: traffic of hooks and permissions, states, system prompts and notifications. */
function isPassed(type: string): boolean {
  return (
    /^(?:hook|permission|system|subagent|command|external_tool|user_input|elicitation|sampling|mcp)\./.test(
      type,
    ) || PASSED.has(type)
  );
}

const PASSED = new Set([
  ...[
    'assistant.turn_start',
    'assistant.turn_end',
    'assistant.reasoning',
    'assistant.intent',
    'model.call_failure',
  ],
  ...[
    'session.model_change',
    'session.mode_changed',
    'session.info',
    'session.warning',
    'session.usage_checkpoint',
  ],
  ...[
    'session.permissions_changed',
    'session.task_complete',
    'session.compaction_start',
    'session.truncation',
  ],
  ...['session.plan_changed', 'session.todos_changed', 'session.workspace_file_changed', 'session.handoff'],
  ...['session.remote_steerable_changed', 'session.snapshot_rewind', 'skill.invoked', 'tool.user_requested'],
]);

type Line = RecordFields & { readonly id: string | null };
type Reader = (data: JsonObject, line: Line, session: string | null) => readonly TranscriptRecord[];

const READERS: Readonly<Record<string, Reader>> = {
  'session.start': (data, line, session) => started(data, line, session, null),
  'session.resume': (data, line, session) => started(data, line, session, 'resume'),
  'session.context_changed': (data, line) => [
    { ...line, kind: 'workdir', cwd: stringOf(data.cwd), branch: stringOf(data.branch) },
  ],
  'user.message': prompted,
  'assistant.message': replied,
  'session.usage_record': (data, line) => {
    const usage = objectOf(data.usage);
    const messageId = idOf(usage?.apiCallId);
    if (usage === null || line.id === null) return [];
    return [
      {
        ...line,
        kind: 'reply',
        id: line.id,
        text: null,
        model: idOf(usage.model),
        messageId,
        usage: usageOf(usage),
      },
    ];
  },
  'tool.execution_start': (data, line) => {
    const id = idOf(data.toolCallId);
    const name = stringOf(data.toolName);
    if (id === null || name === null) return [];
    return [{ ...line, kind: 'call', id, name, input: data.arguments ?? null, model: idOf(data.model) }];
  },
  'tool.execution_complete': completed,
  'session.compaction_complete': (data, line) => {
    const text = stringOf(data.summaryContent);
    return text === null || line.id === null
      ? []
      : [{ ...line, kind: 'reply', id: line.id, text, compaction: true }];
  },
  'session.error': (data, line) =>
    line.id === null
      ? []
      : [{ ...line, kind: 'stop', id: line.id, reason: 'error', error: idOf(data.errorType) ?? 'unknown' }],
  abort: (_data, line) =>
    line.id === null ? [] : [{ ...line, kind: 'stop', id: line.id, reason: 'interrupted' }],
  'session.title_changed': (data, line) => {
    const title = stringOf(data.title);
    return title === null ? [] : [{ ...line, kind: 'title', source: 'ai', title }];
  },
  // Only after a clean exit.
  'session.shutdown': (data, line) => [{ ...line, kind: 'end', reason: idOf(data.shutdownType) }],
};

function fieldsOf(line: JsonObject, data: JsonObject): Line {
  const agentId = idOf(line.agentId);
  return {
    id: idOf(line.id),
    at: timeOf(line.timestamp),
    uuid: idOf(line.id),
    agentId,
    // The interaction of a sub-agent is its own, not that of the person's prompt.
    turn: agentId === null ? idOf(data.interactionId) : null,
  };
}

function started(
  data: JsonObject,
  line: Line,
  session: string | null,
  source: string | null,
): readonly TranscriptRecord[] {
  if (session === null) return [];
  const context = objectOf(data.context);
  return [
    {
      ...line,
      kind: 'session',
      session,
      source,
      cwd: stringOf(context?.cwd),
      branch: stringOf(context?.branch),
      model: idOf(data.selectedModel),
      agentVersion: idOf(data.copilotVersion),
      entrypoint: data.vscodeVersion === undefined ? null : 'vscode',
    },
  ];
}

function prompted(data: JsonObject, line: Line): readonly TranscriptRecord[] {
  const text = stringOf(data.content) ?? '';
  const refused = refusal(data, line, text);
  if (refused !== null) return [{ ...line, kind: 'ignored', reason: refused }];
  if (line.id === null) return [];
  const images = listOf(data.attachments).filter((one) =>
    stringOf(objectOf(one)?.mimeType)?.startsWith('image/'),
  ).length;
  return [{ ...line, kind: 'prompt', id: line.id, text, images }];
}

/** Why it is not a person's prompt, or null. */
function refusal(data: JsonObject, line: Line, text: string): string | null {
  if (line.agentId !== null) return 'prompt of a sub-agent';
  if (data.isAutopilotContinuation === true) return 'continued by autopilot';
  if (isNotification(text)) return 'notification';
  // Such as `skill-pdf`; the field is absent when a person typed the text.
  if (data.source !== undefined && data.source !== null && data.source !== 'user')
    return 'not typed by a person';
  return text.trim() === '' ? 'prompt without text' : null;
}

function replied(data: JsonObject, line: Line): readonly TranscriptRecord[] {
  const text = stringOf(data.content) ?? '';
  // Since 1.0.102 or a little earlier, usage has lines of its own.
  const output = wholeOf(data.outputTokens);
  if (line.id === null || (text === '' && output === null)) return [];
  return [
    {
      ...line,
      kind: 'reply',
      id: line.id,
      text: text === '' ? null : text,
      model: idOf(data.model),
      messageId: idOf(data.apiCallId) ?? idOf(data.messageId),
      usage: output === null ? null : { input: 0, output, cacheRead: 0, cacheCreation: 0 },
      goesOn: listOf(data.toolRequests).length > 0,
    },
  ];
}

/** `inputTokens` counts what was read from and written to the cache too. */
function usageOf(usage: JsonObject): Usage {
  const cacheRead = wholeOf(usage.cacheReadTokens) ?? 0;
  const cacheCreation = wholeOf(usage.cacheWriteTokens) ?? 0;
  const input = Math.max(0, (wholeOf(usage.inputTokens) ?? 0) - cacheRead - cacheCreation);
  return { input, output: wholeOf(usage.outputTokens) ?? 0, cacheRead, cacheCreation };
}

function completed(data: JsonObject, line: Line): readonly TranscriptRecord[] {
  const id = idOf(data.toolCallId);
  if (id === null) return [];
  const result = objectOf(data.result);
  const error = objectOf(data.error);
  const text = stringOf(result?.content) ?? stringOf(error?.message);
  const exitCode = exitCodeOf(data, text);
  const failed = data.success === false || (exitCode !== null && exitCode !== 0);
  const refused = error?.code === 'denied' || error?.code === 'rejected';
  const launched = objectOf(objectOf(data.toolTelemetry)?.restrictedProperties);
  return [
    {
      ...line,
      kind: 'result',
      id,
      outcome: failed ? (refused ? 'cancelled' : 'failed') : 'ok',
      text,
      ...(exitCode === null ? {} : { detail: { exitCode } }),
      launchedAgentId: idOf(launched?.agent_id),
    },
  ];
}

/** A failing command is a success to Copilot. Earlier versions say the exit code only at the end of the text. */
function exitCodeOf(data: JsonObject, text: string | null): number | null {
  const reported = wholeOf(objectOf(data.shellExecution)?.exitCode);
  if (reported !== null) return reported;
  const properties = objectOf(objectOf(data.toolTelemetry)?.properties);
  if (properties?.executionMode === undefined || properties.detached === undefined) return null;
  return exitCodeIn(text ?? '');
}
