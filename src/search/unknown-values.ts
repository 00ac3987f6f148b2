// Says which of the query's values no document has at all, and which there are. A typo in one is otherwise a search that
// finds nothing for no reason, or leaves nothing out.
import type { NewestSource } from './newest.ts';
import { nearestWord } from './query/nearest-word.ts';
import { type Condition, KINDS } from './query/query-conditions.ts';

type Field = 'type' | 'concept' | 'agent';

const PLURALS: Readonly<Record<Field, string>> = { type: 'Types', concept: 'Concepts', agent: 'Agents' };
/** What `type` matches besides the types of documents (filter.ts). */
const OTHER_TYPES = ['test', 'decision'];
const SHOWN_MAX = 12;

/** One sentence for each condition that no document of these workdirs can fulfil. */
export async function unknownValues(
  conditions: readonly Condition[],
  workdirs: readonly string[],
  world: Pick<NewestSource, 'recent'>,
): Promise<readonly string[]> {
  const sentences = new Set<string>();
  for (const { field, value, not } of conditions) {
    if (!(field === 'type' || field === 'concept' || field === 'agent')) continue;
    const wanted = String(value).toLowerCase();
    if (field === 'type' && OTHER_TYPES.includes(wanted)) continue;
    const counts = await valuesWithout(wanted, field, workdirs, world);
    if (counts !== null) sentences.add(sentenceOf({ field, value: wanted, not }, counts));
  }
  return [...sentences];
}

function sentenceOf(
  { field, value, not }: { readonly field: Field; readonly value: string; readonly not: boolean },
  counts: ReadonlyMap<string, number>,
): string {
  const known = [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([one]) => one);
  const kind = field === 'type' ? KINDS.find((one) => one === value) : undefined;
  const near = nearestWord(value, candidatesFor(field, known));
  const meant = kind === undefined ? near && `${field}:${near}` : `kind:${kind}`;
  const sign = not ? '-' : '';
  return [
    `Nothing here has the ${field} “${value}”.`,
    ...(meant === null ? [] : [`Did you mean ${sign}${meant}?`]),
    ...(known.length === 0
      ? []
      : [
          `${PLURALS[field]}: ${known.slice(0, SHOWN_MAX).join(', ')}${known.length > SHOWN_MAX ? ', …' : ''}.`,
        ]),
  ].join(' ');
}

/** In lower case; an agent may be named by the beginning of its name. */
function candidatesFor(field: Field, known: readonly string[]): readonly string[] {
  const all = known.map((one) => one.toLowerCase());
  if (field === 'type') return [...all, ...OTHER_TYPES];
  return field === 'agent' ? [...all, ...all.map((one) => one.split('-')[0]!)] : all;
}

/**
 * Each value with the number of documents that have it, of types with the number of kinds, which needs no row. Null if one
 * is the wanted one.
 */
async function valuesWithout(
  wanted: string,
  field: Field,
  workdirs: readonly string[],
  { recent }: Pick<NewestSource, 'recent'>,
): Promise<ReadonlyMap<string, number> | null> {
  const isWanted = (value: string) =>
    field === 'agent' ? value.toLowerCase().startsWith(wanted) : value.toLowerCase() === wanted;
  const counts = new Map<string, number>();
  const count = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  const mayPass = (_: string, type: string | null) => {
    if (field === 'type' && type !== null) count(type);
    return field !== 'type';
  };
  for await (const page of recent(workdirs, { mayPass })) {
    for (const { agent, concepts, type } of page)
      for (const value of field === 'agent' ? [agent] : field === 'concept' ? concepts : [type])
        if (value !== null) count(value);
    // Most values are known, and many documents have them.
    if ([...counts.keys()].some(isWanted)) return null;
  }
  return [...counts.keys()].some(isWanted) ? null : counts;
}
