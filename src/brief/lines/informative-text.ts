// Fits the text of a piece of work into a given room: its heading, then the most informative sentences. A sentence is
// informative if it names things, gives a reason or states the current state. Passing tests, what was only looked at, and
// remarks to the person are not. Sentences keep their original order.

import { lowerCaseWords, splitSentences } from '../../terminal-text/letters-and-words.ts';
import { clipSentence } from './brief.ts';
import { normalize } from './near-duplicate-lines.ts';

/** A clipped piece has at least this many characters. */
const CUT_CHARS_MIN = 60;
/** With less room after the heading, it is shown alone. */
const REST_CHARS_MIN = 24;
const CUT_COSTS = 1;
/** Each further unit of weight may cost this many characters. */
const CHARS_COST_ONE = 360;
/** A piece with this share of its words in the chosen text says nothing new. */
const SAME_SHARE = 0.7;
const SAME_CHARS = 40;
const NAMES_COUNTED_MAX = 4;
const EARLY = 5;

export interface TextPiece {
  readonly text: string;
  /** The pieces with the most weight are chosen; those below zero only if there is room for all. */
  readonly weight: number;
  readonly words: ReadonlySet<string>;
}

export function pieceOf(text: string, weight: number): TextPiece {
  return { text, weight, words: new Set(lowerCaseWords(text)) };
}

/** The heading and the most informative pieces that fit, at most `charsMax` characters. */
export function mostInformative(head: string, pieces: readonly TextPiece[], charsMax: number): string {
  if (head.length >= charsMax - REST_CHARS_MIN) return clipSentence(head, charsMax);
  const all = pieces.map(({ text }) => text);
  if ([head, ...all].join(' ').length + BETWEEN <= charsMax) return joinedTo(head, all);
  const chosen = new Map<number, string>();
  let room = charsMax - head.length - BETWEEN;
  const known = new Set(lowerCaseWords(head));
  const left = new Set(pieces.keys());
  while (left.size > 0) {
    const best = bestOf(pieces, left, room, known);
    if (best === null) break;
    left.delete(best);
    const text = clipSentence(pieces[best]!.text, room);
    chosen.set(best, text);
    room -= text.length + 1;
    for (const word of pieces[best]!.words) known.add(word);
  }
  return joinedTo(
    head,
    [...chosen].sort(([a], [b]) => a - b).map(([, text]) => text),
  );
}

const BETWEEN = 3;

function joinedTo(head: string, texts: readonly string[]): string {
  if (head === '' || texts.length === 0) return head === '' ? withLeadsOnce(texts).join(' ') : head;
  return `${head}${/[.!?…。！？]$/.test(head) ? ' ' : ' — '}${withLeadsOnce(texts).join(' ')}`;
}

/** "Tests: two for the hatch. Tests: one for the clock." → the second without the repeated lead. */
export function withLeadsOnce(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const lead = LEAD_OF.exec(text)?.[0];
    return lead !== undefined && texts[index - 1]?.startsWith(lead) ? text.slice(lead.length) : text;
  });
}

const LEAD_OF = /^[^:“"`]{3,64}: (?=\S)/;

/** null if no remaining piece fits and adds anything. */
function bestOf(
  pieces: readonly TextPiece[],
  left: ReadonlySet<number>,
  room: number,
  known: ReadonlySet<string>,
): number | null {
  let best: number | null = null;
  let most = 0;
  for (const index of left) {
    const { text, weight, words } = pieces[index]!;
    if (text.length > room && room < CUT_CHARS_MIN) continue;
    const value =
      weight - Math.min(text.length, room) / CHARS_COST_ONE - (text.length > room ? CUT_COSTS : 0);
    if (value <= most || isKnown(words, known)) continue;
    best = index;
    most = value;
  }
  return best;
}

function isKnown(words: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  let same = 0;
  for (const word of words) if (known.has(word)) same++;
  return words.size > 0 && same / words.size >= SAME_SHARE;
}

/** How informative a sentence is, about -3 to 6; `at`: how many sentences come before it. */
export function weightOf(text: string, at: number): number {
  const names = Math.min(NAMES_COUNTED_MAX, text.match(NAMES)?.length ?? 0);
  return (
    1 +
    names * 0.4 +
    (SIZE.test(text) ? 1 : COUNTS.test(text) ? 0.4 : 0) +
    (REASON.test(text) ? 1 : 0) +
    (NOW.test(text) ? 0.7 : 0) +
    (FIX.test(text) ? 1.8 : CAUSE.test(text) ? 1.2 : 0) +
    (COMMIT.test(text) ? 1 : 0) +
    Math.max(0, EARLY - at) * 0.25 -
    (CHECKED.test(text) ? 2.5 : 0) -
    (FILLS.test(text) || text.length < SHORT_CHARS ? 1.5 : 0) -
    (TO_THE_PERSON.test(text) ? 2 : 0) -
    (OFFERS.test(text) ? 2 : 0) -
    (LEANS.test(text) ? 0.8 : 0) -
    (LISTS.test(text) ? 1.5 : 0)
  );
}

/** Identifiers, files, flags, settings. */
const NAMES = /[a-z][A-Z]\w|\w_\w|\w\(\)|\w\.(?=[a-z])\w{1,5}\b|\s--\w|\w\/\w|\b[A-Z]{2,}\b|"[^"]{2,40}"/g;
/** How much was made. */
const SIZE =
  /\b(?:\d[\d,.]*|all|two|three|four|five|six|seven|eight|nine|ten) (?:new |more )?(?:commits|files|packages|segments|languages|lines|tasks|modules|migrations|endpoints|components|bugs|places|call sites)\b|[+−]\d{3,}/i;
