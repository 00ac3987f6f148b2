// Extracts the request of a turn: the person's own words without pasted code, terminal output and courtesy.
import { plainMarkdown } from './text/markdown.ts';
import { capital, cutAtWord, isDense, sentencesOf, wordCount } from './text/sentences.ts';

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

const REQUEST_CHARS_MAX = 450;
const PROMPT_CHARS_READ = 3_000;

const COURTESY =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|yes|no|yeah|ah|right|so|and|but|well|great|cool|perfect|thanks|thank you|alright|also|now|then|one follow up|follow up|question|quick question|next)\b[\s,:;.!—–-]*|(?:can|could|would|will) (?:you|we)(?: please| maybe| also)?\s+|please\s+|(?:i(?:'|’)?d|i would) (?:like|want|love)(?: you| us)? to\s+|i (?:want|need)(?: you| us)? to\s+|(?:let(?:'|’)?s|lets)\s+|(?:do me|give me)\s+|i think (?:we should |you should )?|maybe |it would be (?:nice|good|great) (?:to|if) )+/i;
/** A sentence that states what is wanted, as opposed to why. */
const ASKING =
  /^(?:(?:and|but|so|ok(?:ay)?|yes|no|also|then|now|question)\b[\s,:;]*)?(?:can|could|would|will) (?:you|we)\b|\bplease\b|^(?:i(?:'|’)?d|i would) (?:like|want|love)\b|^i (?:want|need)\b|^(?:let(?:'|’)?s|lets)\b/i;
/** A request in the form of a question. */
const ASKS_YOU = /\b(?:can|could|would|will) (?:you|we)\b/i;
const QUESTION =
  /\?\s*$|^(?:what|why|how|where|when|which|who|is|are|do|does|did|should|would|can it|isn(?:'|’)?t|doesn(?:'|’)?t|aren(?:'|’)?t|has|have|was|were)\b/i;
const ASKS_TO_CHANGE =
  /\b(?:fix|add|change|update|remove|delete|create|write|implement|rename|move|refactor|rewrite|convert|make(?! sense)|build|drop|upgrade|bump|commit|push|merge|replace|revert|clean ?up|install|continue|work on|set ?up|migrate)\b/i;
const GO_ON =
  /^(?:go ahead|continue|do (?:it|that|this|option)|proceed|start(?: with)?|pick up|carry on|keep going|option|ignore this)\b/i;
const SEVERITY = /^(?:low|medium|high|critical) severity$/i;

export function requestOf(prompts: readonly string[]): Request {
  const lines = prompts.flatMap((prompt) => humanLines(prompt.slice(0, PROMPT_CHARS_READ)));
  const sentences = lines.flatMap(sentencesOf);
  const words = cutAtWord(sentences.join(' '), REQUEST_CHARS_MAX);
  const asking = sentences.filter((sentence) => !isCourtesyOnly(sentence));
  const asks =
    asking.find((one) => ASKING.test(one) && isLong(one.replace(COURTESY, ''))) ?? asking.find(isLong);
  const topic = asks === undefined ? '' : topicOf(asks);
  const joined = sentences.join(' ');
  return {
    words,
    sentences,
    topic,
    vague:
      topic === '' ||
      (GO_ON.test(topic) && wordCount(topic) <= 10) ||
      (!isDense(topic) &&
        wordCount(
          topic.replace(
            /\b(?:it|this|that|them|these|those|the|do|all|are|is|in|a|an|to|of|one|option|your|you|i|we|me|good|for)\b/gi,
            '',
          ),
        ) < 3),
    question: QUESTION.test(asks ?? joined) && !ASKS_TO_CHANGE.test(asks ?? joined),
  };
}

/** Prefixes the request with a custom slash command that has arguments: "/ship the reader". */
export function withCommand(prompt: string, words: string): string {
  const name = /^\s*(\/[\w:-]+)(?=\s+\S)/.exec(prompt)?.[1];
  return name === undefined ? words : `${name} ${words}`;
}

/** Lines that a person typed: no code, diff or terminal output. */
function humanLines(prompt: string): string[] {
  const withoutCode = prompt
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    // A pasted image.
    .replace(/\[Image #\d+\]/g, '')
    // The name of a slash command is not part of the request.
    .replace(/^\s*\/[\w:-]+(?=\s+\S)/, '');
  const lines = withoutCode.split('\n').map((line) => line.trimEnd());
  const kept = lines
    .filter(isHuman)
    .map(plainMarkdown)
    .filter((line) => line !== '' && !SEVERITY.test(line));
  return kept.length > 0
    ? kept
    : lines
        .map(plainMarkdown)
        .filter((line) => line !== '')
        .slice(0, 1);
}

function isHuman(line: string): boolean {
  const text = line.trim();
  if (text === '' || /^(?:[+={}<>$|/\\;#]|-{2,}|[-+]\s{2,}|\d+[:|]\s|at\s+\S+\s*\()/.test(text)) return false;
  if (
    /[{;]$|:=|=>|\(\);|^\s*(?:func|const|let|var|import|return|if \(|for |type |class |def )\b.*[({]$/.test(
      text,
    )
  )
    return false;
  if (
    /^(?:Error|Traceback|Exception|fatal|warning|panic|go:|npm |Building|Built|Found|Looking for|Initialized|Switched to|Created|Added to|Operation stopped|unknown command|Keeping|\d+ files? changed|create mode|\[[\w ,/:-]+\])/i.test(
      text,
    ) &&
    !text.endsWith('?')
  )
    return false;
  if (/^"?\w+"?\s*:\s*["\d[{]/.test(text)) return false;
  const letters = text.match(/[\p{L}\s,.'’?!]/gu)?.length ?? 0;
  return letters / text.length > 0.78 || (letters / text.length > 0.6 && wordCount(text) >= 6);
}

function topicOf(sentence: string): string {
  return capital(
    sentence
      .replace(COURTESY, '')
      .replace(/,?\s*(?:please|thanks|right)?\s*[?.!:]*$/i, (end) =>
        /\?/.test(end) && !ASKS_YOU.test(sentence) ? '?' : '',
      )
      .replace(/^to (?=\p{Ll})/u, '')
      // The text after a dash explains; the core is before it.
      .replace(/^((?:\S+\s+){3,}\S+)\s[-–—]\s.*$/, '$1')
      .trim(),
  );
}

function isCourtesyOnly(sentence: string): boolean {
  return sentence.replace(COURTESY, '').replace(/[\s.,!?]/g, '') === '';
}

function isLong(sentence: string): boolean {
  return wordCount(sentence) >= 3 || (isDense(sentence) && sentence.length >= 5);
}
