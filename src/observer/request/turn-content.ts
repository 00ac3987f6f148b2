// The record of one turn, or of one part of a long turn, as a model reads it. Its length is bounded: what matters most is
// kept longest, and long texts keep head and tail.
import { shareBudget } from './share-budget.ts';
import { cut, OUTPUT_LABEL, type Step, stepTexts } from './step-texts.ts';

/** What is known of one part of a turn. All texts are as in the log: redacted, without private parts. */
export interface TurnMaterial {
  readonly project: string;
  /** Unix ms; null when unknown. */
  readonly at: number | null;
  /** Counted from 1. */
  readonly part: number;
  readonly parts: number;
  /** What started the turn; several when the person typed while the agent worked. */
  readonly requests: readonly Request[];
  /** Of observations of the same session so far, oldest first. */
  readonly titles: readonly string[];
  /** In order. */
  readonly steps: readonly Step[];
  /** Null when the turn has no end so far, or has one in a later part. */
  readonly answer: string | null;
}

export interface Request {
  readonly text: string;
  /** agent: a plan of the agent that the person accepted. */
  readonly by: 'person' | 'agent';
}

/**
 * Characters. At 2.5 characters a token, 16,000 tokens: far below the 100,000 above which a request costs five times as
 * much, and $0.0016 at $0.10 a million.
 */
export const CONTENT_CHARS_MAX = 40_000;
const REQUEST_CHARS_MAX = 6_000;
const ANSWER_CHARS_MAX = 8_000;
const TITLES_MAX = 30;
const TITLE_CHARS_MAX = 120;
/** A text that was cut to less says nothing. */
const TEXT_CHARS_MIN = 80;

export function turnContent(material: TurnMaterial): string {
  const { project, at, part, parts, titles, steps, answer } = material;
  const date = at === null ? [] : [`date="${new Date(at).toISOString().slice(0, 10)}"`];
  const head = [
    `<turn ${[`project="${inTag(project)}"`, ...date, ...(parts > 1 ? [`part="${part} of ${parts}"`] : [])].join(' ')}>`,
    ...requestsOf(material).map(
      ({ text, by }) => `<request${by === 'agent' ? ' kind="accepted plan"' : ''}>\n${text}\n</request>`,
    ),
    ...titlesOf(titles),
  ].join('\n');
  const end = [
    ...(answer === null || answer.trim() === ''
      ? []
      : [`<answer>\n${cut(answer, ANSWER_CHARS_MAX)}\n</answer>`]),
    '</turn>',
  ].join('\n');
  const room = CONTENT_CHARS_MAX - head.length - end.length - 2;
  return [head, ...stepsWithin(steps, room), end].join('\n');
}

function requestsOf({ requests }: TurnMaterial): Request[] {
  const shares = shareBudget(
    requests.map(({ text }) => ({ chars: text.length, weight: 1 })),
    REQUEST_CHARS_MAX,
  );
  return requests.map(({ text, by }, index) => ({ by, text: cut(text, shares[index]!) }));
}

function titlesOf(titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const shown = titles
    .slice(-TITLES_MAX)
    .map((title) => `- ${cut(title.replace(/\s+/g, ' '), TITLE_CHARS_MAX)}`);
  return [`<titles_so_far>\n${shown.join('\n')}\n</titles_so_far>`];
}

interface Framed {
  readonly step: Step;
  readonly before: string;
  readonly after: string;
}

/** Every step is named; its texts share what room there is. */
function stepsWithin(steps: readonly Step[], room: number): string[] {
  const shown = fittingSteps(steps.map(framed), room);
  const left = steps.length - shown.length;
  const note = left === 0 ? [] : [`(${left} steps in the middle are left out.)`];
  const outputs = new Set<string>();
  const texts = shown.map(({ step }) => stepTexts(step, outputs));
  const fixed = shown.reduce((sum, one) => sum + frameChars(one), 0) + note.join('').length;
  const shares = shareBudget(
    texts.flat().map(({ text, weight }) => ({ chars: text.length, weight })),
    room - fixed,
  );
  let at = 0;
  const lines = shown.map(({ before, after }, index) => {
    const parts = texts[index]!.flatMap(({ label, text }) => {
      const share = shares[at++]!;
      if (text === '' || (share < TEXT_CHARS_MIN && share < text.length)) return [];
      return [`${label}${cut(text, share)}`];
    });
    return [before, ...parts, after].filter((line) => line !== '').join('\n');
  });
  const half = Math.ceil(lines.length / 2);
  return [...lines.slice(0, half), ...note, ...lines.slice(half)];
}

/** The first and the last ones, as many as fit by their names alone. */
function fittingSteps(steps: readonly Framed[], room: number): readonly Framed[] {
  const shown = [...steps];
  let chars = shown.reduce((sum, one) => sum + frameChars(one), 0);
  while (chars > room / 2 && shown.length > 2) chars -= frameChars(shown.splice(shown.length >> 1, 1)[0]!);
  return shown;
}

function framed(step: Step): Framed {
  if (step.kind === 'reply') return { step, before: '<said>', after: '</said>' };
  const outcome = step.outcome === null ? '' : ` outcome="${step.outcome}"`;
  return { step, before: `<tool name="${inTag(step.name)}"${outcome}>`, after: '</tool>' };
}

/** With the label of an output, and the ends of lines. */
function frameChars({ before, after }: Framed): number {
  return before.length + after.length + OUTPUT_LABEL.length + 4;
}

export function inTag(text: string): string {
  return text
    .replace(/[<>"\s]+/g, ' ')
    .trim()
    .slice(0, 120);
}
