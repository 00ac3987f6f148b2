// Rollouts of Codex, in three forms: lines without an envelope until September 2025; envelopes of `timestamp`, `type`, `payload` with
// messages (`history_mode` legacy); the same with completed items (paginated, since September 2026). Facts are from
// 0.169.0 and from rollouts of 0.39 to 0.142. A sub-agent has a rollout of its own. A fork names where its history is;
// older ones repeat it, with new times: turns that are older than their thread are such copies.
//
// Not read: compactions and the world state (they repeat earlier text), reasoning, and turns that were rolled back (they
// did happen).
import { idOf, type JsonObject, listOf, objectOf, stringOf, timeOf, wholeOf } from '../common/json-fields.ts';
import type { LineLocation, RecordFields, TranscriptFormat, TranscriptRecord } from '../common/records.ts';
import { type Read, readCall, readOutput } from './calls.ts';
import { decodeRollout, isUnwrappedStart } from './files.ts';
import { readEnded, readSearch } from './items.ts';
import { inTurn, type Memory, NO_MEMORY, readsForm, timeOfUuid, turnOf } from './memory.ts';
import { partsText } from './output-text.ts';
import { personText } from './person-text.ts';

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

interface Line {
  readonly payload: JsonObject;
  readonly fields: RecordFields;
  /** A name of the line in its session. */
  readonly id: string;
}

type LineReader = (line: Line, memory: Memory) => Read;

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

const nothing: LineReader = (_line, memory) => ({ records: [], memory });

function unknown({ fields }: Line, memory: Memory, name: JsonObject[string] | undefined): Read {
  return { records: [{ kind: 'unknown', ...fields, name }], memory };
}

function ownOf<T>(
  table: { readonly [name: string]: T },
  name: JsonObject[string] | undefined,
): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
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

/** Prompts and answers are read from their events; here, only in rollouts without envelopes, which have none. */
function readMessage({ payload, fields, id }: Line, memory: Memory): Read {
  const text = partsText(payload.content);
  const unwrapped = memory.form === 'unwrapped';
  if (payload.role === 'user') {
    const person = personText(text);
    const cwd = unwrapped ? (/<cwd>([^<\n]{1,4096})<\/cwd>/.exec(text)?.[1] ?? null) : null;
    const moved: readonly TranscriptRecord[] = cwd === null ? [] : [{ kind: 'workdir', ...fields, cwd }];
    if ('ignored' in person && person.ignored !== 'no text')
      return { records: [...moved, { kind: 'ignored', ...fields, reason: person.ignored }], memory };
    return { records: unwrapped ? promptRecords(text, 0, { fields, id, memory }) : [], memory };
  }
  if (!unwrapped || payload.role !== 'assistant' || text.trim() === '') return { records: [], memory };
  return { records: [{ kind: 'reply', ...fields, id, text }], memory };
}

function promptRecords(
  sent: string,
  images: number,
  { fields, id, memory }: { fields: RecordFields; id: string; memory: Memory },
): readonly TranscriptRecord[] {
  if (memory.parent !== null) return [{ kind: 'ignored', ...fields, reason: 'prompt of a sub-agent' }];
  const person = personText(sent);
  // An empty prompt would say that its turn is private.
  if ('ignored' in person && (person.ignored !== 'no text' || images === 0))
    return [{ kind: 'ignored', ...fields, reason: person.ignored }];
  const text = 'text' in person ? person.text : '[image]';
  return [{ kind: 'prompt', turn: turnOf(memory), ...fields, id, text, images }];
}

function readEvent(line: Line, memory: Memory): Read {
  const { payload, fields } = line;
  const at = { ...fields, turn: turnOf(memory, idOf(payload.turn_id)) };
  const ended = readEnded(payload, memory, at);
  if (ended !== null) return ended;
  const read = ownOf(EVENTS, payload.type);
  return read === undefined ? unknown(line, memory, payload.type) : read({ ...line, fields: at }, memory);
}

const EVENTS: { readonly [type: string]: LineReader } = {
  user_message: ({ payload, fields, id }, memory) => {
    const next = readsForm(memory, 'messages');
    if (next === null) return { records: [], memory };
    const images = listOf(payload.images).length + listOf(payload.local_images).length;
    return {
      records: promptRecords(stringOf(payload.message) ?? '', images, { fields, id, memory: next }),
      memory: next,
    };
  },
  agent_message: ({ payload, fields, id }, memory) => {
    const next = readsForm(memory, 'messages');
    const text = stringOf(payload.message) ?? '';
    if (next === null || text.trim() === '') return { records: [], memory };
    return { records: [{ kind: 'reply', ...fields, id, text }], memory: next };
  },
  item_completed: readItem,
  web_search_end: ({ payload, fields, id }, memory) => ({
    records: readSearch(payload, id, fields),
    memory: { ...memory, searches: memory.searches + 1 },
  }),
  task_started: beginTurn,
  turn_started: beginTurn,
  task_complete: endTurn,
  turn_complete: endTurn,
  turn_aborted: ({ payload, fields, id }, memory) => ({
    records: [
      { kind: 'stop', ...fields, id: `aborted:${idOf(payload.turn_id) ?? id}`, reason: 'interrupted' },
    ],
    memory,
  }),
  token_count: readTokenCount,
  thread_name_updated: ({ payload, fields }, memory) => {
    const title = stringOf(payload.thread_name) ?? '';
    return { records: title === '' ? [] : [{ kind: 'title', ...fields, source: 'custom', title }], memory };
  },
  ...Object.fromEntries(
    [
      ...['agent_reasoning', 'agent_reasoning_raw_content', 'context_compacted', 'error', 'warning'],
      ...['entered_review_mode', 'exited_review_mode', 'hook_started', 'hook_completed', 'item_started'],
      ...['image_generation_end', 'model_reroute', 'model_verification', 'plan_update', 'stream_error'],
      ...['thread_goal_updated', 'thread_rolled_back', 'thread_settings_applied', 'undo_completed'],
    ].map((type) => [type, nothing]),
  ),
};

