// How two readings of one turn differ: what memory says of it with the one, and with the other.
import { type ObservationRow, type SummaryRow, stepText } from '../../../projections/index.ts';
import type { FieldDifference, FieldValue, ItemDifference } from '../../api/observer/readings.ts';

export interface Side {
  readonly observations: readonly ObservationRow[];
  readonly summary: SummaryRow | null;
}

type Values = Readonly<Record<string, FieldValue>>;

/** Observations of different readings are taken for one when so many of their words are the same. */
const SAME_WORDS_MIN = 0.3;

/** @param firstIds ids of the rules' observations: the first one of each part keeps its id in every reading */
export function differencesOf(before: Side, after: Side, firstIds: ReadonlySet<string>): ItemDifference[] {
  const pairs = pairsOf(before.observations, after.observations, firstIds);
  const gone = before.observations.filter((one) => !pairs.some((pair) => pair[0] === one));
  const added = after.observations.filter((one) => !pairs.some((pair) => pair[1] === one));
  const items = [
    ...pairs.map(([one, other]) => item(one, other, observationValues)),
    ...gone.map((one) => item(one, null, observationValues)),
    ...added.map((other) => item(null, other, observationValues)),
    ...(before.summary === null && after.summary === null
      ? []
      : [item(before.summary, after.summary, summaryValues, 'summary')]),
  ];
  return items.filter(({ change, fields }) => change !== 'changed' || fields.length > 0);
}

/** In the order of the later ones. */
function pairsOf(
  before: readonly ObservationRow[],
  after: readonly ObservationRow[],
  firstIds: ReadonlySet<string>,
): (readonly [ObservationRow, ObservationRow])[] {
  const pairs = new Map<ObservationRow, ObservationRow>();
  const taken = new Set<ObservationRow>();
  const pair = (one: ObservationRow, other: ObservationRow) => {
    if (pairs.has(other) || taken.has(one)) return;
    pairs.set(other, one);
    taken.add(one);
  };
  for (const other of after)
    for (const one of before) if (one.id === other.id && firstIds.has(one.id)) pair(one, other);
  const words = new Map([...before, ...after].map((row) => [row, wordsOf(row)]));
  const near = after.flatMap((other) =>
    before.map((one) => ({ one, other, share: sharedWords(words.get(one)!, words.get(other)!) })),
  );
  near.sort((a, b) => b.share - a.share);
  for (const { one, other, share } of near) if (share >= SAME_WORDS_MIN) pair(one, other);
  return after.flatMap((other) => (pairs.has(other) ? [[pairs.get(other)!, other] as const] : []));
}

function wordsOf({ title, narrative, facts }: ObservationRow): ReadonlySet<string> {
  return new Set(
    [title, narrative, ...facts]
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );
}

/** 0 to 1: twice the words of both, of all words. */
function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  return one.size + other.size === 0 ? 0 : (2 * both) / (one.size + other.size);
}

function item<Row extends ObservationRow | SummaryRow>(
  before: Row | null,
  after: Row | null,
  valuesOf: (row: Row) => Values,
  kind: ItemDifference['kind'] = 'observation',
): ItemDifference {
  const { id, title } = (after ?? before)!;
  return {
    ...{ kind, id, title },
    change: before === null ? 'added' : after === null ? 'gone' : 'changed',
    fields: fieldsThatDiffer(before === null ? {} : valuesOf(before), after === null ? {} : valuesOf(after)),
  };
}

function fieldsThatDiffer(before: Values, after: Values): FieldDifference[] {
  return Object.keys({ ...before, ...after }).flatMap((field) => {
    const [one, other] = [before[field] ?? null, after[field] ?? null];
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ field, before: one, after: other }];
  });
}

function observationValues(row: ObservationRow): Values {
  const { type, title, subtitle, narrative, facts, concepts, filesRead } = row;
  return filled({ type, title, subtitle, narrative, facts, concepts, filesRead });
}

function summaryValues({ investigated, learned, completed, nextSteps, notes }: SummaryRow): Values {
  return filled({ investigated, learned, completed, nextSteps: nextSteps.map(stepText), notes });
}

function filled(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      value === null || value.length === 0 ? null : value,
    ]),
  );
}
