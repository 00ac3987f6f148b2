// Extracts the request of a turn: the person's own words without pasted code, terminal output and courtesy.
import { plainMarkdown } from './text/markdown.ts';
import { capital, cutAtWord, isDense, sentencesOf, wordCount } from './text/sentences.ts';
import { asksToChange, isOrder, opensBlock } from './text/wording.ts';

export interface Request {
  /** One line, at most 450 characters. */
  readonly words: string;
  /** The sentence with the request, in the form of a title. */
  readonly topic: string;
  /** "yes, do that": says nothing without its context. */
  readonly vague: boolean;
  /** All sentences, without code and output. */
  readonly sentences: readonly string[];
  /** It asks for information, not for a change. */
  readonly question: boolean;
}

/** Shown for a prompt that holds nothing but pasted output. */
const ONLY_PASTED = '(pasted output)';
const REQUEST_CHARS_MAX = 450;
/** A longer prompt is mostly pasted. */
const PROMPT_CHARS_READ = 12_000;

const COURTESY =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|yes|no|yeah|ah|right|so|and|but|well|great|cool|perfect|thanks|thank you|also|now|then|(?:quick )?question)\b[\s,:;.!—–-]*|(?:can|could|would|will) (?:you|we)(?! not\b)(?: please| also)?\s+|please\s+|(?:do|give) me\s+|i(?:['’]?d| would) (?:like|want|love)(?: you| us)? to\s+|i (?:want|need)(?: you| us)? to\s+|let['’]?s\s+|i think (?:we should |you should )?|maybe )+/i;
/** A sentence that states what is wanted, as opposed to why. */
const ASKS_YOU =
  /\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|^i (?:want|need|would like)\b|^let['’]?s\b/i;
/** "Can we not …?" wants it, and says the opposite without its beginning. */
const NEGATIVE = /\b(?:can|could|would|will) (?:you|we) not\b/i;
const QUESTION =
  /\?\s*$|^(?:what|why|how|where|when|which|who|is|are|do|does|did|should|has|have|was|were)\b/i;
const GO_ON =
  /^(?:go ahead|continue|do (?:it|that|this|option)|proceed|start|pick up|carry on|keep going|option|ignore this)\b/i;
const GO_ON_WORDS_MAX = 10;
/** An order is among the first sentences; later ones may be pasted. */
const ORDER_AMONG = 3;
/** A topic with fewer words that name something says nothing without its context. */
const NAMING_WORDS_MIN = 3;
const EMPTY_WORDS =
  /\b(?:it|this|that|them|these|those|the|do|all|are|is|in|an?|to|of|one|your|you|i|we|me|good|for)\b/gi;

export function requestOf(prompts: readonly string[]): Request {
  const lines = prompts.flatMap((prompt) => humanLines(readOf(prompt)));
  const sentences = lines.flatMap((line) => (line === GAP ? [] : sentencesOf(line)));
  const isPasted = sentences.length === 0 && lines.length > 0;
  const words = isPasted ? ONLY_PASTED : cutAtWord(wordsOf(lines), REQUEST_CHARS_MAX);
  const asking = sentences.filter((sentence) => !isCourtesyOnly(sentence));
  const asks =
    asking.find((one) => ASKS_YOU.test(one) && isLong(one.replace(COURTESY, ''))) ??
    asking.slice(0, ORDER_AMONG).find((one) => isLong(one) && isOrder(topicOf(one))) ??
    asking.find(isLong);
  const topic = asks === undefined ? '' : topicOf(asks);
  const joined = sentences.join(' ');
  return {
    words,
    sentences,
    topic,
    vague:
      topic === '' ||
      (GO_ON.test(topic) && wordCount(topic) <= GO_ON_WORDS_MAX) ||
      (!isDense(topic) && wordCount(topic.replace(EMPTY_WORDS, '')) < NAMING_WORDS_MIN),
    question: QUESTION.test(asks ?? joined) && !asksToChange(asks ?? joined),
  };
}

/** With a mark where something between the words is left out, and after a colon. */
function wordsOf(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== GAP);
  const last = lines.findLastIndex((line) => line !== GAP);
  const said = lines.slice(Math.max(0, first), last + 1 + (opensBlock(lines[last] ?? '') ? 1 : 0));
  return said.map((line) => (line === GAP ? '…' : sentencesOf(line).join(' '))).join(' ');
}

/** What is read of a prompt: whole lines. */
function readOf(prompt: string): string {
  if (prompt.length <= PROMPT_CHARS_READ) return prompt;
  const head = prompt.slice(0, PROMPT_CHARS_READ);
  return head.slice(0, head.lastIndexOf('\n') + 1) || head.toWellFormed();
}

