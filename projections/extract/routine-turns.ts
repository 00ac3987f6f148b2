// Detects routine turns, which make no observation: a greeting, a listing, a slash command, a question that was not
// answered, was answered without a lookup, or is quickly looked up again. A turn that changed files or saw which are changed,
// made a commit, fixed an error or in which the person answered a question is never routine.
import type { FinalAnswer } from './answer/final-answer.ts';
import { isDense, wordCount } from './text/sentences.ts';
import { givesReason } from './text/wording.ts';
import type { Request } from './turn-request.ts';

/** An answer with fewer words is routine when nothing changed. */
const WORDS_MIN = 40;
const WORDS_MIN_AFTER_WORK = 22;
const ANSWER_CHARS = 900;

/** An answer without tool uses and with this many words is an explanation, however it ends. */
const TALK_WORDS_MAX = 400;
/** A shorter explanation is not worth remembering. */
const EXPLANATION_CHARS_MIN = 300;
const LOOKUP_WORDS_MAX = 140;
const LOOKUP_USES_MAX = 4;
/** "Where is x?", "git status", "list the files": as quick to look up again as to remember. */
const LOOKUP =
  /^(?:where\b|what (?:is|are|does|do)\b|what['’]?s\b|which (?:file|function|package)\b|(?:git )?status\b|list\b|show\b|is\b|did\b|have you\b|start\b|run\b)/i;

export interface RoutineSources {
  readonly request: Request;
  readonly finalAnswer: FinalAnswer | null;
  /** Files, commits or other state changed, or it was seen which files are changed. */
  readonly changed: boolean;
  readonly fixedErrors: number;
  readonly uses: number;
  /** The person stated a rule or a correction. */
  readonly decided: () => boolean;
  /** The person chose an answer to a question of the agent, which decides something. */
  readonly answered: boolean;
  /** All prompts are slash commands. */
  readonly commandsOnly: boolean;
}

export function isRoutine({
  request,
  finalAnswer,
  changed,
  fixedErrors,
  uses,
  decided,
  answered,
  commandsOnly,
}: RoutineSources): boolean {
  if (changed || fixedErrors > 0 || answered) return false;
  if (finalAnswer === null || (commandsOnly && uses === 0)) return true;
  const text = [...finalAnswer.sentences, ...finalAnswer.items].join(' ');
  const words = isDense(text) ? Math.floor(text.length / 2) : wordCount(text);
  // A long answer may be mostly code, which does not count as words.
  if (
    finalAnswer.message.text.length < ANSWER_CHARS &&
    words < (uses >= 3 ? WORDS_MIN_AFTER_WORK : WORDS_MIN)
  )
    return true;
  const spoken = wordCount(finalAnswer.message.text);
  // An answer without tool uses repeats what was said before, unless it explains.
  if (uses === 0 && request.question && !decided() && !explains(finalAnswer, spoken)) return true;
  return LOOKUP.test(request.topic) && uses <= LOOKUP_USES_MAX && spoken < LOOKUP_WORDS_MAX;
}

/** Whether the answer gives reasons at some length and does not ask back. */
function explains({ message, sentences, questions }: FinalAnswer, spoken: number): boolean {
  if (spoken >= TALK_WORDS_MAX) return true;
  const asksBack = questions.length > 0 || message.text.trimEnd().endsWith('?');
  return (
    !asksBack && message.text.length >= EXPLANATION_CHARS_MIN && sentences.some((one) => givesReason(one))
  );
}
