// The answers that a person chose when the agent asked with a list of options. Such a decision is recorded nowhere else.
// The wording is mostly the agent's, the choice is the person's.
import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const QUESTION_CHARS_MAX = 160;
const ANSWER_CHARS_MAX = 130;
const ANSWERS_MAX = 4;
/** `"Which one?"="The first"`, the host's format of an answer. */
const PAIR = /(?<=^|[\s,.:])"((?:[^"\\]|\\.){6,600})"="((?:[^"\\]|\\.){1,600})"(?=[\s,.]|$)/g;
/** Mere consent: decides nothing. */
const CONSENT =
  /^(?:(?:yes|no|ok(?:ay)?|sure|continue|proceed|go ahead|looks good|please|do it|done|ready|\(recommended\)|ja|nein|gerne|bitte|weiter|oui|non|d['’]accord|s[ií]|vale|claro|[是对對好不]的?|可以|はい|いいえ)[\s,.!，。！]*)+$/i;

/** Asks for permission. */
const ASKS_LEAVE = /\b(?:can|may|shall|should|could) I\b|\b(?:want|like) me to\b/i;

/** Decisions such as "The person: Which one? Chosen: The first", one per question by its last answer, and their events. */
export function answersIn(toolUses: readonly ToolUse[]): {
  readonly decisions: string[];
  readonly questions: string[];
  readonly events: string[];
} {
  const chosen = new Map<string, string>();
  const events: string[] = [];
  for (const toolUse of toolUses) {
    if (toolUse.name !== 'AskUserQuestion' || toolUse.outcome !== 'ok') continue;
    for (const [, question = '', answer = ''] of toolUse.tail.matchAll(PAIR))
      if (!CONSENT.test(answer) && !(ASKS_LEAVE.test(question) && /^yes\b/i.test(answer)))
        chosen.set(oneLine(question, Number.POSITIVE_INFINITY), oneLine(answer, ANSWER_CHARS_MAX));
    events.push(...toolUse.events);
  }
  const decisions = [...chosen].map(
    ([question, answer]) => `The person: ${asked(question)} Chosen: ${answer}`,
  );
  return { decisions: decisions.slice(0, ANSWERS_MAX), questions: [...chosen.keys()], events };
}

/** Whether a question asks about all that a sentence names, so that its answer decided and not the sentence. */
export function isAnswered(sentence: string, questions: readonly string[]): boolean {
  const named = wordsOf(sentence).filter((word) => !NAMES_NOTHING.test(word));
  return (
    named.length > 0 && questions.some((question) => named.every((word) => wordsOf(question).includes(word)))
  );
}

const NAMES_NOTHING =
  /^(?:[\p{L}\d]{1,3}|want|need|like|think|have|with|that|this|please|really|should|would|could)$/u;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

/** The order of the last question that the person answered; empty when there is none. */
export function lastAnswered(toolUses: readonly ToolUse[]): string {
  return (
    toolUses.findLast(({ name, outcome }) => name === 'AskUserQuestion' && outcome === 'ok')?.order ?? ''
  );
}

/** Questions of the agent that the person never answered. */
export function unanswered(toolUses: readonly ToolUse[]): string[] {
  return toolUses.flatMap(({ name, input, outcome }) => {
    if (outcome !== null) return [];
    if (name === 'AskUserQuestion')
      return String(input.questions ?? '')
        .split('\n')
        .filter(Boolean);
    if (name !== 'ExitPlanMode') return [];
    const heading = /^#{1,3}\s+(.+)$/m.exec(String(input.plan ?? ''))?.[1];
    return [heading === undefined ? 'Is the plan accepted?' : `Is the plan accepted: ${heading}?`];
  });
}

/** The beginning of a long question, and the sentence that asks. */
function asked(question: string): string {
  if (question.length <= QUESTION_CHARS_MAX) return question;
  const asks = sentencesOf(question).filter((sentence) => ASKS.test(sentence));
  const last = asks.findLast((sentence) => !ASKS_OPINION.test(sentence)) ?? '';
  const room = QUESTION_CHARS_MAX - last.length - 1;
  if (last === '' || question.startsWith(last)) return cutAtWord(question, QUESTION_CHARS_MAX);
  return room < HEAD_CHARS_MIN ? cutAtWord(last, QUESTION_CHARS_MAX) : `${cutAtWord(question, room)} ${last}`;
}

const HEAD_CHARS_MIN = 40;
const ASKS = /[?？]["'”’)）]*$/;
const ASKS_OPINION =
  /^(?:what do you think|right|ok(?:ay)?|agreed|(?:does that )?sounds? good)\b[^?]{0,20}\?/i;

function oneLine(text: string, charsMax: number): string {
  return cutAtWord(text.replace(/\\(.)/g, '$1').replace(/\s+/g, ' ').trim(), charsMax);
}
