// When nothing was found: says which of the query's values no document has at all, and which there are. A typo in one is
// otherwise a search that finds nothing for no reason.
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
  const sentences: string[] = [];
  for (const { field, value, not } of conditions) {
    if (not || !(field === 'type' || field === 'concept' || field === 'agent')) continue;
    const known = await valuesOf(field, workdirs, world);
    const wanted = String(value).toLowerCase();
    const isKnown = [...known.keys()].some((one) =>
      field === 'agent' ? one.toLowerCase().startsWith(wanted) : one.toLowerCase() === wanted,
    );
    if (!isKnown && !(field === 'type' && OTHER_TYPES.includes(wanted)))
      sentences.push(sentenceOf(field, wanted, known));
  }
  return sentences;
}

function sentenceOf(field: Field, value: string, counts: ReadonlyMap<string, number>): string {
  const known = [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([one]) => one);
  const kind = field === 'type' ? KINDS.find((one) => one === value) : undefined;
  const near = nearestWord(value, candidatesFor(field, known));
  const meant = kind === undefined ? near && `${field}:${near}` : `kind:${kind}`;
  return [
    `Nothing here has the ${field} “${value}”.`,
    ...(meant === null ? [] : [`Did you mean ${meant}?`]),
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

/** Each value with the number of documents that have it; of types the number of kinds, which needs no row. */
async function valuesOf(
  field: Field,
  workdirs: readonly string[],
  { recent }: Pick<NewestSource, 'recent'>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const count = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  const mayPass = (_: string, type: string | null) => {
    if (field === 'type' && type !== null) count(type);
    return field !== 'type';
  };
  for await (const page of recent(workdirs, { mayPass }))
    for (const { agent, concepts, type } of page)
      for (const value of field === 'agent' ? [agent] : field === 'concept' ? concepts : [type])
        if (value !== null) count(value);
  return counts;
}
