// The content of a brief, before it is rendered: sections of lines, most important first, each line with its source.
// agent-brief.ts and person-brief.ts render the same brief. Also shortens a brief until it fits.
import { type Turn, turnAfter } from '../../../projections/index.ts';
import { sentenceEnds } from '../../terminal-text/letters-and-words.ts';

/** Whose words a line repeats. `record`: tool results and counts. */
export type Voice = 'person' | 'agent' | 'record' | 'mixed';

export interface BriefLine {
  /** What the line is: "Asked", "Next", a type; empty if the section says it. */
  readonly label: string;
  readonly text: string;
  /** Returns the text within so many characters; needed if a shorter text is more than a clipped one. */
  readonly within?: (charsMax: number) => string;
  readonly voice: Voice;
  /** Set if a shorter text may have the words of fewer. */
  readonly voiceOf?: (text: string) => Voice;
  readonly id: string | null;
  /** Unix ms; null if unknown. */
  readonly at: number | null;
  /** How many more lines say nearly the same. */
  readonly nearDuplicates: number;
  readonly turn: TurnKey | null;
  /** Belongs to the last line before it that has no `below`. */
  readonly below?: boolean;
  /** The line with the largest value is dropped first; by default the section and the position in it decide. */
  readonly spare?: number;
}

/** A turn's key in the `turns` view, from which its cost is read. */
export interface TurnKey {
  readonly agent: string;
  readonly session: string;
  readonly turn: string;
}

export type SectionName =
  | 'notes'
  | 'pinned'
  | 'last'
  | 'session'
  | 'asked'
  | 'open'
  | 'since'
  | 'decisions'
  | 'problems'
  | 'gotchas'
  | 'running'
  | 'saved'
  | 'work'
  | 'files';

export interface Section {
  readonly name: SectionName;
  readonly title: string;
  readonly lines: readonly BriefLine[];
  /** Characters of a line, with much room and with little. */
  readonly chars: readonly [most: number, least: number];
}

export interface Brief {
  readonly project: string;
  /** In the order shown. */
  readonly sections: readonly Section[];
}

/** Tokens; null if no usage was recorded. */
export interface Cost {
  readonly found: number | null;
}

/** How soon the lines of a section are dropped: the value of its first line, and what each further line adds. */
const SPARE: Readonly<Record<SectionName, readonly [first: number, step: number]>> = {
  notes: [-2, 0],
  pinned: [-1, 0.01],
  last: [0, 0.03],
  session: [0, 0.3],
  asked: [0, 0.05],
  open: [0.05, 0.04],
  since: [0, 0.3],
  problems: [0.4, 0.7],
  decisions: [0, 0.18],
  gotchas: [0, 0.1],
  running: [0, 0.15],
  saved: [0, 0.4],
  work: [0, 0],
  files: [0.1, 0],
};

/** Room for a line, from the most to the least, in steps. */
const REST = [0.6, 0.4, 0.28, 0.2, 0.14, 0.1, 0.07, 0.04, 0.02, 0.01, 0.005, 0.0025];
const ROOM = [
  ...[1, 0.9, 0.8, 0.71, 0.62, 0.54, 0.46, 0.41, 0.36, 0.32, 0.28, 0.24],
  ...[0.2, 0.17, 0.14, 0.12, 0.1, 0.08, 0.06, 0.045, 0.03, 0.015, 0],
];

/** Shortens all lines, then drops lines until the brief fits; in the worst case none is left. */
export function fitBrief(brief: Brief, fits: (brief: Brief) => boolean): Brief {
  const shorter = firstFitting(ROOM.length, (at) => shortened(brief, ROOM[at]!), fits);
  if (shorter !== null) return shorter;
  const fewer = [shortened(brief, 0)];
  for (let more = 1; !isEmpty(fewer.at(-1)!) && !fits(fewer.at(-1)!); more *= 2)
    for (let left = more; left > 0 && !isEmpty(fewer.at(-1)!); left--) fewer.push(withoutOne(fewer.at(-1)!));
  const kept = firstFitting(fewer.length, (at) => fewer[at]!, fits) ?? fewer.at(-1)!;
  // The room that the last dropped line left goes to the remaining ones.
  return firstFitting(REST.length, (at) => shortened(kept, REST[at]!), fits) ?? kept;
}

function isEmpty({ sections }: Brief): boolean {
  return sections.length === 0;
}

/**
 * The first brief that fits, if none is longer than the one before; null if none fits. Uses binary search: a brief is
 * rendered to be measured, and rendering all of them took most of the time of a session start.
 */