function beginTurn({ payload }: Line, memory: Memory): Read {
  return { records: [], memory: inTurn(memory, payload, true) };
}

/** The answer stands in a line of its own. A turn that failed has no other line, and no hook. */
function endTurn({ payload, fields, id }: Line, memory: Memory): Read {
  const problem = objectOf(payload.error);
  if (problem === null) return { records: [], memory };
  const kind = problem.codex_error_info;
  const named = typeof kind === 'string' && kind !== 'other' ? kind : Object.keys(objectOf(kind) ?? {})[0];
  const error = named ?? stringOf(problem.message) ?? 'unknown';
  const name = `failed:${idOf(payload.turn_id) ?? id}`;
  return { records: [{ kind: 'stop', ...fields, id: name, reason: 'error', error }], memory };
}

function readItem({ payload, fields, id }: Line, memory: Memory): Read {
  const item = objectOf(payload.item) ?? {};
  const ended = readEnded(item, memory, fields);
  if (ended !== null) return ended;
  const name = idOf(item.id) ?? id;
  switch (item.type) {
    case 'UserMessage': {
      const next = readsForm(memory, 'items');
      if (next === null) return { records: [], memory };
      const parts = listOf(item.content).map(objectOf);
      const images = parts.filter((part) => /image/i.test(stringOf(part?.type) ?? '')).length;
      const records = promptRecords(partsText(item.content), images, { fields, id: name, memory: next });
      return { records, memory: next };
    }
    case 'AgentMessage': {
      const next = readsForm(memory, 'items');
      const text = partsText(item.content);
      if (next === null || text.trim() === '') return { records: [], memory };
      return { records: [{ kind: 'reply', ...fields, id: name, text }], memory: next };
    }
    // Written in both forms of history, and nowhere else.
    case 'Plan': {
      const text = stringOf(item.text) ?? '';
      return { records: text.trim() === '' ? [] : [{ kind: 'reply', ...fields, id: name, text }], memory };
    }
    case 'WebSearch':
      return { records: readSearch(item, id, fields), memory: { ...memory, searches: memory.searches + 1 } };
    case 'HookPrompt':
      return { records: [{ kind: 'ignored', ...fields, reason: 'injected context' }], memory };
    case 'Reasoning':
    case 'ContextCompaction':
    case 'EnteredReviewMode':
    case 'ExitedReviewMode':
    case 'ImageGeneration':
    case 'Sleep':
      return { records: [], memory };
    default:
      return { records: [{ kind: 'unknown', ...fields, name: item.type }], memory };
  }
}

/** One line for each response of the model. */
function readUsageRecord({ payload, fields, id }: Line, memory: Memory): Read {
  const response = idOf(payload.response_id) ?? id;
  const turn = turnOf(memory, idOf(payload.turn_id));
  return {
    records: usageRecords(objectOf(payload.usage), { ...fields, turn }, response),
    memory: { ...memory, usageRecords: true },
  };
}

/** Running totals, written again when nothing was added. */
function readTokenCount({ payload, fields, id }: Line, memory: Memory): Read {
  const info = objectOf(payload.info);
  const tokens = wholeOf(objectOf(info?.total_token_usage)?.total_tokens);
  if (memory.usageRecords || tokens === null || tokens === memory.tokens) return { records: [], memory };
  return {
    records: usageRecords(objectOf(info?.last_token_usage), fields, id),
    memory: { ...memory, tokens },
  };
}

function usageRecords(
  usage: JsonObject | null,
  fields: RecordFields,
  id: string,
): readonly TranscriptRecord[] {
  if (usage === null) return [];
  const count = (name: string) => Math.max(0, wholeOf(usage[name]) ?? 0);
  const [cacheRead, cacheCreation] = [count('cached_input_tokens'), count('cache_write_input_tokens')];
  // `input_tokens` counts cached ones too, `output_tokens` those of reasoning.
  const input = Math.max(0, count('input_tokens') - cacheRead - cacheCreation);
  const tokens = { input, output: count('output_tokens'), cacheRead, cacheCreation };
  return [
    { kind: 'reply', ...fields, id: `usage:${id}`, messageId: `usage:${id}`, text: null, usage: tokens },
  ];
}
