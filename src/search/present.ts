// What holds now. A value, a name or a decision that changed was told by several turns, and who asks for the present
// state wants the newest of them first. A newer turn counts only where a link leads to it from what fits the query
// best; links are followed from turn to turn. Without a link the order stays.
import { termsOf } from '../../projections/text/index.ts';
import { linkedSentence, shared, type Terms } from './links.ts';
import type { FoundDocument } from './ranking/found-documents.ts';
import { PRESENT } from './ranking/weights.ts';

/** `now`: by its words it is asked for; `present`: a question in the present tense. */
export type Tense = 'now' | 'present' | null;

const NOW =
  /\b(?:now|nowadays|current(?:ly)?|at present|presently|at the moment|these days|today|latest|still|final(?:ly)?|in the end|did (?:we|you|i) (?:decide|settle|agree))\b/i;
const PRESENT_TENSE =
  /^(?:(?:at|by|for|from|in|of|on|to|under|with) )?(?:what|which|where|when|who|how)\b.*\b(?:is|are|does|do|has|have|may|can|must|should)\b/i;
const PAST =
  /\b(?:before|first|original(?:ly)?|previous(?:ly)?|former(?:ly)?|initial(?:ly)?|old(?:er)?|earlier|used to|why|until|history|changed?|was|were)\b/i;

export function tenseOf(query: string): Tense {
  if (PAST.test(query)) return null;
  if (NOW.test(query)) return 'now';
  return PRESENT_TENSE.test(query) ? 'present' : null;
}

/**
 * The newest that a link leads to from the best; null where nothing newer is. What only fits nearly as well is of the same
 * matter, but it may be newer by chance: it counts only where `now` is asked for.
 * @param found best first
 * @param terms those of the query
 */
export function newestLinked(
  found: readonly FoundDocument[],
  terms: readonly string[],
  tense: 'now' | 'present',
): FoundDocument | null {
  const [best] = found;
  if (best === undefined || best.document.at === null) return null;
  const asked = new Set(terms);
  const stated: Terms[] = [];
  let newest = best;
  for (const one of tellersOf(best, found)) {
    const share = one.ranked.score / best.ranked.score;
    const isNear = share >= PRESENT.near;
    const sentences = sentencesOf(one);
    const said = isNear
      ? sayingMost(sentences, asked)
      : linkedSentence(sentences, stated, asked, share >= PRESENT.decision);
    if (said === null) continue;
    stated.push(new Set(termsOf(said)));
    if (one.document.at! > best.document.at && (tense === 'now' || !isNear)) newest = one;
  }
  return turnOf(newest) === turnOf(best) ? null : newest;
}

/** Of its project, oldest first. What a tool was given states nothing. */
function tellersOf(best: FoundDocument, found: readonly FoundDocument[]): FoundDocument[] {
  return found
    .filter(
      ({ document: { id, kind, at }, ranked: { projectIndex } }) =>
        projectIndex === best.ranked.projectIndex &&
        at !== null &&
        (kind !== 'tool' || id === best.document.id),
    )
    .sort(({ document: a }, { document: b }) => a.at! - b.at! || (a.order < b.order ? -1 : 1));
}

function sentencesOf({ document: { title, body } }: FoundDocument): string[] {
  return (body === '' ? title : body).slice(0, PRESENT.charsMax).split(/(?<=[.!?;])\s+|\n+/);
}

/** The sentence that holds most of the query. */
function sayingMost(sentences: readonly string[], asked: Terms): string {
  let most = '';
  let held = -1;
  for (const sentence of sentences) {
    const count = shared(asked, new Set(termsOf(sentence))).length;
    if (count > held) [most, held] = [sentence, count];
  }
  return most;
}

function turnOf({ document: { turn, id } }: FoundDocument): string {
  return turn ?? id;
}
