// Finds changes that share no word with the query. “Orange and the night theme do not go together. Purple.” changes the
// colour of delayed buses, but names only what it replaces. So from a short statement a search with its own words finds
// the newer turns of its project that share rare words with it. One of them is a change if it begins with a word of the
// older answer, or shares enough rare words, and if no other older turn shares more with it. From it the search goes on.
import { isAnnouncement } from '../../projections/index.ts';
import {
  type DocumentSource,
  type ProjectIndex,
  type TextIndex,
  termsOf,
} from '../../projections/text/index.ts';
import { smoothedRarity } from './ranking/confidence.ts';
import { type FoundDocument, readFound } from './ranking/found-documents.ts';
import type { Ranked } from './ranking/fusion.ts';
import { CHANGES } from './ranking/weights.ts';

export interface ChangesIn {
  readonly index: Pick<TextIndex, 'search'>;
  readonly source: Pick<DocumentSource, 'getMany'>;
  readonly project: ProjectIndex;
  /** Number of documents in the project. */
  readonly documents: number;
  /** The terms of the query. */
  readonly asked: ReadonlySet<string>;
  readonly passes: (found: FoundDocument) => boolean;
  /** Called before each search; throws when the caller does not wait any more. */
  readonly goOn: () => Promise<void>;
  /** A document's place in the order by score; null if it has none. */
  readonly rankOf: (id: string) => Ranked | null;
}

const SENTENCE_ENDS = /(?<=[.!?;])\s+|\n+/;

/** The prompt, the answer and the memory of a turn, as far as they were found. */
interface Statement {
  readonly turn: string;
  readonly at: number;
  readonly found: FoundDocument[];
}

/** Statements that share words with a text. */
interface Alike {
  readonly rarity: ReadonlyMap<string, number>;
  readonly statements: ReadonlyMap<string, Statement>;
}

interface Candidate {
  readonly statement: Statement;
  /** Whether it begins with a term of the older answer that the query does not have. */
  readonly leads: boolean;
  /** Whether one of the terms in common is of the older answer. */
  readonly isOfAnswer: boolean;
  /** Sum of the rarities of the terms in common. */
  readonly rarity: number;
  /** Their share of its terms. */
  readonly share: number;
}

/**
 * Follows changes from a document, from turn to turn, and returns the last one; null if there is none. A long text states too
 * much to follow.
 */
export async function newestChange(
  changesIn: ChangesIn,
  start: FoundDocument,
): Promise<FoundDocument | null> {
  if (!isStatement(start)) return null;
  let current = statementOf(start);
  const chain = new Set([current.turn]);
  for (let step = 0; step < CHANGES.steps; step += 1) {
    const candidates = await newerThan(changesIn, current, chain);
    const next = await firstOfChain(changesIn, candidates.filter(isLikely), chain);
    if (next === null) break;
    current = next;
    chain.add(next.turn);
  }
  return chain.size === 1 ? null : shownOf(current);
}

function isLikely({ leads, isOfAnswer, rarity, share }: Candidate): boolean {
  return (
    (leads && rarity >= CHANGES.lead) || (isOfAnswer && rarity >= CHANGES.rarity && share >= CHANGES.share)
  );
}

/** The newer statements that share terms with one, likeliest first. */
async function newerThan(
  changesIn: ChangesIn,
  older: Statement,
  chain: ReadonlySet<string>,
): Promise<readonly Candidate[]> {
  const first = await alike(changesIn, textOf(older));
  // The search by a part of a turn finds its other part.
  const whole = first.statements.get(older.turn) ?? older;
  const isLonger = textOf(whole).length > textOf(older).length;
  const { rarity, statements } = isLonger ? await alike(changesIn, textOf(whole)) : first;
  const answered = new Set(termsOf(answerOf(whole)));
  return [...statements.values()]
    .filter(({ turn, at }) => at > older.at && !chain.has(turn))
    .map((statement): Candidate => {
      const terms = new Set(termsOf(textOf(statement)));
      const common = [...terms].filter((term) => rarity.has(term));
      return {
        statement,
        leads: termsOf(promptOf(statement))
          .slice(0, CHANGES.leadTerms)
          .some((term) => answered.has(term) && !changesIn.asked.has(term)),
        isOfAnswer: common.some((term) => answered.has(term)),
        rarity: common.reduce((sum, term) => sum + rarity.get(term)!, 0),
        share: common.length / Math.max(1, terms.size),
      };
    })
    .sort(
      (a, b) =>
        Number(b.leads) - Number(a.leads) ||
        b.rarity - a.rarity ||
        (a.statement.turn < b.statement.turn ? -1 : 1),
    );
}