function firstFitting(
  count: number,
  at: (index: number) => Brief,
  fits: (brief: Brief) => boolean,
): Brief | null {
  let found: Brief | null = null;
  for (let low = 0, high = count; low < high; ) {
    const middle = Math.floor((low + high) / 2);
    const brief = at(middle);
    if (fits(brief)) {
      found = brief;
      high = middle;
    } else low = middle + 1;
  }
  return found;
}

/** Without the line that is dropped first (the last of equal ones); a heading line goes with the last line below it. */
function withoutOne(brief: Brief): Brief {
  let most = Number.NEGATIVE_INFINITY;
  let worst = { section: 0, line: 0 };
  brief.sections.forEach(({ name, lines }, section) => {
    const [first, step] = SPARE[name];
    lines.forEach(({ spare, below }, line) => {
      // A heading line stays as long as any line below it.
      if (below === undefined && lines[line + 1]?.below === true) return;
      const spared = spare ?? first + line * step;
      if (spared >= most) {
        most = spared;
        worst = { section, line };
      }
    });
  });
  const sections = brief.sections.map((one, section) => {
    if (section !== worst.section) return one;
    const kept = one.lines.filter((_, line) => line !== worst.line);
    return {
      ...one,
      lines: kept.filter(
        (line, at) => line.below === true || !isHead(line, one) || kept[at + 1]?.below === true,
      ),
    };
  });
  return { ...brief, sections: sections.filter(({ lines }) => lines.length > 0) };
}

function isHead(line: BriefLine, { lines }: Section): boolean {
  return lines[lines.indexOf(line) + 1]?.below === true;
}

function shortened(brief: Brief, room: number): Brief {
  const sections = brief.sections.map((one) => {
    const [most, least] = one.chars;
    const chars = Math.round(least + room * (most - least));
    return { ...one, lines: one.lines.map((line) => shortenedLine(line, chars)) };
  });
  return { ...brief, sections };
}

/** Keeps the function that makes the text from the full one. An unchanged line keeps its identity, so its escaped text is reused. */
function shortenedLine(line: BriefLine, chars: number): BriefLine {
  const text = lineWithin(line, chars);
  if (text === line.text) return line;
  const voice = line.voiceOf?.(text) ?? line.voice;
  return { ...line, within: (charsMax) => lineWithin(line, charsMax), text, voice };
}

/** The text of a line within so many characters. */
export function lineWithin({ within, text }: BriefLine, charsMax: number): string {
  return within?.(charsMax) ?? clipSentence(text, charsMax);
}

/**
 * At most `charsMax` characters: whole sentences if they fill most of it, else cut at a clause or a word. A sentence whose
 * rest takes back what is before it is left out; if it is the first, its end is shown, or at least the word: "… but…". A
 * sentence that takes back the one before it is begun: "It is fast. However…".
 */
export function clipSentence(text: string, charsMax: number): string {
  const clipped = clippedWithTurn(text, charsMax);
  const [begun, word] = clipped.endsWith('…') ? [] : (TAKES_BACK.exec(text.slice(clipped.length)) ?? []);
  if (begun === undefined || charsMax < TURN_CHARS_MIN) return clipped;
  const longer = `${settled(cutBeforeName(text.slice(0, charsMax - 1).toWellFormed(), charsMax))}…`;
  const isLong = longer.length >= clipped.length + begun.length + TAKEN_BACK_CHARS_MIN;
  if (isLong && turnLost(text, longer) === null) return longer;
  const mark = ` ${word}…`;
  const head = clippedWithTurn(clipped, charsMax - mark.length);
  // Without its last sentence, the word would take back another one.
  return head === clipped || head.endsWith('…') ? `${head}${mark}` : head;
}

/** The first word of a sentence that takes back or limits the one before it. */
const TAKES_BACK =
  /^\s+(However(?=,)|But(?! (?:also|rather)\b)|That said(?=,)|Nevertheless|Aber|Allerdings|Jedoch|Mais|Cependant|Toutefois|Pero|Sin embargo)\b/;
/** With fewer characters of it, its first word says as much. */
const TAKEN_BACK_CHARS_MIN = 20;

function clippedWithTurn(text: string, charsMax: number): string {
  const clipped = clippedSentence(text, charsMax);
  const turn = turnLost(text, clipped);
  if (turn === null) return clipped;
  const sentence = endOf(sentenceEnds(text), text.slice(0, charsMax + 1));
  if (sentence > 0) return text.slice(0, sentence);
  return withTurn(text, turn, charsMax);
}

