// Lists what earlier turns left open: a step for later; at the end of a session also a question without an answer or an offer;
// and prompts that were never answered. It is left out if anything later is about the same: then it may be done.
import {
  dangles,
  isForPerson,
  leans,
  namesIn,
  type PromptLine,
  type Step,
  type SummaryLine,
  stepText,
} from '../../../projections/index.ts';
import { isOpen } from '../../overtaken/done-later.ts';
import { askedPart } from '../lines/asked-part.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence } from '../lines/brief-lines.ts';
import { sentencesIn } from '../lines/informative-text.ts';
import type { BriefMaterial, RecentPrompt } from '../lines/material.ts';
import { CUT, isWithoutOutcome, NO_ANSWER, NO_OUTCOME, STOPPED } from './last-session.ts';

const STEPS_MAX = 5;
const OF_ONE_SESSION_MAX = 2;
const UNANSWERED_MAX = 2;
/** Of so many sessions the turns before the last one are read too. */
const SESSIONS_READ = 10;
const REQUEST_CHARS_MAX = 50;
const PROMPT_CHARS_MAX = 240;
const TEXT_CHARS_MAX = 700;
/** With less room than this only the question is shown. */
const BEFORE_QUESTION_MIN = 40;
const BEFORE_POINTER_MAX = 3;
/** The next step of the moment, which the end of the session made pointless. */
const OF_THE_MOMENT = /\b(?:un)?committed\b|\bpushed\b|\bready (?:for|to)\b/i;
const OFFERED_NEXT = /^(?:now |also |go |move on|proceed|start|run|commit|implement|apply|do)/i;
const ASKED_NEXT = /^(?:which|what|shall|should we|do|does|is|are)\b/i;
/** Counts what only the answer lists. */
const POINTS_AT_LIST =
  /\b(?:two|three|four|five|a few|several|some|following) (?:\w+ )?(?:things|issues|gaps|points|problems|items|notes|ways|options|approaches|choices)\b/i;

/** @param material its rows are newest first */
export function leftOpenEarlier(material: BriefMaterial): BriefLine[] {
  const { summaries, unanswered } = material;
  const [newest] = summaries;
  const ofSession = new Map<string | null, number>();
  const sessions = new Set<string | null>([newest?.session ?? null]);
  const lines: BriefLine[] = [];
  for (const one of summaries.slice(1)) {
    const isEnd = !sessions.has(one.session);
    sessions.add(one.session);
    const count = ofSession.get(one.session) ?? 0;
    if (count === OF_ONE_SESSION_MAX || (!isEnd && sessions.size > SESSIONS_READ)) continue;
    const step = openStep(one, isEnd, material);
    const isCutOff =
      step === null &&
      isEnd &&
      (one.unfinished || one.end === 'stopped' || isWithoutOutcome(one, material.observations)) &&
      isOpen(one.request, one, material);
    if (step === null && !isCutOff) continue;
    ofSession.set(one.session, count + 1);
    const end = one.end === 'stopped' ? STOPPED : NO_OUTCOME;
    lines.push(step === null ? requestLine(one, one.request, end) : stepLine(one, step));
  }
  const open = unanswered.filter(({ prompt }) => isOpen(prompt.text, prompt, material));
  return [...lines.slice(0, STEPS_MAX), ...open.slice(0, UNANSWERED_MAX).map(promptLine)];
}

function openStep(one: SummaryLine, isEnd: boolean, material: BriefMaterial): Step | null {
  for (const step of one.nextSteps) {
    const { kind, text } = step;
    if (isOfTheMoment(step) || POINTS_AT_LIST.test(text)) continue;
    if (!isEnd && (isForPerson(step) || leans(text))) continue;
    const isLabelled = kind === 'offered' || kind === 'asked';
    const whole = !isLabelled && dangles(text) ? withSubject(text, one, material) : text;
    if (whole !== null && isOpen(whole, one, material)) return { kind, text: whole };
  }
  return null;
}

function isOfTheMoment({ kind, text }: Step): boolean {
  return (
    kind === 'announced' ||
    (kind === 'offered' && OFFERED_NEXT.test(text)) ||
    (kind === 'asked' && ASKED_NEXT.test(text)) ||
    OF_THE_MOMENT.test(text)
  );
}

/** With the sentences before it in its turn, from the one that names something; null if that is not known. */
function withSubject(step: string, { turn }: SummaryLine, { observations }: BriefMaterial): string | null {
  for (const row of observations) {
    if (row.turn !== turn) continue;
    const sentences = sentencesIn(row.narrative);
    const at = sentences.findIndex((sentence) => sentence.startsWith(step.replace(/…$/, '')));
    const before = sentences.slice(Math.max(0, at - BEFORE_POINTER_MAX), Math.max(0, at));
    const from = before.findLastIndex((sentence) => !leans(sentence) && namesIn(sentence).length > 0);
    if (from >= 0) return [...before.slice(from), step].join(' ');
  }
  return null;
}

function stepLine(row: SummaryLine, { kind, text: step }: Step): BriefLine {
  const head = `“${askedPart(row.request, REQUEST_CHARS_MAX)}” → ${stepText({ kind, text: '' })}`;
  const sentences = sentencesIn(step);
  // The question may have been cut.
  const at =
    kind === 'task'
      ? -1
      : sentences.findLastIndex((one, index) => /\?$/.test(one) || index === 0 || one.endsWith('…'));
  const within = (charsMax: number) => {
    const text = `${head}${sentences.join(' ')}`;
    if (text.length <= charsMax || at <= 0) return clipSentence(text, charsMax);
    const question = sentences.slice(at).join(' ');
    const room = charsMax - head.length - question.length - 1;
    return room < BEFORE_QUESTION_MIN
      ? clipSentence(`${head}${question}`, charsMax)
      : `${head}${clipSentence(sentences.slice(0, at).join(' '), room)} ${question}`;
  };
  return { ...briefLine(row, { text: within(TEXT_CHARS_MAX), voice: 'mixed' }), within };
}

function promptLine({ prompt, cut }: RecentPrompt): BriefLine {
  return requestLine(prompt, prompt.text, cut === null ? NO_ANSWER : CUT[cut][1]);
}

function requestLine(row: SummaryLine | PromptLine, request: string, end: string): BriefLine {
  const text = `“${askedPart(request, PROMPT_CHARS_MAX)}” → ${end}`;
  return { ...briefLine(row, { text, voice: 'mixed' }), within: () => text };
}
