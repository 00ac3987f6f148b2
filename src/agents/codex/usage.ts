// Tokens of the model's responses.
import { idOf, type JsonObject, objectOf, wholeOf } from '../common/json-fields.ts';
import type { RecordFields, TranscriptRecord } from '../common/records.ts';
import { type Memory, turnOf } from './memory.ts';
import type { Line, Read } from './rollout-line.ts';

/** One line for each response of the model. */
export function readUsageRecord({ payload, fields, id }: Line, memory: Memory): Read {
  const response = idOf(payload.response_id) ?? id;
  const turn = turnOf(memory, idOf(payload.turn_id));
  return {
    records: usageRecords(objectOf(payload.usage), { ...fields, turn }, response),
    memory: { ...memory, usageRecords: true },
  };
}

/** Running totals, written again when nothing was added. */
export function readTokenCount({ payload, fields, id }: Line, memory: Memory): Read {
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
