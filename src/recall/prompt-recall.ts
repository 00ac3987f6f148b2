// The few memories that bear on a prompt. A turn is recalled if a document of it holds much of what the prompt says, by
// rarity, and also means nearly the same: either alone is often chance. The limits were chosen on half of the projects in
// bench/recall/prompts.json and judged on the other half (docs/benchmarks.md).
import type { MemoryDocument } from '../../projections/index.ts';
import type { RecallForPrompt } from '../api/recall.ts';
import { normalize } from '../brief/lines/near-duplicate-lines.ts';
import type { ReadHome } from '../home/home.ts';
import type { NamedProjectIndex } from '../home/home-projects.ts';
import { notedDocument } from '../overtaken/noted-document.ts';
import type { Evidence } from '../search/find-evidence.ts';
import { evidenceInHome } from '../search/search-home.ts';
import { outcomeOf, quotedItem } from './item-text.ts';
import type { Recalled } from './recalled.ts';

const ITEMS_MAX = 3;
const TURNS_READ = 5;
/** What the evidence must reach: rarities in nats, so that three or four rare words in common are needed. */
const STRENGTH_MIN = 18;
const COSINE_WEIGHT = 10;
const BIGRAMS_WEIGHT = 3;
const COVERAGE_MIN = 0.4;
const COSINE_MIN = 0.35;
/** The quote itself must hold so much of the prompt. */
const QUOTE_COVERAGE_MIN = 0.3;
const QUOTE_CHARS = 300;
/** Of the strongest; weaker ones are left out. */
const STRENGTH_SHARE_MIN = 0.8;

/** A compaction's summary repeats the whole session, so it holds the words of nearly any prompt. Its turns are found by themselves. */
const SUMMARY_OF_ALL = 'compaction';

/** Tools whose use says what was planned, not what was done. */
const PLANNING = /^(?:Task(?:Create|Update|List|Get)|Todo|update_plan)/i;

export async function recallForPrompt(
  { text, session, given = '', without = [] }: RecallForPrompt,
  projects: readonly NamedProjectIndex[],
  home: ReadHome,
): Promise<readonly Recalled[]> {
  const left = new Set(without);
  const passes = (document: MemoryDocument) =>
    (session === undefined || document.session !== session) &&
    !left.has(document.id) &&
    document.type !== SUMMARY_OF_ALL &&
    !(document.kind === 'tool' && PLANNING.test(document.type ?? ''));
  const found = await evidenceInHome(text, projects, { limit: TURNS_READ, passes }, home);
  const strong = found.filter(
    (one) => strengthOf(one) >= STRENGTH_MIN && one.coverage >= COVERAGE_MIN && one.cosine >= COSINE_MIN,
  );
  const strongest = Math.max(...strong.map(strengthOf));
  const known = normalize(given);
  const recalled: Recalled[] = [];
  for (const one of strong) {
    if (recalled.length === ITEMS_MAX) break;
    if (strengthOf(one) < STRENGTH_SHARE_MIN * strongest) continue;
    const document = await notedDocument(one.document, home.views);
    const item = quotedItem(document, await outcomeOf(document, home.views), one.coverageIn);
    const quote = item.within(QUOTE_CHARS);
    if (one.coverageIn(quote) >= QUOTE_COVERAGE_MIN && !isGiven(quote, known)) recalled.push(item);
  }
  return recalled;
}

function strengthOf({ rarity, cosine, bigrams }: Evidence): number {
  return rarity + COSINE_WEIGHT * cosine + BIGRAMS_WEIGHT * bigrams;
}

/** Whether the session has been given what the quote says. */
function isGiven(quote: string, known: string): boolean {
  return known.includes(normalize(quote));
}
