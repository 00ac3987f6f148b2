// Lists what earlier sessions left open at their end: a question without an answer, an offer, a step for later. It is left out
// if anything later is about the same: then it may be done.
import type { ObservationLine, PromptLine, SummaryLine } from '../../../projections/index.ts';
import { longWordsOf } from '../../terminal-text/letters-and-words.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence } from '../lines/brief-lines.ts';
import type { BriefMaterial } from '../lines/material.ts';

const STEPS_MAX = 4;
const REQUEST_CHARS_MAX = 70;
const WORDS_MIN = 4;
/** A later text that shares so many of its words may have settled it. */
const SAME_SHARE = 0.4;
const KIND = /^(?:Offered|Open question): /;
/** The next step of the moment, which the end of the session made pointless. */
const OF_THE_MOMENT =
  /^(?:Announced last: |Offered: (?:now |also |go |move on|proceed|start|run|commit|implement|apply|do)|Open question: (?:which|what|shall|should we|do|does|is|are)\b)|\b(?:un)?committed\b|\bpushed\b|\bready (?:for|to)\b/i;

/** @param observations newest first, like `summaries` and `prompts` */
export function leftOpenEarlier({ summaries, observations, prompts }: BriefMaterial): BriefLine[] {
  const ends = new Map<string | null, SummaryLine>();
  for (const one of summaries) if (!ends.has(one.session)) ends.set(one.session, one);
  const [newest, ...earlier] = ends.values();
  if (newest === undefined) return [];
  const lines: BriefLine[] = [];
  for (const end of earlier) {
    const step = end.nextSteps.find(
      (text) => !OF_THE_MOMENT.test(text) && longWordsOf(text).length >= WORDS_MIN,
    );
    if (step === undefined || isSettled(step, laterTexts(end, observations, prompts))) continue;
    const text = `“${clipSentence(end.request, REQUEST_CHARS_MAX)}” → ${step}`;
    lines.push(briefLine(end, { text, voice: 'mixed' }));
  }
  return lines.slice(0, STEPS_MAX);
}

function laterTexts(
  end: SummaryLine,
  observations: readonly ObservationLine[],
  prompts: readonly PromptLine[],
): string[] {
  const isLater = ({ at, session }: { readonly at: number | null; readonly session: string | null }) =>
    session !== end.session && (at ?? 0) > (end.at ?? 0);
  return [
    ...prompts.filter(isLater).map(({ text }) => text),
    ...observations
      .filter(isLater)
      .map(({ title, narrative, commits }) =>
        [title, narrative, ...commits.map(({ subject }) => subject)].join(' '),
      ),
  ];
}

function isSettled(step: string, later: readonly string[]): boolean {
  const words = new Set(longWordsOf(step.replace(KIND, '')));
  return later.some((text) => {
    const known = new Set(longWordsOf(text));
    return [...words].filter((word) => known.has(word)).length >= SAME_SHARE * words.size;
  });
}