/** Prefixes the request with a custom slash command that has arguments: "/ship the reader". */
export function withCommand(prompt: string, words: string): string {
  const name = /^\s*(\/[\w:-]+)(?=\s+\S)/.exec(prompt)?.[1];
  return name === undefined ? words : `${name} ${words}`;
}

/** Marks lines that were left out. */
const GAP = '\u0000';

/** Lines that a person typed: no code, diff or terminal output. */
function humanLines(prompt: string): string[] {
  const all = prompt
    .replaceAll(GAP, '')
    .replace(/```[\s\S]*?(?:```|$)/g, `\n${GAP}\n`)
    .replace(/\[Image #\d+\]/g, '\n')
    // The name of a slash command is not part of the request.
    .replace(/^\s*\/[\w:-]+(?=\s+\S)/, '')
    .split('\n');
  // What is indented below a pasted line, or a list directly below a program's message, was pasted with it.
  let isPasted = false;
  let isPrinted = false;
  const read = all.map((line, at) => {
    if (line.trim() === '' || line === GAP) return line.trim();
    const isBelow = INDENTED.test(line) || (isPrinted && ITEM.test(line) && all[at - 1]!.trim() !== '');
    isPasted = PASTED.test(line.trim()) || (isPasted && isBelow);
    isPrinted = PRINTED.test(line.trim()) || (isPrinted && isBelow);
    return !isPasted && isHuman(line.trim()) ? line : GAP;
  });
  const lines = all.filter((line) => line.trim() !== '');
  // A line alone was typed, whatever it looks like.
  return (lines.length > 1 ? read : lines)
    .map((line) => plainMarkdown(line.trim()))
    .filter((line) => line !== '')
    .filter((line, index, some) => line !== GAP || some[index - 1] !== GAP);
}

/** Code, a diff, or what a program printed. */
const PASTED =
  /^(?:[+={}<>$|/\\;#✓✔✗✘✖❯➜]|-{2,}|[-+]\s{2,}|\d+[:|]\s|at\s+\S+\s*\(|"?\w+"?\s*:\s*["\d[{]|(?:Error|Traceback|Exception|fatal|warning|hint|panic|npm|Buil[dt]\w*|Found|Looking for|Initialized|Switched to|Created|Added to|Keeping|unknown command|\d+ files? changed|create mode)\b(?!.*\?$)|go: |Did you mean (?:this|one of these)\?$|\[[\w ,/:()-]+\])|[{;]$|, skipping\.?$|:=|=>|\(\);/i;
const INDENTED = /^(?:\t| {4})/;
const ITEM = /^\s*[-*•] /;
/** A list below it says what the program advises. */
const PRINTED = /^(?:error|fatal|hint|warning|panic):/i;
/** A text of many words may contain more signs and digits. */
const LETTERS_MIN = 0.78;
const LETTERS_OF_MANY_WORDS_MIN = 0.6;
const MANY_WORDS = 6;

function isHuman(line: string): boolean {
  const letters = lettersIn(line);
  const least = wordCount(line) >= MANY_WORDS ? LETTERS_OF_MANY_WORDS_MIN : LETTERS_MIN;
  return !PASTED.test(line) && letters / line.length > least;
}

/** Letters, spaces and signs of prose, counted as code points. */
function lettersIn(line: string): number {
  let count = 0;
  for (const [run] of line.matchAll(/[\p{L}\s,.'’?!]+/gu))
    count += /[\ud800-\udbff]/.test(run) ? [...run].length : run.length;
  return count;
}

/** The core of a sentence of a person, in the form of a title. */
export function topicOf(sentence: string): string {
  const isQuestion =
    sentence.trimEnd().endsWith('?') && (!ASKS_YOU.test(sentence) || NEGATIVE.test(sentence));
  const core = sentence
    .replace(COURTESY, '')
    .replace(/,?\s*(?:please|thanks|right)?\s*[?.!:]*$/i, isQuestion ? '?' : '');
  // The text after a dash explains; the core is before it.
  const [first = ''] = core.split(/\s[-–—]\s/, 1);
  return capital(wordCount(first) > 3 ? first : core);
}

function isCourtesyOnly(sentence: string): boolean {
  return wordCount(sentence.replace(COURTESY, '')) === 0 && !isDense(sentence);
}

function isLong(sentence: string): boolean {
  return wordCount(sentence) >= 3 || (isDense(sentence) && sentence.length >= 5);
}
