// Which documents state what holds now, and where they are shown. The newest linked or changed statement comes before the
// best result. If the best result is no statement and nothing newer leads from it, another project may hold one: its newest
// change is shown second, because the query may mean either project.
import type { ProjectIndex } from '../../projections/text/index.ts';
import { type ChangesIn, isStatement, newestChange } from './later-changes.ts';
import { newestLinked, type Tense } from './present.ts';
import type { FoundDocument } from './ranking/found-documents.ts';
import type { RankedResults } from './ranking/rank-results.ts';
import { PRESENT } from './ranking/weights.ts';

export interface CurrentState extends Pick<ChangesIn, 'index' | 'source' | 'passes' | 'goOn'> {
  readonly projects: readonly ProjectIndex[];
  readonly order: Pick<RankedResults, 'fused' | 'own' | 'documentsIn'>;
}

export interface StatedNow {
  readonly found: FoundDocument;
  /** Its place among the rows, from 0. */
  readonly place: 0 | 1;
}

/**
 * The document that states what holds now; null if none is newer than the results.
 * @param found what may be shown, best first
 */
export async function statedNow(
  state: CurrentState,
  found: readonly FoundDocument[],
  tense: Exclude<Tense, null>,
): Promise<StatedNow | null> {
  const terms = state.order.own.terms.map(({ term }) => term);
  const linked = newestLinked(found, terms, tense);
  const start = linked ?? found[0];
  if (start === undefined) return null;
  const newest = (await changeOf(state, start, terms)) ?? linked;
  if (newest !== null) return { found: newest, place: 0 };
  const other = isStatement(start) ? null : statementElsewhere(found, start);
  const changed = other && (await changeOf(state, other, terms));
  return changed && { found: changed, place: 1 };
}

/** The best short statement of another project, if it matches well enough. */
function statementElsewhere(
  found: readonly FoundDocument[],
  { ranked }: FoundDocument,
): FoundDocument | null {
  const scoreMin = PRESENT.elsewhere * ranked.score;
  const isNear = (one: FoundDocument) =>
    one.ranked.score >= scoreMin && one.ranked.projectIndex !== ranked.projectIndex && isStatement(one);
  return found.find(isNear) ?? null;
}

async function changeOf(
  { projects, order, index, source, passes, goOn }: CurrentState,
  start: FoundDocument,
  terms: readonly string[],
): Promise<FoundDocument | null> {
  const project = projects.find(({ id }) => id === start.ranked.projectIndex);
  const documents = order.documentsIn(project?.id ?? '');
  // Without vectors the number of documents is not known, nor how rare a word is.
  if (project === undefined || documents === 0) return null;
  const ranks = new Map(order.fused.best.map((ranked) => [ranked.id, ranked]));
  const rankOf = (id: string) => ranks.get(id) ?? null;
  return newestChange(
    { index, source, project, documents, asked: new Set(terms), passes, goOn, rankOf },
    start,
  );
}
