// Fits the text of a piece of work into a given room: its heading, then the most informative sentences. A sentence is
// informative if it names things, gives a reason, or states a cause or a fix. Passing tests and remarks to the person are
// not. Sentences keep their original order.

import {
  answersBefore,
  dangles,
  givesReason,
  isForeign,
  leans,
  namesIn,
} from '../../../projections/index.ts';
import { lowerCaseWords, splitSentences } from '../../terminal-text/letters-and-words.ts';
import { clipSentence, losesTurn } from './brief.ts';
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
const SHORT_CHARS = 24;
/** The sign between heading and text. */
const BETWEEN = 3;

export interface TextPiece {
  readonly text: string;
  /** The pieces with the most weight are chosen; those below zero only if there is room for all. */
  readonly weight: number;
  readonly words: ReadonlySet<string>;
  /** The text before it, without which it is not understood. */
  readonly dependsOn?: string | undefined;
}

export function pieceOf(text: string, weight: number, dependsOn?: string): TextPiece {
  return { text, weight, words: new Set(lowerCaseWords(withoutLeads(text, text) || text)), dependsOn };
}

/** Of sentences that depend on the one before them: that one, by the sentence. */
export function antecedentsIn(...texts: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(
    texts.flatMap((sentences) =>
      sentences.flatMap((one, at) =>
        at > 0 && dependsOnBefore(one) ? [[one, sentences[at - 1]!] as const] : [],
      ),
    ),
  );
}

function dependsOnBefore(sentence: string): boolean {
  return leans(sentence) || dangles(sentence) || isForeign(sentence);
}

/** Of a "Fix: …": the "Problem: …" before it. Of one without, itself, so that it is not shown. */
export function problemsIn(...texts: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(
    texts.flatMap((sentences) =>
      sentences.flatMap((one, at) => (answersBefore(one) ? [[one, sentences[at - 1] ?? one] as const] : [])),
    ),
  );
}

/** The heading and the most informative pieces that fit, at most `charsMax` characters. */
export function mostInformative(head: string, given: readonly TextPiece[], charsMax: number): string {
  if (head.length >= charsMax - REST_CHARS_MIN) return clipSentence(head, charsMax);
  const pieces = understood(head, given);
  const all = pieces.map(({ text }) => text);
  if ([head, ...all].join(' ').length + BETWEEN <= charsMax) return joinedTo(head, all);
  const chosen = new Map<number, string>();
  let room = charsMax - head.length - BETWEEN;
  const known = new Set(lowerCaseWords(head));
  const left = new Set(pieces.keys());
  while (left.size > 0) {
    // A cut sentence says more than none.
    const least = head === '' && chosen.size === 0 ? -CUT_COSTS : 0;
    const leads = (index: number) => {
      const { dependsOn } = pieces[index]!;
      return dependsOn === undefined || dependsOn === head || chosen.get(index - 1) === dependsOn;
    };
    const ready = new Set([...left].filter(leads));
    const best =
      bestOf(pieces, ready, room, known, least, losesTurn) ??
      (least < 0 ? bestOf(pieces, ready, room, known, least, () => false) : null);
    if (best === null) break;
    left.delete(best);
    const isFirstOfList = all.length > 1 && neighbours(all, best).every((index) => !chosen.has(index));
    if (isFirstOfList && neighbours(all, best).length > 0) room -= MORE.length;
    const text = clipSentence(pieces[best]!.text, room);
    chosen.set(best, text);
    room -= text.length + 1;
    for (const word of pieces[best]!.words) known.add(word);
  }
  const inOrder = [...chosen].sort(([a], [b]) => a - b);
  return joinedTo(
    head,
    inOrder.map(([index, text], at) => {
      const list = neighbours(all, index);
      const isLast = !list.includes(inOrder[at + 1]?.[0] ?? -1);
      const isWhole = text.endsWith('…') || list.every((one) => chosen.has(one));
      return isLast && !isWhole ? marked(text) : text;
    }),
  );
}

