// Runs the format of an agent over the text of a file, and damages what an agent wrote.
import type { Json } from '../../../log/index.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import type { TranscriptFormat, TranscriptRecord } from '../../../src/agents/common/records.ts';
import type { Chance } from '../chance.ts';

/** The records of a whole file. `cuts`: byte offsets after which the reader starts again from what a cursor keeps. */
export function recordsOf(
  format: TranscriptFormat,
  text: string,
  path: string,
  cuts: readonly number[] = [],
): TranscriptRecord[] {
  if (format.form === 'document')
    return [...format.records(JSON.parse(text) as JsonObject, format.memory, { offset: 0, path }).records];
  const records: TranscriptRecord[] = [];
  let { memory } = format;
  let offset = 0;
  for (const line of text.split('\n')) {
    const end = offset + Buffer.byteLength(line) + 1;
    // A cursor is JSON, and points to the end of a whole line.
    if (cuts.some((cut) => cut > offset && cut <= end))
      memory = JSON.parse(JSON.stringify(memory)) as JsonObject;
    if (line.trim() !== '') {
      const read = format.records(JSON.parse(line) as JsonObject, memory, { offset, path });
      records.push(...read.records);
      memory = read.memory;
    }
    offset = end;
  }
  return records;
}

/** How many records there are of each kind; of prompts, calls and replies each id counts once. */
export function countRecords(records: readonly TranscriptRecord[]): { readonly [kind: string]: number } {
  const seen = new Set<string>();
  const counts: Record<string, number> = {};
  for (const record of records) {
    if ('id' in record) {
      const key = `${record.kind} ${record.id}`;
      if (seen.has(key)) continue;
      seen.add(key);
    }
    counts[record.kind] = (counts[record.kind] ?? 0) + 1;
  }
  return counts;
}

const STRANGE: readonly Json[] = [
  ...[null, true, false, 0, -1, 1.5, 1e300, '', ' ', 'text', '\u0000', '\ud800', '{}', '[]', '__proto__'],
  ...[[], {}, [[]], [null], { id: 7 }, { text: {} }, [{ text: 'a' }, 3], '2026-13-45T99:99:99Z'],
];

/** The value with one to three of its parts replaced, removed, renamed or doubled. */
export function damaged(value: JsonObject, chance: Chance): JsonObject {
  const copy = JSON.parse(JSON.stringify(value)) as Record<string, Json>;
  for (let round = 0; round <= chance.below(3); round++) damageOne(copy, chance);
  return copy;
}

function damageOne(root: Record<string, Json>, chance: Chance): void {
  let target: Record<string, Json> = root;
  for (;;) {
    const keys = Object.keys(target);
    if (keys.length === 0) return;
    const key = keys[chance.below(keys.length)]!;
    const inner = target[key];
    if (typeof inner === 'object' && inner !== null && chance.below(3) > 0) {
      target = inner as Record<string, Json>;
      continue;
    }
    if (chance.below(6) === 0) delete target[key];
    else target[key] = structuredClone(STRANGE[chance.below(STRANGE.length)]!);
    return;
  }
}
