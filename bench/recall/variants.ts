// Compares other recipes with the product's, on the tuning half of the known items and on LoCoMo; the frozen half is never
// used here. Every variant changes one thing. Each is reported with its gain over the current recipe and the 95 % interval
// of that gain: if the interval contains 0, the difference may be chance.
// The index here is MiniSearch with the product's words and texts, one for all projects, without vectors.
import { createHash } from 'node:crypto';
import MiniSearch, { type SearchOptions } from 'minisearch';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { termsOf } from '../../projections/text/terms.ts';
import {
  BM25,
  COVERAGE,
  FIELD_NAMES,
  FIELDS,
  type Field,
  fieldText,
  WIDENING,
} from '../../projections/text/text-recipe.ts';
import { claudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import type { Figure, Report } from '../harness/report.ts';
import { type Imported, withImported } from './documents.ts';
import { ranksOf, readQuestions } from './known-items.ts';
import { ask, type Conversation } from './locomo.ts';
import type { Search } from './rivals.ts';
import { firstWorkdir, type Gain, gain, reciprocal, sum } from './score.ts';

interface Recipe {
  readonly bm25?: { readonly k: number; readonly b: number; readonly d: number };
  readonly boost?: Partial<Record<Field, number>>;
  readonly text?: (document: MemoryDocument, field: Field) => string;
  readonly boostTerm?: (term: string, index: number, terms: readonly string[]) => number;
  /** The factor for a document that holds some of the query's terms; MiniSearch multiplies by their number. */
  readonly coverage?: (held: number, asked: number) => number;
  /** A last factor, from the document itself. */
  readonly factor?: (document: MemoryDocument, terms: readonly string[]) => number;
  /** Documents with the same name count as one: the best represents all. */
  readonly fold?: (document: MemoryDocument) => string;
}

/** How many of the best a last factor or a folding may reorder. */
const REORDERED = 200;
const CURRENT = 'as it is now';

const pairsOfThree = pairs(0.3);

const VARIANTS: Readonly<Record<string, Recipe>> = {
  [CURRENT]: {},
  'BM25 1.2 / 0.7 / 0.5': { bm25: { k: 1.2, b: 0.7, d: 0.5 } },
  'BM25 1.2 / 0.75 / 0': { bm25: { k: 1.2, b: 0.75, d: 0 } },
  'BM25 1.5 / 0.6 / 0': { bm25: { k: 1.5, b: 0.6, d: 0 } },
  'title × 1.5': { boost: { title: 1.5 } },
  'title × 1': { boost: { title: 1 } },
  'title × 1.5, BM25 1.2 / 0.7 / 0.5': { boost: { title: 1.5 }, bm25: { k: 1.2, b: 0.7, d: 0.5 } },
  'neighbours × 0': { boost: { neighbours: 0 } },
  'neighbours × 0.2': { boost: { neighbours: 0.2 } },
  'neighbours of short texts only': { text: neighboursOfShort },
  'the body with its title repeated': { text: bodyWhole },
  'terms held: not counted': { coverage: () => 1 },
  'terms held: as many': { coverage: (held) => held },
  'terms held: squared': { coverage: (held) => held ** 2 },
  'tools × 0.8': { factor: ({ kind }) => (kind === 'tool' ? 0.8 : 1) },
  'tools × 1.2': { factor: ({ kind }) => (kind === 'tool' ? 1.2 : 1) },
  'prompts × 1.2': { factor: ({ kind }) => (kind === 'prompt' ? 1.2 : 1) },
  'equal tool uses folded': { fold: sameUse },
  'tool uses of one title and session folded': { fold: sameTitle },
  'pairs of neighbouring words × 1.1': { factor: pairs(0.1) },
  'pairs of neighbouring words × 1.3': { factor: pairsOfThree },
  'pairs × 1.3 and tools × 0.8': {
    factor: (document, terms) => pairsOfThree(document, terms) * (document.kind === 'tool' ? 0.8 : 1),
  },
  'first words weigh more': {
    boostTerm: (_, index, terms) => 1.3 - (0.6 * index) / Math.max(1, terms.length - 1),
  },
  'last words weigh more': {
    boostTerm: (_, index, terms) => 0.7 + (0.6 * index) / Math.max(1, terms.length - 1),
  },
};

export async function variantsBench(conversations: readonly Conversation[]): Promise<Report[]> {
  const reports: Report[] = [];
  if (claudeCodeTranscripts !== null) reports.push(await withImported([claudeCodeTranscripts], onKnownItems));
  if (conversations.length > 0) reports.push(await onLocomo(conversations));
  return reports;
}

async function onKnownItems({ documents, factsOf, search }: Imported): Promise<Report> {
  const questions = readQuestions().filter(({ half }) => half === 'tuning');
  return tried(
    'variants, known items',
    `${documents.length} documents, tuning half`,
    async (recipe, name) => {
      const ranks = await ranksOf(searching(documents, recipe), questions, factsOf);
      const first = ranks.map(firstWorkdir);
      const figure = {
        hit1: first,
        hit10: ranks.map((rank) => (rank > 0 ? 1 : 0)),
        MRR: ranks.map(reciprocal),
      };
      if (name !== CURRENT) return { figure };
      const product = await ranksOf(search, questions, factsOf);
      const hit1 = gain(product.map(firstWorkdir), first);
      const mrr = gain(product.map(reciprocal), figure.MRR);
      return {
        figure,
        note: `one index for all, above the product's index per project: hit1 ${shown(hit1)}, MRR ${shown(mrr)}`,
      };
    },
  );
}

async function onLocomo(conversations: readonly Conversation[]): Promise<Report> {
  return tried('variants, LoCoMo', `${conversations.length} conversations`, async (recipe) => {
    const found = await ask((documents) => searching(documents, recipe), conversations);
    return {
      figure: { 'recall@10': found.map((one) => one.recall[1]!), MRR: found.map((one) => one.reciprocal) },
    };
  });
}

interface Outcome {
  /** For each measure a value per question. */
  readonly figure: Readonly<Record<string, readonly number[]>>;
  readonly note?: string;
}

async function tried(
  bench: string,
  data: string,
  run: (recipe: Recipe, name: string) => Promise<Outcome>,
): Promise<Report> {
  const figures: Figure[] = [];
  const notes: string[] = [];
  let standing: Outcome['figure'] | null = null;
  for (const [name, recipe] of Object.entries(VARIANTS)) {
    const { figure, note } = await run(recipe, name);
    standing ??= figure;
    if (note !== undefined) notes.push(note);
    const gains: string[] = [];
    for (const [measure, values] of Object.entries(figure)) {
      figures.push({ name: `${name}, ${measure}`, value: (100 * sum(values)) / values.length, unit: '%' });
      gains.push(`${measure} ${shown(gain(standing[measure]!, values))}`);
    }
    if (name !== CURRENT) notes.push(`${name}: ${gains.join(', ')}`);
  }
  return {
    bench,
    data,
    figures,
    notes,
    digest: createHash('sha256').update(JSON.stringify(figures)).digest('hex').slice(0, 16),
  };
}

function searching(documents: readonly MemoryDocument[], recipe: Recipe): Search {
  const text = recipe.text ?? fieldText;
  const index = new MiniSearch<MemoryDocument>({
    fields: [...FIELD_NAMES],
    extractField: (document, field) => (field === 'id' ? document.id : text(document, field as Field)),
    tokenize: termsOf,
    processTerm: (term) => term,
  });
  index.addAll(documents);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const known = new Set(
    documents.flatMap((one) => FIELD_NAMES.flatMap((field) => termsOf(text(one, field)))),
  );
  const boost = { ...FIELDS, ...recipe.boost };
  const fields = FIELD_NAMES.filter((field) => boost[field] > 0);
  return (query, limit) => {
    const terms = [...new Set(termsOf(query))];
    const options: SearchOptions = {
      fields: [...fields],
      boost,
      bm25: recipe.bm25 ?? { ...BM25, d: 0 },
      combineWith: 'OR',
      tokenize: () => terms,
      processTerm: (term) => term,
      prefix: (term) => !known.has(term) && term.length >= WIDENING.prefixLengthMin,
      fuzzy: (term) => !known.has(term) && term.length >= WIDENING.fuzzyLengthMin && WIDENING.fuzzy,
      maxFuzzy: WIDENING.maxFuzzy,
      ...(recipe.boostTerm === undefined
        ? {}
        : { boostTerm: (term, at) => recipe.boostTerm!(term, at, terms) }),
    };
    const hits = index.search(query, options).map(({ id, score, queryTerms }) => {
      const document = byId.get(id as string)!;
      const held = queryTerms.length;
      const covered = recipe.coverage === undefined ? held ** COVERAGE : recipe.coverage(held, terms.length);
      return { document, score: (score / held) * covered };
    });
    const best = hits.sort(byScore).slice(0, REORDERED);
    const { factor } = recipe;
    const ranked =
      factor === undefined
        ? best
        : best
            .map(({ document, score }) => ({ document, score: score * factor(document, terms) }))
            .sort(byScore);
    return folded(
      ranked.map(({ document }) => document),
      recipe.fold,
    )
      .slice(0, limit)
      .map((id) => [id]);
  };
}

interface Ranked {
  readonly document: MemoryDocument;
  readonly score: number;
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || (a.document.id < b.document.id ? -1 : 1);
}

function folded(documents: readonly MemoryDocument[], fold: Recipe['fold']): string[] {
  if (fold === undefined) return documents.map(({ id }) => id);
  const best = new Map<string, string>();
  for (const document of documents) if (!best.has(fold(document))) best.set(fold(document), document.id);
  return [...best.values()];
}

function sameUse({ id, kind, title, body }: MemoryDocument): string {
  return kind === 'tool' ? `${title}\n${body}` : id;
}

function sameTitle({ id, kind, session, title }: MemoryDocument): string {
  return kind === 'tool' ? `${session}\n${title}` : id;
}

function neighboursOfShort(document: MemoryDocument, field: Field): string {
  const long = document.title.length + document.body.length > 200;
  return field === 'neighbours' && long ? '' : fieldText(document, field);
}

function bodyWhole(document: MemoryDocument, field: Field): string {
  return field === 'body' ? document.body : fieldText(document, field);
}

/** A bonus for each two words of the query that are adjacent in the document too. */
function pairs(bonus: number): (document: MemoryDocument, terms: readonly string[]) => number {
  const known = new Map<string, ReadonlySet<string>>();
  const pairsOf = (words: readonly string[]) =>
    words.slice(1).map((word, index) => `${words[index]} ${word}`);
  return ({ id, title, body }, terms) => {
    const there = known.get(id) ?? new Set(pairsOf(termsOf(`${title}\n${body}`)));
    known.set(id, there);
    return (1 + bonus) ** pairsOf(terms).filter((pair) => there.has(pair)).length;
  };
}

function shown({ mean, low, high }: Gain): string {
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}
