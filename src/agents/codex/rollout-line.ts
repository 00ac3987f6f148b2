// A line of a rollout, and what is read of one.
import type { JsonObject } from '../common/json-fields.ts';
import type { RecordFields, TranscriptRecord } from '../common/records.ts';
import type { Memory } from './memory.ts';

export interface Read {
  readonly records: readonly TranscriptRecord[];
  readonly memory: Memory;
}

export interface Line {
  readonly payload: JsonObject;
  readonly fields: RecordFields;
  /** A name of the line in its session. */
  readonly id: string;
}

export type LineReader = (line: Line, memory: Memory) => Read;

export const nothing: LineReader = (_line, memory) => ({ records: [], memory });

export function unknown({ fields }: Line, memory: Memory, name: JsonObject[string] | undefined): Read {
  return { records: [{ kind: 'unknown', ...fields, name }], memory };
}

export function ownOf<T>(
  table: { readonly [name: string]: T },
  name: JsonObject[string] | undefined,
): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}