/** The first of the candidates that shares more with the chain than with any other older statement. */
async function firstOfChain(
  changesIn: ChangesIn,
  candidates: readonly Candidate[],
  chain: ReadonlySet<string>,
): Promise<Statement | null> {
  for (const { statement, leads } of candidates.slice(0, CHANGES.tries)) {
    const { rarity, statements } = await alike(changesIn, textOf(statement));
    const most = (older: readonly Statement[]) =>
      Math.max(0, ...older.map((one) => rarityOf(termsOf(textOf(one)), rarity)));
    const older = [...statements.values()].filter(
      ({ turn, at }) => turn !== statement.turn && at < statement.at,
    );
    const ofChain = most(older.filter(({ turn }) => chain.has(turn)));
    const least = (leads ? CHANGES.leadShare : CHANGES.chainShare) * most(older);
    if (ofChain > 0 && ofChain >= least) return statement;
  }
  return null;
}

async function alike(
  { index, source, project, documents, passes, goOn, rankOf }: ChangesIn,
  text: string,
): Promise<Alike> {
  await goOn();
  const { own, hits } = await index.search([project], text, CHANGES.depth);
  const ranked = hits.map(
    ({ id, projectIndex }) => rankOf(id) ?? { id, projectIndex, score: 0, shares: null },
  );
  const statements = new Map<string, Statement>();
  for (const one of await readFound(source, ranked)) {
    if (!isStatement(one) || !passes(one)) continue;
    const made = statementOf(one);
    const known = statements.get(made.turn);
    if (known === undefined) statements.set(made.turn, made);
    else known.found.push(one);
  }
  const rarity = new Map(
    own.terms.map(({ term, documents: holding }) => [term, smoothedRarity(holding, documents)]),
  );
  return { rarity, statements };
}

function rarityOf(terms: readonly string[], rarity: ReadonlyMap<string, number>): number {
  return [...new Set(terms)].reduce((sum, term) => sum + (rarity.get(term) ?? 0), 0);
}

/**
 * Whether it is short, and a memory or what was said in a turn. An answer with a type repeats what others said, and one that
 * ends with the agent's next step (“Now the legend:”) states nothing yet.
 */
export function isStatement(found: FoundDocument): boolean {
  const { kind, type, turn, at, marks } = found.document;
  const isSaid = (kind === 'prompt' || kind === 'answer') && type === null && turn !== null;
  const text = ownText(found);
  if (text.length > CHANGES.charsMax || !(isSaid || kind === 'memory')) return false;
  if (kind === 'answer' && isAnnouncement(text.trim().split(SENTENCE_ENDS).at(-1)!)) return false;
  return at !== null && marks?.superseded === undefined;
}

function statementOf(found: FoundDocument): Statement {
  const { turn, id, at } = found.document;
  return { turn: turn ?? id, at: at!, found: [found] };
}

/** With the titles of its neighbours in the turn, if its prompt or all else is missing. */
function textOf({ found }: Statement): string {
  const hasBoth = found.length > 1 && found.some(isPrompt);
  const near = hasBoth ? [] : found.flatMap(({ document }) => document.neighbours);
  return [...found.map(ownText), ...near].join('\n');
}

function promptOf({ found }: Statement): string {
  const prompt = found.find(isPrompt);
  return prompt === undefined ? (found[0]!.document.neighbours[0] ?? '') : ownText(prompt);
}

function answerOf({ found }: Statement): string {
  const answers = found.filter((one) => !isPrompt(one)).map(ownText);
  return answers.length > 0
    ? answers.join('\n')
    : found.flatMap(({ document }) => document.neighbours).join('\n');
}

/** The answer, which says what holds now. */
function shownOf({ found }: Statement): FoundDocument {
  return found.find((one) => !isPrompt(one)) ?? found[0]!;
}

function isPrompt({ document }: FoundDocument): boolean {
  return document.kind === 'prompt';
}

function ownText({ document: { title, body } }: FoundDocument): string {
  return body === '' ? title : body;
}