/** The beginning of a text, and the turn that was cut off: the whole clause, or its word. Room for it may cut off an earlier one. */
function withTurn(text: string, { word, clause }: Turn, charsMax: number): string {
  // A row may have cut its end already.
  const isShown = word !== '' && !clause.endsWith('…') && clause.length <= charsMax * TURN_SHARE;
  const mark = word === '' || charsMax < TURN_CHARS_MIN ? '' : ` ${word}…`;
  let earlier: Turn | null = null;
  for (const end of isShown ? [` ${clause}`, mark] : [mark]) {
    const head = clippedSentence(text, charsMax - end.length);
    earlier = turnLost(text, head);
    if (earlier === null || earlier.clause === clause) return `${head}${end}`;
  }
  return withTurn(text, earlier!, charsMax);
}

/** Whether a text cut to so many characters lacks the clause that takes back or limits what is shown. */
export function losesTurn(text: string, charsMax: number): boolean {
  return turnLost(text, clippedSentence(text, charsMax)) !== null;
}

function turnLost(text: string, clipped: string): Turn | null {
  return clipped.length < text.length && clipped.endsWith('…') ? turnAfter(text, clipped.length - 1) : null;
}

function clippedSentence(text: string, charsMax: number): string {
  // A row may have cut it already.
  if (text.length <= charsMax) return text.endsWith('…') ? `${settled(text.slice(0, -1))}…` : text;
  const cut = text.slice(0, charsMax - 1).toWellFormed();
  const sentence = endOf(sentenceEnds(text), text.slice(0, charsMax + 1));
  if (sentence >= charsMax * SENTENCES_SHARE) return text.slice(0, sentence);
  const clause = endOf(CLAUSE_ENDS, cut);
  if (clause >= charsMax * CLAUSES_SHARE) return `${cut.slice(0, clause)}…`;
  const words = cutBeforeName(cut, charsMax);
  if (POINTS_ON.test(text.slice(words.length))) {
    if (sentence >= charsMax * HALF) return text.slice(0, sentence);
    if (clause >= charsMax * HALF) return `${cut.slice(0, clause)}…`;
  }
  const rest = settled(words);
  return rest.endsWith('[…]') ? rest : `${rest}…`;
}

/** Without the words at its end that need the next one, unless that is most of it. */
function settled(words: string): string {
  const rest = words.replace(DANGLING, '');
  return (rest.length >= words.length * HALF ? rest : words).trimEnd();
}

const HALF = 0.5;
/** The end of a sentence may take so much of the room. */
const TURN_SHARE = 0.5;
/** In less room the word takes too much of it. */
const TURN_CHARS_MIN = 60;
/** What follows is the thing that was asked for: a path, a number, a reason. */
const POINTS_ON =
  /^\s*(?:["“`(]*(?:[\w@~.-]*\/|[\w-]+\.\w{1,5}\b|\w+[_(]|#?\d)|because\b|since\b|so that\b)/i;
/** Words that need the next one. */
const DANGLING =
  /(?:[\s,;:(+&=—–-]+(?:an?|the|of|in|on|at|to|from|with|for|by|as|and|or|but|because|since|so|that|which|who|where|when|if|is|are|was|were|not|no|its|their|our|your|my|his|this|these|into|via|than|we|you|they|I))*[\s,;:(+&=—–-]*$/;

/** A command in backticks, a path or a word that does not fit is left out as a whole, if enough comes before it. */
function cutBeforeName(cut: string, charsMax: number): string {
  const isOpen = cut.split('`').length % 2 === 0;
  const end = isOpen ? cut.lastIndexOf('`') : cut.lastIndexOf(' ');
  return end > charsMax * BEFORE_NAME_SHARE ? cut.slice(0, end) : cut;
}

const SENTENCES_SHARE = 0.72;
const BEFORE_NAME_SHARE = 0.25;
const CLAUSE_ENDS = /(?=\s[—–]\s|;\s|,\s(?:which|so|but|because|and|while|rather|instead)\b|\s\()/gu;
const CLAUSES_SHARE = 0.8;

/** Where the last match ends; -1 for none. */
function endOf(pattern: RegExp, text: string): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? -1 : last.index + last[0].length;
}

/** The turns that the lines are based on, each once. */
export function turnsOf(brief: Brief): TurnKey[] {
  const turns = new Map<string, TurnKey>();
  for (const { lines } of brief.sections)
    for (const { turn } of lines)
      if (turn !== null) turns.set(JSON.stringify([turn.agent, turn.session, turn.turn]), turn);
  return [...turns.values()];
}
