// What a piece of work says in a given room: its heading, then of everything said of it what tells most. A sentence
// tells something when it names things, gives a reason or says what is so now; that tests pass, what was looked at
// and what is said to the person tells little. Pieces keep the order in which they were said.

import { lowerCaseWords, splitSentences } from '../../terminal-text/letters-and-words.ts';
import { clipSentence } from './brief.ts';
import { normalize } from './near-duplicate-lines.ts';

/** A cut piece has at least so many characters. */
const CUT_CHARS_MIN = 60;
/** With less room behind it the heading stands alone. */
const REST_CHARS_MIN = 24;
const CUT_COSTS = 1;
/** So many characters must tell one more. */
const CHARS_COST_ONE = 360;
/** So many of its words in what is told already: a piece says nothing new. */
const SAME_SHARE = 0.7;
const SAME_CHARS = 40;
const NAMES_COUNTED_MAX = 4;
const EARLY = 5;

export interface TextPiece {
  readonly text: string;
  /** Of all pieces the weightiest are told; those below zero only where there is room for everything. */
  readonly weight: number;
  readonly words: ReadonlySet<string>;
}

export function pieceOf(text: string, weight: number): TextPiece {
  return { text, weight, words: new Set(lowerCaseWords(text)) };
}

/** The heading and as much as fits of what tells most, at most `charsMax` characters. */
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

/** "Tests: two for the hatch. Tests: one for the clock." → the second without what it stands under. */
export function withLeadsOnce(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const lead = LEAD_OF.exec(text)?.[0];
    return lead !== undefined && texts[index - 1]?.startsWith(lead) ? text.slice(lead.length) : text;
  });
}

const LEAD_OF = /^[^:“"`]{3,64}: (?=\S)/;

/** null where nothing that is left fits and tells something. */
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

/** How much a sentence tells, about -3 to 6; `at`: how many were said before it. */
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

/** "The fix. It now waits." is one: a label says nothing alone. */
export function sentencesIn(text: string): string[] {
  return splitSentences(text.replace(LABEL, '$1: ')).filter((one) => one !== '');
}

/** Sentences that begin alike once, in order. */
export function withoutRepeats(texts: readonly string[], known: string): string[] {
  const kept: string[] = [];
  const names: string[] = [];
  for (const text of texts) {
    const whole = normalize(text);
    const name = whole.slice(0, SAME_CHARS);
    if (name === '' || known.includes(name) || names.some((other) => other.includes(name))) continue;
    kept.push(text);
    names.push(whole);
  }
  return kept;
}