/** What a list ends with that is not shown whole. */
const MORE = ' […]';

function marked(text: string): string {
  return text.endsWith(MORE) ? text : `${text}${MORE}`;
}

/** Ends a list with a mark if some of its items are missing from these texts. @param all texts with the whole lists */
export function withCutsMarked(texts: readonly string[], all: readonly string[]): string[] {
  const leads = texts.map(leadOf);
  const whole = all.map(leadOf);
  const isOf = (lead: string) => (one: string) => one === lead;
  return texts.map((text, at) => {
    const lead = leads[at]!;
    if (lead === '' || leads.lastIndexOf(lead) !== at) return text;
    return leads.filter(isOf(lead)).length < whole.filter(isOf(lead)).length ? marked(text) : text;
  });
}

/** The other pieces of its list: those around it with the same lead. */
function neighbours(texts: readonly string[], at: number): number[] {
  const lead = leadOf(texts[at]!);
  if (lead === '') return [];
  const isOther = (index: number) => texts[index]?.startsWith(lead) !== true;
  let from = at;
  let to = at;
  while (!isOther(from - 1)) from--;
  while (!isOther(to + 1)) to++;
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((index) => index !== at);
}

/** Without pieces that depend on what is not there. */
function understood(head: string, pieces: readonly TextPiece[]): TextPiece[] {
  const kept: TextPiece[] = [];
  for (const one of pieces)
    if (one.dependsOn === undefined || one.dependsOn === head || one.dependsOn === kept.at(-1)?.text)
      kept.push(one);
  return kept;
}

/** The sentences that say something, as far as they fit; the last one is cut if enough of it remains. "That is expected" may be the answer. */
export function beginningOf(text: string, charsMax: number): string {
  let shown = '';
  for (const sentence of sentencesIn(text).filter((one) => !isNoAnswer(one))) {
    const room = charsMax - shown.length - 1;
    if (sentence.length > room) {
      if (shown !== '' && (room < CUT_CHARS_MIN || losesTurn(sentence, room))) break;
      return `${shown} ${clipSentence(sentence, room)}`.trimStart();
    }
    shown = `${shown} ${sentence}`.trimStart();
  }
  return shown;
}

function joinedTo(head: string, texts: readonly string[]): string {
  const text = withLeadsOnce(texts).join(' ');
  if (head === '' || text === '') return head || text;
  return `${head}${/[.!?…。！？]$/.test(head) ? ' ' : ' — '}${text}`;
}

/** "Tests: two for the hatch. Tests: one for the clock." → the second without the repeated lead. */
export function withLeadsOnce(texts: readonly string[]): string[] {
  return texts.map((text, index) => withoutLeads(text, texts[index - 1] ?? ''));
}

function withoutLeads(text: string, before: string): string {
  const lead = leadOf(text);
  return lead !== '' && before.startsWith(lead)
    ? withoutLeads(text.slice(lead.length), before.slice(lead.length))
    : text;
}

