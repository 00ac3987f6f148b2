// Finds the current state. Several turns report a value, a name or a decision that changed, and a question about the
// present wants the newest of them first. A newer turn counts only if a link leads to it from the result that matches
// the query best; links are followed from turn to turn. Without a link the order does not change.
import { COMPACTION, RECAP } from '../../projections/index.ts';
import { termsOf } from '../../projections/text/index.ts';
import { linkedSentence, shared, type Terms } from './links.ts';
import type { FoundDocument } from './ranking/found-documents.ts';
import { PRESENT } from './ranking/weights.ts';

/** `now`: the query's words ask for the current state; `present`: a question in the present tense. */
export type Tense = 'now' | 'present' | null;

const NOW =
  /\b(?:now|nowadays|current(?:ly)?|at present|presently|at the moment|these days|today|latest|still|final(?:ly)?|in the end|did (?:we|you|i) (?:decide|settle|agree))\b/i;
const PRESENT_TENSE =
  /^(?:(?:at|by|for|from|in|of|on|to|under|with) )?(?:what|which|where|when|who|how)\b.*\b(?:is|are|does|do|has|have|may|can|must|should)\b/i;
const PAST =
  /\b(?:original(?:ly)?|previous(?:ly)?|former(?:ly)?|initial(?:ly)?|old(?:er)?|earlier|used to|why|until|history|changed?|was|were)\b/i;
/** “which service sends the reminders”: a verb without an auxiliary. */
const SIMPLE_PRESENT =
  /^(?:what|which|who)\b(?!.*\b(?:did|had)\b).*\b[a-z]{2,}s (?:the|a|an|our|my|its|each|every|all|any|it|this|these|those)\b/i;
/** Beside a word like `now` they are about something else: “which tests run first now”. */
const PAST_ALONE = /\b(?:before|first)\b/i;

export function tenseOf(query: string): Tense {
  if (PAST.test(query)) return null;
  if (NOW.test(query)) return 'now';
  const isPresent = PRESENT_TENSE.test(query) || SIMPLE_PRESENT.test(query);
  return isPresent && !PAST_ALONE.test(query) ? 'present' : null;
}

/**
 * The newest document that a link leads to from the best one, or from a newer one that matches nearly as well; null if
 * none is newer. The latter is about the same thing, but may be newer by chance: it counts only for the tense `now`.
 * @param found best first
 * @param terms the query's terms
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
  let nearTurn: string | null = null;
  for (const one of candidatesFor(best, found)) {
    const share = one.ranked.score / best.ranked.score;
    const isNear = share >= PRESENT.near;
    const sentences = sentencesOf(one);
    const statement = isNear
      ? bestMatchingSentence(sentences, asked)
      : linkedSentence(sentences, stated, asked, share >= PRESENT.decision);
    if (statement === null) continue;
    if (isNear && turnOf(one) !== nearTurn) {
      nearTurn = turnOf(one);
      // This turn states it again: a later text that replaces what older turns said does not replace this.
      if (nearTurn === turnOf(best) || one.document.at! >= best.document.at) stated.length = 0;
    }
    stated.push(new Set(termsOf(statement)));
    if (one.document.at! > best.document.at && (tense === 'now' || !isNear)) newest = one;
  }
  return turnOf(newest) === turnOf(best) ? null : newest;
}

/** The dated documents of the best one's project, oldest first. Tool uses are left out: their input states nothing. */
function candidatesFor(best: FoundDocument, found: readonly FoundDocument[]): FoundDocument[] {
  return found
    .filter(
      ({ document: { id, kind, type, at }, ranked: { projectIndex } }) =>
        projectIndex === best.ranked.projectIndex &&
        at !== null &&
        type !== RECAP &&
        type !== COMPACTION &&
        (kind !== 'tool' || id === best.document.id),
    )
    .sort(({ document: a }, { document: b }) => a.at! - b.at! || (a.order < b.order ? -1 : 1));
}

function sentencesOf({ document: { title, body } }: FoundDocument): string[] {
  return (body === '' ? title : body).slice(0, PRESENT.charsMax).split(/(?<=[.!?;])\s+|\n+/);
}

/** The sentence that shares most terms with the query. */
function bestMatchingSentence(sentences: readonly string[], asked: Terms): string {
  let best = '';
  let bestCount = -1;
  for (const sentence of sentences) {
    const count = shared(asked, new Set(termsOf(sentence))).length;
    if (count > bestCount) [best, bestCount] = [sentence, count];
  }
  return best;
}

function turnOf({ document: { turn, id } }: FoundDocument): string {
  return turn ?? id;
}
