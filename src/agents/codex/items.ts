// How calls ended, from lines with fields of their own: `item_completed` in paginated rollouts, `…_end` in legacy ones.
// They come before the output that the model sees. A call from within a script (code mode) has only such a line.
import type { Json } from '../../../log/index.ts';
import { idOf, type JsonObject, listOf, objectOf, stringOf, wholeOf } from '../common/json-fields.ts';
import type { RecordFields, ResultRecord, TranscriptRecord } from '../common/records.ts';
import { resultOf } from './calls.ts';
import { type Memory, type OpenCall, openCall, withOpen, withoutOpen } from './memory.ts';
import { partsText } from './output-text.ts';
import type { Read } from './rollout-line.ts';

/** A call as its last line has it. */
interface Ended {
  readonly id: string;
  /** Null when the call always has a line of its own. */
  readonly name: string | null;
  readonly input: Json;
  readonly text: string | null;
  readonly outcome: ResultRecord['outcome'];
  readonly exitCode?: number | null;
  readonly durationMs?: number | null;
  readonly launched?: string | null;
}

/** @returns null when the line is about no call */
export function readEnded(item: JsonObject, memory: Memory, fields: RecordFields): Read | null {
  const type = stringOf(item.type) ?? '';
  if (!Object.hasOwn(ENDED, type)) return null;
  const ended = ENDED[type]!(item);
  if (ended === null) return { records: [], memory };
  const open = openCall(memory, ended.id);
  if (open?.process !== undefined)
    return { records: [endOf(open, ended, fields)], memory: withoutOpen(memory, open.id) };
  if (open !== undefined) return { records: [], memory: withOpen(memory, { ...open, ...known(ended) }) };
  return { records: wholeCall(ended, fields), memory };
}

/** The call and its result; the reader of records drops what it has read already. */
function wholeCall(ended: Ended, fields: RecordFields): readonly TranscriptRecord[] {
  const { id, name, input } = ended;
  if (name === null) return [];
  return [{ kind: 'call', ...fields, id, name, input }, endOf({ id }, ended, fields)];
}

function endOf(call: OpenCall, ended: Ended, fields: RecordFields): ResultRecord {
  const output = { text: ended.text ?? '', outcome: null, exitCode: null, durationMs: null, process: null };
  return resultOf({ ...call, ...known(ended) }, output, fields);
}

function known({ outcome, exitCode, durationMs, launched }: Ended): Omit<OpenCall, 'id'> {
  return {
    outcome,
    ...(exitCode == null ? {} : { exitCode }),
    ...(durationMs == null ? {} : { durationMs }),
    ...(launched == null ? {} : { launched }),
  };
}

const ENDED: { readonly [type: string]: (item: JsonObject) => Ended | null } = {
  CommandExecution: commandEnd,
  exec_command_end: commandEnd,
  FileChange: patchEnd,
  patch_apply_end: patchEnd,
  McpToolCall: (item) => serverEnd(item, item),
  mcp_tool_call_end: (item) => serverEnd(item, objectOf(item.invocation) ?? {}),
  DynamicToolCall: (item) => toolEnd(item, idOf(item.tool), item.arguments ?? null),
  ImageView: (item) => toolEnd(item, 'view_image', { path: item.path ?? null }),
  CollabAgentToolCall: (item) => toolEnd(item, null, null),
  SubAgentActivity: launchEnd,
  sub_agent_activity: launchEnd,
};

function commandEnd(item: JsonObject): Ended | null {
  const id = callId(item);
  // A command that the person typed is no tool of the agent.
  if (id === null || stringOf(item.source)?.startsWith('user') === true) return null;
  const exitCode = wholeOf(item.exit_code);
  const outcome = outcomeOf(item);
  return {
    id,
    name: 'exec_command',
    input: { cmd: item.command ?? null, workdir: folderOf(item.cwd) },
    text: stringOf(item.aggregated_output) ?? stringOf(item.stdout),
    outcome: outcome === 'cancelled' || exitCode === null ? outcome : exitCode === 0 ? 'ok' : 'failed',
    exitCode,
    durationMs: millisecondsOf(item.duration),
  };
}

