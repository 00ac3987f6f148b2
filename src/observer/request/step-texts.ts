// The texts of one step as a model reads them: without line numbers and progress bars, head and tail of long ones. What a
// failure says is kept longest; a file that was read, or written as the input says, is worth less.
import { toolKind, writesFiles } from '../../../projections/index.ts';
import { redactText } from '../../capture/redact/index.ts';
import { clip } from '../../capture/text/clip.ts';

export type Step =
  | { readonly kind: 'reply'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly input: string;
      readonly output: string;
      readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
    };

export interface StepText {
  /** Before the text, on its first line. */
  readonly label: string;
  readonly text: string;
  /** See `shareBudget`. */
  readonly weight: number;
}

export const OUTPUT_LABEL = 'output: ';
const REPLY_CHARS_MAX = 4_000;
const INPUT_CHARS_MAX = 2_000;
const OUTPUT_CHARS_MAX = 4_000;
/** Of a tool that succeeded: a file or a list of places, and a confirmation. */
const READ_CHARS_MAX = 1_500;
const WRITTEN_CHARS_MAX = 200;
/** A shorter text is repeated. */
const REPEATED_CHARS_MIN = 80;

/** @param before outputs of earlier steps; those of this step are added */
export function stepTexts(step: Step, before: Set<string>): readonly StepText[] {
  if (step.kind === 'reply') return [{ label: '', text: cut(step.text, REPLY_CHARS_MAX), weight: 2 }];
  const { name, input, outcome } = step;
  const output = plainOutput(step.output);
  const isRepeated = output.length >= REPEATED_CHARS_MIN && before.has(output);
  before.add(output);
  return [
    { label: '', text: cut(input, INPUT_CHARS_MAX), weight: 2 },
    {
      label: OUTPUT_LABEL,
      text: isRepeated ? '(as before)' : cut(output, outputCharsMax(name, outcome)),
      weight: outcome === 'failed' ? 3 : 1,
    },
  ];
}

function outputCharsMax(name: string, outcome: string | null): number {
  if (outcome !== 'ok') return OUTPUT_CHARS_MAX;
  if (writesFiles(name)) return WRITTEN_CHARS_MAX;
  const kind = toolKind(name);
  return kind === 'read' || kind === 'search' ? READ_CHARS_MAX : OUTPUT_CHARS_MAX;
}

/** What a terminal overwrites: the line before a return that is no line end. */
const OVERWRITTEN = /^.*\r(?!\n|$)/gm;
const LINE_NUMBER = /^ *\d+→/gm;

/** Redacted again: what is taken out may have hidden a secret from the first time. */
function plainOutput(output: string): string {
  const plain = output.replace(OVERWRITTEN, '').replace(LINE_NUMBER, '');
  return (plain === output ? plain : redactText(plain)).trim();
}

/** At most so many characters, head and tail, and no tag of ours. */
export function cut(text: string, chars: number): string {
  const whole = text
    .trim()
    .toWellFormed()
    .replace(/<(\/?)(turn|request|titles_so_far|said|tool|answer)\b/gi, '‹$1$2');
  return whole.length <= chars ? whole : clip(whole, chars).slice(0, chars).toWellFormed();
}