const LEAD_OF = /^(?:Sub-agent “[^”]*”|[^:“"`]{3,64}): (?=\S)/;

/** What a list item begins with in common with its neighbours, "New tests: "; empty for none. */
export function leadOf(text: string): string {
  return LEAD_OF.exec(text)?.[0] ?? '';
}

/** null if no remaining piece fits and adds anything. */
function bestOf(
  pieces: readonly TextPiece[],
  left: ReadonlySet<number>,
  room: number,
  known: ReadonlySet<string>,
  least: number,
  isLeftOut: (text: string, room: number) => boolean,
): number | null {
  let best: number | null = null;
  let most = least;
  for (const index of left) {
    const { text, weight, words } = pieces[index]!;
    if (text.length > room && (room < CUT_CHARS_MIN || isLeftOut(text, room))) continue;
    const value =
      weight - Math.min(text.length, room) / CHARS_COST_ONE - (text.length > room ? CUT_COSTS : 0);
    if (value <= most || isKnown(words, known)) continue;
    best = index;
    most = value;
  }
  return best;
}

function isKnown(words: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  const same = [...words].filter((word) => known.has(word)).length;
  return words.size > 0 && same / words.size >= SAME_SHARE;
}

/** How informative a sentence is, about -3 to 6; `at`: how many sentences come before it. */
export function weightOf(text: string, at: number): number {
  return (
    1 +
    Math.min(NAMES_COUNTED_MAX, namesIn(text).length) * 0.4 +
    (givesReason(text) ? 1 : 0) +
    (CAUSE_OR_FIX.test(text) ? 1.5 : 0) +
    Math.max(0, EARLY - at) * 0.25 -
    (CHECKED.test(text) ? 2.5 : 0) -
    (saysNothing(text) ? 6 : 0) -
    (TO_THE_PERSON.test(text) ? 2 : 0) -
    (text.length < SHORT_CHARS ? 1.5 : 0) -
    (leans(text) ? 0.8 : 0)
  );
}

function isNoAnswer(sentence: string): boolean {
  return [NARRATES, AGREES, OPEN].some((one) => one.test(sentence));
}

function saysNothing(sentence: string): boolean {
  return isNoAnswer(sentence) || [SAYS_NOTHING, ASSESSES, PROPOSES, TO_TRY].some((one) => one.test(sentence));
}

const CAUSE_OR_FIX =
  /^(?:the )?(?:real |root |actual |proper )?(?:cause|bug|problem|reason|fix|solution|decision|verdict|result)\b|\b(?:root cause|the fix (?:is|was))\b/i;
const CHECKED =
  /\b(?:tests?|build|suite|lint\w*|checks?)\b.{0,60}\b(?:pass\w*|clean|green|succeed\w*)\b|^(?:tested|checked|measured|all (?:tests|checks|green|done))\b|\b(?:verified|confirmed)\b/i;
/** "The issue is clear now.", "… were left untouched.", "All changes are implemented." */
const SAYS_NOTHING =
  /^all (?:the )?(?:changes|tasks|steps|items|edits) (?:are|were|have been) (?:now )?(?:implemented|done|complete\w*|made|in place)[.!]?$|^(?:(?:and|so|but),? )?(?:(?:the|this|that|it|everything|all) ?)(?:\w+ )?(?:is|are|was|looks?|makes?)(?: (?:now|all|the|perfect|very|quite|just|exactly))* (?:clear|obvious|expected|intended|sense|understood|simple|straightforward|fine|good|correct|right)(?: (?:now|behaviou?r|design|here))*[.!]?$|\b(?:left|remain\w*|is|are|was|were) (?:untouched|unrelated)\b[^.]{0,20}\.?$/i;
/** What the agent was doing at that moment. */
const NARRATES =
  /^(?:(?:now|next|first|then|finally)(?:,| also)* (?:add|write|create|update|wire|check|run|fix|implement|replace|let|I['’]ll|commit|close|move|make|test|verify|look|find|read|start|install|remove|rename)\b|now (?:for )?(?:the )?(?:\w+ )?(?:task|step|phase|part)s?\b|still (?:compiling|running|building|waiting|installing)\b|I (?:now )?have (?:the )?(?:full|all|enough|everything|a (?:clear|full|good|complete))\b|(?:close|commit|mark|sync|push)\b.{0,60}\b(?:continue|move on|move to|proceed|go on)\b|(?:I agree|agreed|sounds good|expected)\b[^.]{0,40}[.!]?$|since no\b.{0,60}\bI['’]ll\b)/i;
/** What a report of a sub-agent says of itself. */
const ASSESSES =
  /^(?:sub-agent “[^”]*”: )?(?:(?:issues|concerns|problems|blockers|questions)\b[^:]{0,30}: (?:none|no)\b|(?:completeness|quality|discipline|self-review|commit: hash)\b[^:]{0,20}: )/i;
const TO_THE_PERSON =
  /^(?:you(?:r|['’]\w+)?|I(?:['’]\w+)?|yes|no|here(?:['’]?s)?|let me|my|should|would|could|may)\b|\?$|\b(?:want me to|let me know|if you want)\b/i;

/** What the person was to try then: "Rebuild it and retest". */
const TO_TRY =
  /^(?:please )?re-?(?:build|install|load|open|run|start)\b[^.]{0,80}\band (?:re-?)?(?:test|try)(?: (?:it|again))*[.!]?$/i;

const AGREES =
  /^(?:good|nice|great) (?:catch|point|question|idea)\b.{0,40}$|^you(?:['’]re| are) (?:absolutely |quite |totally )?right\b.{0,30}$|^(?:understood|got it|sure|of course|absolutely)[.!,]?$/i;
/** It was open then: a question, options to choose from, an offer, or what held for the moment. */
const OPEN =
  /\?["”'’)]*$|^(?:(?:open )?questions?|options?(?: [A-Z\d])?)(?: \d)?:|^(?:if you (?:want|like|prefer)|say the word|(?:one |a )?side note|current (?:repo(?:sitory)? )?state|same .{0,30} as before|for future reference)\b/i;
const PROPOSES = /^(?:my |the )?(?:recommendation|recommended|best (?:solution|option)|suggestion)(?: \d)?:/i;

/** What git said of the files at that moment; a condition speaks of the product. */
const TREE_STATE = new RegExp(
  [
    String.raw`\b(?:is|are|was|were|stays?|remains?|still|left|currently) (?:\w+ )?(?:untracked|uncommitted|unstaged)\b`,
    String.raw`\b(?:not|nothing|none)(?: is| are| was| were| yet| been| has)* (?:committed|staged|pushed|to commit)\b(?! (?:by|to|into|in)\b)`,
    String.raw`\b(?:your|my|no|current)(?: current)? uncommitted\b`,
    String.raw`\bdid(?: not|n['’]t) (?:commit|push)\b`,
    String.raw`\b(?:working (?:tree|directory|copy)|repo(?:sitory)?(?: state)?)\b[^.;]{0,20}\bclean\b`,
    String.raw`\bgit status\b[^.;]{0,40}\bshows?\b`,
    String.raw`\b(?:behind|ahead of) \W?origin\b`,
    String.raw`\bready (?:for you )?to (?:be )?(?:review|commit|push|merge)`,
  ].join('|'),
  'i',
);
const CONDITION = /\b(?:if|when|whether|unless|until|before|once|while|where)\b/i;
const CLAUSE = /; |, (?:and|but|so) | [—–] /g;
const CLAUSE_WORDS_MIN = 4;

/** Without what it says of uncommitted files, which holds no longer; empty if it says nothing else. */
export function withoutTreeState(sentence: string): string {
  const state = CONDITION.test(sentence) ? null : TREE_STATE.exec(sentence);
  if (state === null) return sentence;
  const before = sentence.slice(0, [...sentence.slice(0, state.index).matchAll(CLAUSE)].at(-1)?.index ?? 0);
  return before.split(' ').length < CLAUSE_WORDS_MIN ? '' : before;
}

export function sentencesIn(text: string): string[] {
  return splitSentences(text).filter((one) => one !== '');
}

/** Drops sentences that begin like an earlier one, keeping the order. */
export function withoutRepeats(texts: readonly string[], known: string): string[] {
  const kept: string[] = [];
  const names: string[] = [];
  for (const text of texts) {
    // Items of one list begin alike.
    const normalized = normalize(withoutLeads(text, kept.at(-1) ?? ''));
    const name = normalized.slice(0, SAME_CHARS);
    if (name === '' || known.includes(name) || names.some((other) => other.includes(name))) continue;
    kept.push(text);
    names.push(normalized);
  }
  return kept;
}