function patchEnd(item: JsonObject): Ended | null {
  const id = callId(item);
  if (id === null) return null;
  const printed = [stringOf(item.stdout), stringOf(item.stderr)].filter((text) => text);
  return {
    id,
    name: 'apply_patch',
    input: { input: patchOf(objectOf(item.changes) ?? {}) },
    text: printed.join('\n'),
    outcome: outcomeOf(item),
  };
}

/** The patch again, in the form in which the agent writes one. */
function patchOf(changes: JsonObject): string {
  const files = Object.entries(changes).map(([path, value]) => {
    const change = objectOf(value);
    const what = change?.type === 'add' ? 'Add' : change?.type === 'delete' ? 'Delete' : 'Update';
    const moved = stringOf(change?.move_path);
    const body =
      stringOf(change?.unified_diff) ?? (what === 'Add' ? added(stringOf(change?.content) ?? '') : '');
    const head = `*** ${what} File: ${path}\n${moved === null ? '' : `*** Move to: ${moved}\n`}`;
    return `${head}${body}${body === '' || body.endsWith('\n') ? '' : '\n'}`;
  });
  return `*** Begin Patch\n${files.join('')}*** End Patch`;
}

function added(content: string): string {
  return content.replace(/^(?=.|\n)/gm, '+');
}

function serverEnd(item: JsonObject, call: JsonObject): Ended | null {
  const id = callId(item);
  const [server, tool] = [stringOf(call.server), stringOf(call.tool)];
  if (id === null) return null;
  const result = objectOf(item.result);
  const answer = objectOf(result?.Ok) ?? result;
  const error = stringOf(result?.Err) ?? stringOf(objectOf(item.error)?.message) ?? stringOf(item.error);
  const failed = error !== null || answer?.isError === true || answer?.is_error === true;
  return {
    id,
    name: server === null || tool === null ? null : `mcp__${server}__${tool}`,
    input: call.arguments ?? null,
    text: error ?? partsText(answer?.content),
    outcome: failed ? 'failed' : outcomeOf(item),
    durationMs: millisecondsOf(item.duration),
  };
}

function toolEnd(item: JsonObject, name: string | null, input: Json): Ended | null {
  const id = callId(item);
  return id === null
    ? null
    : { id, name, input, text: partsText(item.content_items) || null, outcome: outcomeOf(item) };
}

/** The agent that a call launched. When that one ends, the line names no call. */
function launchEnd(item: JsonObject): Ended | null {
  const id = callId(item);
  const launched = item.kind === 'started' ? idOf(item.agent_thread_id) : null;
  return id === null || launched === null
    ? null
    : { id, name: null, input: null, text: null, outcome: 'ok', launched };
}

function callId(item: JsonObject): string | null {
  return idOf(item.call_id) ?? idOf(item.id);
}

function outcomeOf({ status, success }: JsonObject): ResultRecord['outcome'] {
  if (status === 'declined') return 'cancelled';
  return status === 'failed' || success === false ? 'failed' : 'ok';
}

function millisecondsOf(value: Json | undefined): number | null {
  const duration = objectOf(value);
  const { secs, nanos } = duration ?? {};
  return typeof secs === 'number' && typeof nanos === 'number' ? wholeOf(secs * 1_000 + nanos / 1e6) : null;
}

/** `file:///home/u/app`, or a path. */
function folderOf(value: Json | undefined): string | null {
  const text = stringOf(value);
  if (text === null || !text.startsWith('file://')) return text;
  try {
    return decodeURIComponent(text.slice('file://'.length)).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    return null;
  }
}

/** A search of the web by the service. */
export function readSearch(
  item: JsonObject,
  fallbackId: string,
  fields: RecordFields,
): readonly TranscriptRecord[] {
  const id = callId(item) ?? fallbackId;
  const action = objectOf(item.action) ?? {};
  const query = stringOf(action.query) ?? stringOf(item.query) ?? stringOf(listOf(action.queries)[0]);
  const input = {
    ...(query === null ? {} : { query }),
    ...(typeof action.url === 'string' ? { url: action.url } : {}),
  };
  const outcome = item.status === 'failed' ? 'failed' : 'ok';
  return [
    { kind: 'call', ...fields, id, name: 'web_search', input },
    { kind: 'result', ...fields, id, outcome, text: null },
  ];
}
