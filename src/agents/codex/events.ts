// What the program says of a turn (`event_msg`): prompts, answers, how calls ended, beginning and end.
import { idOf, type JsonObject, listOf, objectOf, stringOf } from '../common/json-fields.ts';
import { readEnded, readSearch } from './items.ts';
import { inTurn, type Memory, readsForm, turnOf } from './memory.ts';
import { promptRecords } from './messages.ts';
import { partsText } from './output-text.ts';
import { type Line, type LineReader, nothing, ownOf, type Read, unknown } from './rollout-line.ts';
import { readTokenCount } from './usage.ts';

export function readEvent(line: Line, memory: Memory): Read {
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
    return { records: [{ kind: 'reply', ...fields, id, text, ...phaseOf(payload) }], memory: next };
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

/** The answer has its own line. A turn that failed has no other line, and no hook. */
function endTurn({ payload, fields, id }: Line, memory: Memory): Read {
  const problem = objectOf(payload.error);
  if (problem === null) return { records: [], memory };
  const kind = problem.codex_error_info;
  const named = typeof kind === 'string' && kind !== 'other' ? kind : Object.keys(objectOf(kind) ?? {})[0];
  const error = named ?? stringOf(problem.message) ?? 'unknown';
  const name = `failed:${idOf(payload.turn_id) ?? id}`;
  return { records: [{ kind: 'stop', ...fields, id: name, reason: 'error', error }], memory };
}

/** Since about 0.100, an answer is one of its phases. */
function phaseOf({ phase }: JsonObject): { readonly goesOn?: true } {
  return phase === 'commentary' ? { goesOn: true } : {};
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
      return { records: [{ kind: 'reply', ...fields, id: name, text, ...phaseOf(item) }], memory: next };
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