const COUNTS = /\b\d+(?:\.\d+)?\b/;
const REASON =
  /\b(?:because|since|so that|instead|rather than|otherwise|unless|due to|to avoid|turn(?:s|ed) out|only (?:when|if|works?|reads?|looks?)|which (?:means|is why|broke|breaks)|(?:does|do|did|is|was|are|were|can|could)(?: not|n(?:'|’)t)|cannot|never|not \S+ but|ha(?:s|d|ve) no|lack(?:s|ed)?|without|but)\b|, so \S/i;
const NOW =
  /\b(?:now|no longer|replace[sd]?|default|must|always|kept?|keeps|dropped|removed|added|fixed|moved|renamed|committed|pushed|declined|rejected|left|open|missing|lost|uncommitted|wrong)\b/i;
const FIX = /^(?:the )?(?:real |actual |proper )?(?:fix|solution)\b|\bthe fix (?:is|was)\b/i;
const CAUSE =
  /^(?:the )?(?:real |root |actual |underlying )?(?:cause|bug|problem|reason|decision|verdict|result|outcome)\b|\b(?:root cause|the cause (?:is|was))\b/i;
const COMMIT = /^(?:[^:]{1,40}: )?(?:commit )?(?=[0-9a-f]*\d)[0-9a-f]{7,12}\b/;
const CHECKED =
  /\b(?:tests?|build|suite|lint\w*|gofmt|checks?|commitlint)\b.{0,60}\b(?:pass(?:es|ed|ing)?|clean|green|succeed\w*)\b|^(?:tested|checked|measured|validated|all (?:tests|checks|green|done))\b|\b(?:verified|confirmed)\b|\bno console errors\b|\bbyte-identical\b|\bproof\b|^(?:actual|expected)\b/i;
const FILLS =
  /\b(?:worth (?:knowing|noting|flagging|reporting)|as before|plainly|findings|incidentally|for the record|(?:two|three|a few|some) (?:things|notes|points|questions))\b/i;
const SHORT_CHARS = 24;
const TO_THE_PERSON =
  /^(?:and I\b|you(?:r|(?:'|’)\w+)?\b|I(?:(?:'|’)\w+)?\b|yes\b|no\b|nope\b|here(?:'|’)?s?\b|good\b|right\b|well\b|based on\b|done\b|say the word|everything\b|answering|let me\b|my\b)/i;
const OFFERS =
  /\?$|\b(?:say the word|want me to|would you|should I|shall I|let me know|if you want|up to you|your call)\b|^(?:should|would|could|may|option|approach|alternative|pros|cons|example|scenario|task|phase|step|proposed|possible)\b/i;
const LEANS =
  /^(?:this|that|it|these|those|they|both|which|but|and|also|then|same|the (?:same|latter|former))\b/i;
const LISTS =
  /^(?:sub-agent\b|(?:modified|new|deleted|changed|created) files?\b|files?(?: \w+)?:|lines? \d)|(?:^|: )(?:\S+\/\S+ \([^)]*\)|\S+\.\w{1,4})$/i;

const LABEL =
  /(?<=^|[.!?]\s)((?:the )?(?:root |actual |real |underlying )?(?:bug|fix|cause|problem|solution|reason|result|decision|verdict|change|issue|outcome|answer|recommendation)s?)\.\s+(?=\S)/giu;

/** "The fix. It now waits." counts as one sentence: a label says nothing alone. */
export function sentencesIn(text: string): string[] {
  return splitSentences(text.replace(LABEL, '$1: ')).filter((one) => one !== '');
}

/** Drops sentences that begin like an earlier one, keeping the order. */
export function withoutRepeats(texts: readonly string[], known: string): string[] {
  const kept: string[] = [];
  const names: string[] = [];
  for (const text of texts) {
    const normalized = normalize(text);
    const name = normalized.slice(0, SAME_CHARS);
    if (name === '' || known.includes(name) || names.some((other) => other.includes(name))) continue;
    kept.push(text);
    names.push(normalized);
  }
  return kept;
}
