// Known items: questions over real transcripts, phrased by a person who remembers something vaguely, each with the ids of
// its answers; see README.md in this folder. There are two sets, over different sessions. Reports both halves; `--misses`
// lists the questions of the tuning half without an answer in the top ten. The frozen half is only counted, never listed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { snippet, snippetLine } from '../../src/search/snippet.ts';
import {
  agentTranscripts,
  claudeCodeTranscripts,
  moreClaudeCodeTranscripts,
} from '../../tests/helpers/shared-data.ts';
import { REPOSITORY } from '../harness/process.ts';
import type { Figure, Report, Size } from '../harness/report.ts';
import { type Imported, withImported } from './documents.ts';
import {
  fts5Porter,
  miniSearchDefaults,
  type ResultRow,
  reciprocalRankFusion,
  type Search,
  vectorsAlone,
  words,
} from './rivals.ts';
import { type Rank, score, sum } from './score.ts';

export interface Question {
  readonly id: string;
  readonly half: 'tuning' | 'frozen';
  readonly kind: string;
  readonly question: string;
  readonly answers: readonly string[];
}

const DEPTH = 10;
const CHARACTERS_PER_TOKEN = 4;
/** The kind of questions without an answer. */
export const NONE = 'none';

/** Agents whose sessions, with those of another repository, hold the answers of the second set. */
const OTHER_AGENTS = ['codex', 'copilot-cli', 'cursor', 'droid', 'gemini-cli', 'kiro', 'opencode', 'pi'];

interface ItemSet {
  readonly bench: string;
  readonly folders: readonly string[];
  /** null: the documents' own titles. */
  readonly file: string | null;
}

/** With `small`, searches for the example's own titles. Sets without transcripts are left out. */
export async function knownItemsBench(size: Size): Promise<Report[]> {
  const reports: Report[] = [];
  for (const set of size === 'full' ? knownItemSets() : [EXAMPLE])
    reports.push(await withImported(set.folders, (imported) => reportOf(set, imported)));
  return reports;
}

const EXAMPLE: ItemSet = {
  bench: 'recall',
  folders: [join(REPOSITORY, 'examples/birdfeeder')],
  file: null,
};

function knownItemSets(): ItemSet[] {
  const others = [moreClaudeCodeTranscripts, ...OTHER_AGENTS.map(agentTranscripts)];
  const sets = [
    { bench: 'recall', folders: [claudeCodeTranscripts], file: 'known-items.json' },
    { bench: 'recall, other sessions', folders: others, file: 'known-items-other.json' },
  ];
  return sets.flatMap(({ folders, ...set }) => {
    const there = folders.filter((folder) => folder !== null);
    return there.length === folders.length ? [{ ...set, folders: there }] : [];
  });
}

async function reportOf({ bench, file }: ItemSet, imported: Imported): Promise<Report> {
  const questions = file === null ? titlesOf(imported) : readQuestions(file);
  const { documents, search } = imported;
  const searches: Readonly<Record<string, Search>> = {
    annals: search,
    'annals, words only': words(documents),
    'vectors alone': vectorsAlone(documents),
    'reciprocal rank fusion': reciprocalRankFusion(documents),
    'MiniSearch defaults': miniSearchDefaults(documents),
    'FTS5 porter': fts5Porter(documents),
  };
  const figures: Figure[] = [];
  const notes: string[] = [];
  const ranks = new Map<string, Rank[]>();
  const tokensOf = rowTokens(documents);
  for (const [name, one] of Object.entries(searches)) {
    const answered = await askAll(one, questions, imported.factsOf);
    ranks.set(
      name,
      answered.map(({ rank }) => rank),
    );
    figures.push(...figuresOf(name, answered, tokensOf));
  }
  figures.push(...(await nowFigures(imported, questions)));
  notes.push(...notesOf(questions, ranks.get('annals')!));
  figures.push(...(await doubtFigures(imported, questions, ranks.get('annals')!)));
  const facts = new Set([...imported.factsOf.values()].flat());
  const lost = questions.filter(
    ({ kind, answers }) => kind !== NONE && !answers.some((answer) => facts.has(answer)),
  ).length;
  return {
    bench,
    data: `${documents.length} documents, ${questions.length} questions, ${lost} whose answer is no document`,
    figures,
    notes,
    digest: createHash('sha256')
      .update(JSON.stringify([...ranks]))
      .digest('hex')
      .slice(0, 16),
  };
}

export function readQuestions(file = 'known-items.json'): readonly Question[] {
  const text = readFileSync(join(REPOSITORY, 'bench/recall', file), 'utf8');
  return (JSON.parse(text) as { readonly questions: readonly Question[] }).questions;
}

/** The rank of each question's first answer among the best ten. */
export async function ranksOf(
  search: Search,
  questions: readonly Question[],
  factsOf: Imported['factsOf'],
): Promise<Rank[]> {
  return (await askAll(search, questions, factsOf)).map(({ rank }) => rank);
}

interface Answered {
  readonly question: Question;
  /** At most ten rows, best first. */
  readonly found: readonly ResultRow[];
  readonly rank: Rank;
  /** 1 if the part that the first row shows is itself right, else 0. */
  readonly isShown: number;
}

async function askAll(
  search: Search,
  questions: readonly Question[],
  factsOf: Imported['factsOf'],
): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const question of questions) {
    const found = await search(question.question, DEPTH);
    const right = (id: string) =>
      factsOf.get(id)?.some((dedupeKey) => question.answers.includes(dedupeKey)) ?? false;
    const rank = found.findIndex((row) => row.some(right)) + 1;
    answered.push({ question, found, rank, isShown: rank === 1 && right(found[0]![0]!) ? 1 : 0 });
  }
  return answered;
}

