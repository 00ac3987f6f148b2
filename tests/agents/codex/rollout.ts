// Rollouts made by hand, line by line, in the three forms that Codex has written.
import type { RolloutMemory } from '../../../src/agents/codex/transcript.ts';
import { rolloutFormat } from '../../../src/agents/codex/transcript.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { TranscriptRecord } from '../../../src/agents/common/records.ts';

export const START = Date.UTC(2026, 10, 22, 18, 0, 0);
export const THREAD = uuidAt(START, 1);
export const TURN = uuidAt(START + 100, 2);

/** A UUIDv7 of that time. */
export function uuidAt(time: number, number: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}

/** Lines of a rollout, a second apart. */
export class Rollout {
  readonly lines: JsonObject[] = [];
  readonly #calls = new Map<string, string>();

  line(type: string, payload: JsonObject): this {
    const timestamp = new Date(START + this.lines.length * 1_000).toISOString();
    this.lines.push({ timestamp, ordinal: this.lines.length, type, payload });
    return this;
  }

  meta(fields: JsonObject = {}): this {
    return this.line('session_meta', {
      id: THREAD,
      timestamp: '2026-11-22T18:00:00.000Z',
      cwd: '/home/u/app',
      cli_version: '0.169.0',
      source: 'exec',
      git: { branch: 'main' },
      ...fields,
    });
  }

  turn(id: string = TURN, root: string = id): this {
    this.event('task_started', { turn_id: id, root_turn_id: root });
    return this.line('turn_context', {
      turn_id: id,
      root_turn_id: root,
      cwd: '/home/u/app',
      model: 'gpt-5.5',
    });
  }

  event(type: string, fields: JsonObject): this {
    return this.line('event_msg', { type, ...fields });
  }

  item(item: JsonObject, turn: string = TURN): this {
    return this.event('item_completed', { thread_id: THREAD, turn_id: turn, item });
  }

  response(payload: JsonObject): this {
    return this.line('response_item', payload);
  }

  /** A prompt as both the model and the program have it. */
  prompted(text: string, id = 'item-1'): this {
    this.response({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    return this.item({ type: 'UserMessage', id, content: [{ type: 'text', text, text_elements: [] }] });
  }

  said(text: string, id: string): this {
    this.item({ type: 'AgentMessage', id, content: [{ type: 'Text', text }] });
    return this.response({
      type: 'message',
      id,
      role: 'assistant',
      content: [{ type: 'output_text', text }],
    });
  }

  called(call_id: string, name: string, input: JsonObject, fields: JsonObject = {}): this {
    this.#calls.set(call_id, name);
    return this.response({
      type: 'function_call',
      name,
      arguments: JSON.stringify(input),
      call_id,
      ...fields,
    });
  }

  patched(call_id: string, input: string): this {
    return this.response({ type: 'custom_tool_call', name: 'apply_patch', input, call_id });
  }

  answered(call_id: string, output: JsonObject[string]): this {
    const type = this.#calls.has(call_id) ? 'function_call_output' : 'custom_tool_call_output';
    return this.response({ type, call_id, output });
  }

  command(id: string, fields: JsonObject = {}): this {
    return this.item({
      type: 'CommandExecution',
      id,
      command: ['/bin/bash', '-lc', 'npm test'],
      cwd: 'file:///home/u/app',
      status: 'completed',
      exit_code: 0,
      aggregated_output: 'ok\n',
      duration: { secs: 1, nanos: 500_000_000 },
      ...fields,
    });
  }

  /** Every record, after a round trip of the memory through JSON at every line. */
  records(): readonly TranscriptRecord[] {
    return readLines(this.lines).records;
  }

  of<K extends TranscriptRecord['kind']>(kind: K): readonly Extract<TranscriptRecord, { kind: K }>[] {
    return this.records().filter((one): one is Extract<TranscriptRecord, { kind: K }> => one.kind === kind);
  }
}

export function readLines(
  lines: readonly JsonObject[],
  memory: RolloutMemory = rolloutFormat.memory,
  from = 0,
): {
  readonly records: readonly TranscriptRecord[];
  readonly memory: RolloutMemory;
  readonly offset: number;
} {
  const records: TranscriptRecord[] = [];
  let offset = from;
  let after = memory;
  for (const line of lines) {
    const kept = JSON.parse(JSON.stringify(after)) as RolloutMemory;
    const read = rolloutFormat.records(line, kept, {
      offset,
      path: '/home/u/.codex/sessions/rollout-1.jsonl',
    });
    records.push(...read.records);
    after = read.memory;
    offset += Buffer.byteLength(JSON.stringify(line)) + 1;
  }
  return { records, memory: after, offset };
}

/** The output that the model sees of a command. */
export function execOutput(text: string, end = 'Process exited with code 0'): string {
  return `Chunk ID: 439d6b\nWall time: 0.5000 seconds\n${end}\nOriginal token count: 11\nOutput:\n${text}`;
}

/** A turn that has begun. */
export function paginated(): Rollout {
  return new Rollout()
    .meta({ history_mode: 'paginated' })
    .turn()
    .prompted('Make the tests pass')
    .said('I run them.', 'msg_1');
}
