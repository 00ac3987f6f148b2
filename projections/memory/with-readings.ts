// Puts a model's prose in the place of the rules' prose. The evidence stays that of the events: files that were written,
// commands, tests, commits and errors come from tools alone. One recipe speaks for a turn; a part that it has not read
// keeps the rules' words.
import { type Observed, ObservedTurn } from '../extract/observed-turn.ts';
import { NO_EDITS } from '../extract/outcome/pending-edits.ts';
import { stepOf } from '../extract/steps.ts';
import type { Evidence, ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import { itemId } from '../ids/item-id.ts';
import { newest, type RepliedRow } from '../observer/reading-rows.ts';
import type { ReplyObservation, ValidReply } from '../observer/reply/reply.ts';
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';

export interface Reading {
  readonly event: string;
  readonly recipe: string;
  readonly covers: ReadonlySet<string>;
  readonly reply: ValidReply;
}

/** The readings that count for a turn. @param chosen as `chosenRecipe` answers */
export function countedReadings(rows: readonly RepliedRow[], chosen: string | null): readonly Reading[] {
  const valid = rows.filter(({ reply }) => reply.valid);
  if (chosen === null || valid.length === 0) return [];
  const first = valid.filter(({ body }) => !body.again);
  const recipe = valid.some(({ body }) => body.recipe === chosen)
    ? chosen
    : newest<RepliedRow>(first)?.body.recipe;
  return newestOfParts(
    valid.filter(({ body }) => body.recipe === recipe && (recipe === chosen || !body.again)),
  );
}

/** The readings of one recipe, whether they count or not. */
export function readingsBy(recipe: string, rows: readonly RepliedRow[]): readonly Reading[] {
  return newestOfParts(rows.filter(({ body, reply }) => reply.valid && body.recipe === recipe));
}

function newestOfParts(valid: readonly RepliedRow[]): readonly Reading[] {
  const parts = new Set(valid.map(({ body }) => body.part));
  return [...parts].map((part) => {
    const { event, body, reply } = newest<RepliedRow>(valid.filter((row) => row.body.part === part))!;
    return { event, recipe: body.recipe, covers: new Set(body.covers), reply: reply as ValidReply };
  });
}

/** What the memory would hold of a turn if these readings counted. */
export function observedWith(
  turn: TurnRow,
  items: readonly ItemRow[],
  readings: readonly Reading[],
): Pick<Observed, 'observations' | 'summary'> {
  const observed = new ObservedTurn(turn.workdir);
  for (const item of [...items].sort((a, b) => (a.order < b.order ? -1 : 1))) observed.change(item.id, item);
  return withReadings(observed.observe(turn), readings, items);
}

/** @param items of the turn */
export function withReadings(
  observed: Observed,
  readings: readonly Reading[],
  items: Iterable<ItemRow>,
): Observed {
  if (readings.length === 0) return observed;
  const itemOf = new Map<string, string>();
  const given: string[] = [];
  for (const item of items) {
    for (const { event } of item.reports) itemOf.set(event, item.id);
    if (item.kind === 'tool')
      given.push(...item.reports.flatMap(({ input }) => Object.values(input).map(String)));
  }
  const rows = observed.observations.map((row) => ({
    row,
    reading: readingOf(row.evidence, readings, itemOf),
  }));
  const observations = rows.flatMap(({ row, reading }) =>
    reading === null ? [row] : readPart(row, reading, given),
  );
  const last = rows.at(-1)?.reading ?? null;
  const { summary } = observed;
  return {
    observations,
    summary: summary === null || last === null ? summary : readSummary(summary, last),
    kept: 0,
  };
}

/** The reading with most of the items of a part, at least half of its own. What several channels report is one item. */
function readingOf(
  { events }: Evidence,
  readings: readonly Reading[],
  itemOf: ReadonlyMap<string, string>,
): Reading | null {
  const itemsOf = (some: readonly string[]) => new Set(some.map((event) => itemOf.get(event) ?? event)).size;
  const shared = readings.map((reading) => ({
    reading,
    count: itemsOf(events.filter((event) => reading.covers.has(event))),
  }));
  const best = shared.reduce((one, other) => (other.count > one.count ? other : one));
  return best.count > 0 && 2 * best.count >= itemsOf(events) ? best.reading : null;
}

/**
 * A part that the model passed over is kept if it has what must not be lost: a fixed error, a fixed test, or a commit that it made
 * or rewrote.
 * @param given to tools of the turn. A file that is in none of it was not read: the model made it up, or a text told it so
 */
function readPart(row: ObservationRow, reading: Reading, given: readonly string[]): ObservationRow[] {
  const [first, ...others] = reading.reply.observations;
  if (first === undefined) {
    const { errors, tests, commits, rewrites } = row.evidence;
    const isFix =
      errors.some(({ fixedBy }) => fixedBy !== null) ||
      tests.some(({ before, after }) => before === 'failed' && after === 'passed');
    return isFix || commits.length + rewrites.length > 0 ? [row] : [];
  }
  return [
    inWordsOf(row, first, reading, given),
    ...others.map((one, index) => {
      const id = itemId('o', row.agent, row.session, `${row.id} ${index + 2}`);
      return inWordsOf(
        { ...row, id, filesModified: [], evidence: sourcesOnly(row.evidence) },
        one,
        reading,
        given,
      );
    }),
  ];
}

function inWordsOf(
  row: ObservationRow,
  words: ReplyObservation,
  { event, recipe }: Reading,
  given: readonly string[],
): ObservationRow {
  const read = words.filesRead.filter((file) => given.some((text) => text.includes(file)));
  const title = oneLine(words.title ?? row.title);
  return {
    ...row,
    type: words.type,
    title: row.unfinished && !title.startsWith(UNFINISHED) ? `${UNFINISHED} ${title}` : title,
    subtitle: words.subtitle ?? '',
    narrative: words.narrative ?? '',
    facts: words.facts,
    concepts: words.concepts,
    filesRead: [...new Set([...row.filesRead, ...read])].slice(0, FILES_MAX),
    evidence: { ...row.evidence, events: [...row.evidence.events, event].sort() },
    recipe,
  };
}

function readSummary(row: SummaryRow, { event, recipe, reply }: Reading): SummaryRow {
  const { summary } = reply;
  if (summary === null) return row;
  const { investigated, learned, completed, nextSteps, notes } = summary;
  return {
    ...row,
    investigated,
    learned,
    completed,
    nextSteps: nextSteps === null ? [] : [stepOf(nextSteps)],
    notes,
    events: [...row.events, event].sort(),
    recipe,
  };
}

const UNFINISHED = 'Unfinished:';
const FILES_MAX = 50;
/** As of titles that rules make. */
const TITLE_CHARS_MAX = 90;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= TITLE_CHARS_MAX ? line : `${line.slice(0, TITLE_CHARS_MAX - 1).toWellFormed()}…`;
}

/** What tools prove is shown once, in the first observation of a part. */
function sourcesOnly({ events }: Evidence): Evidence {
  return {
    ...{
      commands: [],
      tests: [],
      testsUnclear: false,
      commits: [],
      pushes: [],
      pullRequests: [],
      rewroteHistory: false,
      rewrites: [],
    },
    ...{ edits: NO_EDITS, errors: [], decisions: [], lessons: [], events },
  };
}