/**
 * The product's answers to the same questions about the present. The newest statement of a subject comes first then, and what is
 * remembered is usually stated once: a lower figure counts what came before it wrongly.
 */
async function nowFigures({ search, factsOf }: Imported, questions: readonly Question[]): Promise<Figure[]> {
  const asked = questions
    .filter(({ kind }) => kind !== NONE)
    .map((one) => ({ ...one, question: `${one.question.replace(/[?]$/, '')} now` }));
  const ranks = await ranksOf(search, asked, factsOf);
  return (['tuning', 'frozen'] as const).flatMap((half) => {
    const { hit1, mrr } = score(ranks.filter((_, index) => asked[index]!.half === half));
    return [
      { name: `annals, asked for “now”, ${half}, hit@1`, value: hit1, unit: '%' },
      { name: `annals, asked for “now”, ${half}, MRR`, value: mrr, unit: '%' },
    ];
  });
}

function mean(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

type RowTokens = (id: string, query: string) => number;

function figuresOf(name: string, answered: readonly Answered[], tokensOf: RowTokens): Figure[] {
  return (['tuning', 'frozen'] as const).flatMap((half) => {
    const asked = answered.filter(({ question }) => question.half === half && question.kind !== NONE);
    const { hit1, hit10, mrr } = score(asked.map(({ rank }) => rank));
    return [
      { name: `${name}, ${half}, hit@1`, value: hit1, unit: '%' },
      { name: `${name}, ${half}, hit@10`, value: hit10, unit: '%' },
      { name: `${name}, ${half}, MRR`, value: mrr, unit: '%' },
      {
        name: `${name}, ${half}, hit@1 of what is shown`,
        value: 100 * mean(asked.map(({ isShown }) => isShown)),
        unit: '%',
      },
      {
        name: `${name}, ${half}, tokens per right answer`,
        value: tokensPerRight(asked, tokensOf),
        unit: 'tokens',
      },
    ];
  });
}

/** Tokens of the rows down to the right one, or of all rows if none is right, per right answer. */
function tokensPerRight(answered: readonly Answered[], tokensOf: RowTokens): number {
  const read = answered.flatMap(({ question, found, rank }) =>
    found.slice(0, rank === 0 ? found.length : rank).map(([id]) => tokensOf(id!, question.question)),
  );
  return sum(read) / Math.max(1, answered.filter(({ rank }) => rank > 0).length);
}

/** A row is a title and a snippet, the product's for every search, so that only the documents found differ. */
function rowTokens(documents: readonly MemoryDocument[]): RowTokens {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return (id, query) => {
    const document = byId.get(id)!;
    return Math.ceil(
      (snippetLine(document.title).length + snippet(document, query).length) / CHARACTERS_PER_TOKEN,
    );
  };
}

/**
 * The product's confidence in its own answers. False answers: questions without an answer that get results without low
 * confidence. Doubted: right first results that are flagged.
 */
async function doubtFigures(
  { answer }: Imported,
  questions: readonly Question[],
  ranks: readonly Rank[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const half of ['tuning', 'frozen'] as const) {
    const counts = { none: 0, falsely: 0, right: 0, doubted: 0 };
    for (const [index, { half: of, kind, question }] of questions.entries()) {
      if (of !== half || (kind !== NONE && ranks[index] !== 1)) continue;
      const { results, lowConfidence } = await answer(question);
      const doubtful = results.length === 0 || lowConfidence;
      counts[kind === NONE ? 'none' : 'right'] += 1;
      if (kind === NONE && !doubtful) counts.falsely += 1;
      if (kind !== NONE && doubtful) counts.doubted += 1;
    }
    const share = (part: number, of: number) => (100 * part) / Math.max(1, of);
    figures.push(
      { name: `annals, ${half}, false answers`, value: share(counts.falsely, counts.none), unit: '%' },
      {
        name: `annals, ${half}, right answers doubted`,
        value: share(counts.doubted, counts.right),
        unit: '%',
      },
    );
  }
  return figures;
}

/** The tuning half by kind and, on request, its misses. */
function notesOf(questions: readonly Question[], ranks: readonly Rank[]): string[] {
  const tuning = questions.flatMap((one, index) =>
    one.half === 'tuning' && one.kind !== NONE ? [{ ...one, rank: ranks[index]! }] : [],
  );
  const kinds = [...new Set(tuning.map(({ kind }) => kind))].map((kind) => {
    const of = score(tuning.filter((one) => one.kind === kind).map(({ rank }) => rank));
    return `annals, tuning, ${kind}: hit@1 ${of.hit1.toFixed(0)}, hit@10 ${of.hit10.toFixed(0)}, MRR ${of.mrr.toFixed(1)} (${of.questions} questions)`;
  });
  const missed = tuning
    .filter(({ rank }) => rank === 0)
    .map(({ id, question }) => `missed ${id}: ${question}`);
  return process.argv.includes('--misses') ? [...kinds, ...missed] : kinds;
}

function titlesOf({ documents, factsOf }: Imported): Question[] {
  return documents.slice(0, 20).map(({ id, kind, title }, index) => ({
    id,
    half: index % 2 === 0 ? 'tuning' : 'frozen',
    kind,
    question: title,
    answers: factsOf.get(id) ?? [],
  }));
}
