// Rollouts of Codex, in three forms: lines without an envelope until September 2025; envelopes of `timestamp`, `type`,
// `payload` with messages (`history_mode` legacy); the same with completed items (paginated, since September 2026). Facts
// are from 0.169.0 and from rollouts of 0.39 to 0.142. A sub-agent has a rollout of its own. A fork names where its history
// is; older ones repeat it, with new times: turns that are older than their thread are such copies.
//
// Not read: compactions and the world state (they repeat earlier text), reasoning, and turns that were rolled back (they
// did happen).
import { idOf, type JsonObject, objectOf, stringOf, timeOf } from '../common/json-fields.ts';
import type { LineLocation, TranscriptFormat } from '../common/records.ts';
import { readCall, readOutput } from './calls.ts';
import { decodeRollout } from './decode-rollout.ts';
import { readEvent } from './events.ts';
import { isUnwrappedStart } from './files.ts';
import { readSearch } from './items.ts';
import { inTurn, type Memory, NO_MEMORY, timeOfUuid, turnOf } from './memory.ts';
import { readMessage } from './messages.ts';
import { type Line, type LineReader, nothing, ownOf, type Read, unknown } from './rollout-line.ts';
import { readUsageRecord } from './usage.ts';

export const rolloutFormat: TranscriptFormat<Memory> = {
  version: 1,
  form: 'lines',
  memory: NO_MEMORY,
  records(line, memory, location) {
    const read = readLine(line, memory, location);
    const copied = read.memory.copied && read.records.some(({ kind }) => kind !== 'session');
    if (!copied) return read;
    return {
      records: [{ kind: 'ignored', at: timeOf(line.timestamp), reason: 'copied from another session' }],
      memory: read.memory,
    };
  },
};

export type { Memory as RolloutMemory };

export const compressedFormat: TranscriptFormat<Memory> = { ...rolloutFormat, decode: decodeRollout };

function readLine(line: JsonObject, memory: Memory, { offset }: LineLocation): Read {
  const fields = { at: timeOf(line.timestamp) };
  const id = `${memory.thread}:${offset}`;
  if (isUnwrappedStart(line))
    return readSession({ payload: line, fields, id }, { ...memory, form: 'unwrapped' });
  const payload = objectOf(line.payload);
  // Lines without an envelope are the payloads of response items.
  if (payload === null) return readResponse({ payload: line, fields, id }, memory);
  const read = ownOf(TYPES, line.type);
  return read === undefined
    ? unknown({ payload, fields, id }, memory, line.type)
    : read({ payload, fields, id }, memory);
}

const TYPES: { readonly [type: string]: LineReader } = {
  session_meta: readSession,
  turn_context: readTurnContext,
  response_item: readResponse,
  event_msg: readEvent,
  token_usage_record: readUsageRecord,
  compacted: nothing,
  world_state: nothing,
  inter_agent_communication: nothing,
  inter_agent_communication_metadata: nothing,
};

/** The first line names the thread. A later one is written when the thread goes on, or is its parent's: it was copied. */
function readSession({ payload, fields }: Line, memory: Memory): Read {
  const thread = idOf(payload.id);
  if (thread === null) return unknown({ payload, fields, id: '' }, memory, 'session_meta');
  if (memory.thread !== null && thread !== memory.thread)
    return { records: [], memory: { ...memory, copied: true } };
  const parent = parentOf(payload, thread);
  const git = objectOf(payload.git);
  const source = stringOf(payload.source);
  const isFork = idOf(payload.forked_from_id) !== null;
  const first = memory.thread === null;
  return {
    records: [
      {
        kind: 'session',
        at: fields.at ?? timeOf(payload.timestamp),
        session: thread,
        parentSession: parent,
        source: first && isFork && parent === null ? 'fork' : null,
        branch: idOf(git?.branch),
        agentVersion: idOf(payload.cli_version),
        entrypoint: source ?? idOf(payload.originator),
        cwd: stringOf(payload.cwd),
      },
    ],
    memory: {
      ...memory,
      thread,
      parent,
      madeAt: timeOfUuid(thread),
      copied: first ? isFork && objectOf(payload.history_base) === null : memory.copied,
    },
  };
}

/** The session that launched a sub-agent. `session_id` is that of the main session, as in hooks. */
function parentOf(payload: JsonObject, thread: string): string | null {
  const spawn = objectOf(objectOf(objectOf(payload.source)?.subagent)?.thread_spawn);
  const parent = idOf(payload.parent_thread_id) ?? idOf(spawn?.parent_thread_id);
  const root = idOf(payload.session_id);
  if (parent === null) return null;
  return root !== null && root !== thread ? root : parent;
}

function readTurnContext({ payload, fields }: Line, memory: Memory): Read {
  const next = inTurn(memory, payload, false);
  const model = idOf(payload.model);
  const cwd = stringOf(payload.cwd);
  if (next.thread === null) return { records: [], memory: next };
  const session = { session: next.thread, parentSession: next.parent, model, cwd };
  return { records: [{ kind: 'session', ...fields, ...session }], memory: next };
}

function readResponse(line: Line, memory: Memory): Read {
  const { payload, fields } = line;
  switch (payload.type) {
    case 'message':
      return readMessage(line, memory);
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
      return readCall(payload, memory, fields);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return readOutput(payload, memory, fields);
    case 'web_search_call':
      // The event before it has named the search.
      if (memory.searches > 0) return { records: [], memory: { ...memory, searches: memory.searches - 1 } };
      return { records: readSearch(payload, line.id, { ...fields, turn: turnOf(memory) }), memory };
    case 'agent_message':
    case 'reasoning':
    case 'image_generation_call':
    case 'compaction':
    case 'context_compaction':
    case 'ghost_snapshot':
    case 'other':
      return { records: [], memory };
    default:
      // A line about the state of the program.
      return payload.record_type === undefined
        ? unknown(line, memory, payload.type)
        : { records: [], memory };
  }
}
