// Calls of tools and their outputs among the items that the model sees (`response_item`).
import { type Json, parseJson } from '../../../log/index.ts';
import { idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import type { RecordFields, ResultRecord } from '../common/records.ts';
import { type Memory, type OpenCall, openCall, turnNamed, turnOf, withOpen, withoutOpen } from './memory.ts';
import { type Output, outputOf, withExitCode } from './output-text.ts';
import type { Read } from './rollout-line.ts';

/** Tools that wait for a process, and where their input names it. */
const POLLS: { readonly [tool: string]: string } = { write_stdin: 'session_id', wait: 'cell_id' };

/** A call whose output comes in a line of its own. */
export function readCall(payload: JsonObject, memory: Memory, fields: RecordFields): Read {
  const id = idOf(payload.call_id);
  const name = toolName(payload);
  if (id === null || name === null)
    return { records: [{ kind: 'unknown', ...fields, name: payload.type }], memory };
  const input = inputOf(payload);
  const polls = pollsOf(name, input);
  return {
    records: [{ kind: 'call', ...fields, turn: turnOf(memory, turnNamed(payload)), id, name, input }],
    memory: withOpen(memory, polls === null ? { id } : { id, polls }),
  };
}

/**
 * The output of a call. A command that still runs has no result yet: it comes with its own last line, or with the output
 * of the call that waited for it.
 */
export function readOutput(payload: JsonObject, memory: Memory, fields: RecordFields): Read {
  const id = idOf(payload.call_id);
  if (id === null) return { records: [], memory };
  const open = openCall(memory, id) ?? { id };
  const output = outputOf(payload.output);
  const at = { ...fields, turn: turnOf(memory, turnNamed(payload)) };
  if (open.polls !== undefined) return readPoll(open.polls, output, withoutOpen(memory, id), { id, at });
  if (output.process !== null && open.outcome === undefined)
    return { records: [], memory: withOpen(memory, { ...open, process: output.process }) };
  return { records: [resultOf(open, output, at)], memory: withoutOpen(memory, id) };
}

/** The output of a call that waited for a process. Once the process has ended, the call that started it has. */
function readPoll(
  process: string,
  output: Output,
  memory: Memory,
  { id, at }: { id: string; at: RecordFields },
): Read {
  const started = memory.open.find((call) => call.process === process);
  const ended = output.process === null && output.outcome !== 'cancelled' && started !== undefined;
  if (!ended) return { records: [resultOf({ id }, output, at)], memory };
  // The outcome is that of the command, and the text too: waiting itself did not fail.
  const poll = resultOf({ id }, { ...output, outcome: 'ok', exitCode: null }, at);
  const end = resultOf(started, { ...output, durationMs: null }, at);
  return { records: [poll, end], memory: withoutOpen(memory, started.id) };
}

/** What a structured line says of the outcome counts; else the output's text; else the call was answered. */
export function resultOf(call: OpenCall, output: Output, fields: RecordFields): ResultRecord {
  const exitCode = call.exitCode ?? output.exitCode;
  const outcome = output.outcome === 'cancelled' ? 'cancelled' : (call.outcome ?? output.outcome ?? 'ok');
  return {
    kind: 'result',
    ...fields,
    id: call.id,
    outcome,
    text: outcome === 'failed' ? withExitCode(output.text, exitCode) : output.text,
    detail: exitCode === null ? null : { exit_code: exitCode },
    durationMs: call.durationMs ?? output.durationMs,
    launchedAgentId: call.launched ?? null,
  };
}

/** Hooks name the tools of a server in the same way. */
function toolName({ type, name, namespace }: JsonObject): string | null {
  if (type === 'local_shell_call') return 'local_shell';
  if (type === 'tool_search_call') return 'tool_search';
  const own = idOf(name);
  const server = stringOf(namespace);
  return own !== null && server?.startsWith('mcp__') === true ? `${server}__${own}` : own;
}

/** The input as the agent wrote it; a text that is JSON, as its value. A free text gets the name of its field. */
function inputOf(payload: JsonObject): Json {
  if (payload.type === 'local_shell_call') return payload.action ?? null;
  if (payload.type === 'custom_tool_call') return { input: payload.input ?? null };
  const { arguments: input = null } = payload;
  const parsed = typeof input === 'string' ? parseJson(input) : null;
  return parsed !== null && 'value' in parsed ? (parsed.value as Json) : input;
}

function pollsOf(tool: string, input: Json): string | null {
  const field = Object.hasOwn(POLLS, tool) ? POLLS[tool]! : null;
  const value = field === null ? null : objectOf(input)?.[field];
  return typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, 128) : null;
}
