// What Gemini CLI and its forks share: the content parts of the Gemini API, and the text in which the shell tool
// reports a command. Samples of Gemini CLI 0.61.0 and Qwen Code 0.24.4; older versions of both wrote the longer form.
import type { Json, Usage } from '../../../log/index.ts';
import { type JsonObject, listOf, objectOf, stringOf, wholeOf } from './json-fields.ts';

/** The parts of a content: a text, one part or a list of both. */
export function partsOf(content: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(content) ? listOf(content) : content === undefined ? [] : [content];
  return list
    .map((part) => (typeof part === 'string' ? { text: part } : objectOf(part)))
    .filter((part) => part !== null);
}

/** The text parts, without thoughts. */
export function textsOf(parts: readonly JsonObject[]): readonly string[] {
  return parts.flatMap((part) => (part.thought === true ? [] : (stringOf(part.text) ?? [])));
}

/** Pictures, sounds and files. */
export function countMedia(parts: readonly JsonObject[]): number {
  return parts.filter((part) => objectOf(part.inlineData) !== null || objectOf(part.fileData) !== null)
    .length;
}

/** What a tool answered: `output`, or `error` when it failed. Null when the parts hold no answer to this call. */
export function responseText(parts: readonly JsonObject[], callId: string): string | null {
  const answers = parts.map((part) => objectOf(part.functionResponse));
  const response = objectOf(answers.find((answer) => answer?.id === callId)?.response);
  return stringOf(response?.output) ?? stringOf(response?.error);
}

/** Usage from the token counts of the Gemini API, where cached tokens are part of the prompt and thoughts are extra. */
export function usageOfCounts(counts: {
  readonly prompt: Json | undefined;
  readonly cached: Json | undefined;
  readonly output: Json | undefined;
  readonly thoughts: Json | undefined;
  readonly tool?: Json | undefined;
}): Usage {
  const count = (value: Json | undefined) => Math.max(0, wholeOf(value) ?? 0);
  const cached = count(counts.cached);
  return {
    input: Math.max(0, count(counts.prompt) - cached) + count(counts.tool),
    output: count(counts.output) + count(counts.thoughts),
    cacheRead: cached,
    cacheCreation: 0,
  };
}

/** Marks text from outside, such as a command's output, for the model. */
const UNTRUSTED = { start: '<untrusted_context>\n', end: '\n</untrusted_context>' };

export function withoutUntrustedMarks(text: string): string {
  const inner = text.trim();
  return inner.startsWith(UNTRUSTED.start) && inner.endsWith(UNTRUSTED.end)
    ? inner.slice(UNTRUSTED.start.length, -UNTRUSTED.end.length)
    : text;
}

export interface ShellReport {
  readonly outcome: 'ok' | 'failed' | 'cancelled';
  /** What the command printed; of a failed command, below `Exit code 1` or `Signal SIGTERM`. */
  readonly text: string;
}

/**
 * Reads the text of the shell tool:
 *
 *     Output: …
 *     Exit Code: 1                 only when it is not 0
 *     Process Group PGID: 7710
 *
 * Older versions put `Command:` and `Directory:` before it, and write all labels, with `(none)` for what there is not.
 * A failed command has the status `success` in the transcript, so this text alone tells.
 * @param shown what the person was shown; normally the output alone, so that output which ends like a label stays output
 */
export function shellReport(text: string, shown: Json | undefined): ShellReport {
  if (CANCELLED.test(text)) return { outcome: 'cancelled', text };
  if (TIMED_OUT.test(text)) return { outcome: 'failed', text };
  const start = outputStart(text);
  if (start === null) return { outcome: 'ok', text };
  const printed = stringOf(shown)?.trimEnd() ?? '';
  const labels = new Map<string, string>();
  let end = text.trimEnd().length;
  while (labels.size < LABELS_MAX && !(printed !== '' && text.slice(start, end).endsWith(printed))) {
    const line = text.lastIndexOf('\n', end - 1) + 1;
    const label = line > start ? LABEL.exec(text.slice(line, Math.min(end, line + LABEL_CHARS_MAX))) : null;
    if (label === null) break;
    labels.set(label[1]!, label[2]!);
    end = line - 1;
  }
  const output = withoutEmptyError(text.slice(start, end));
  const failure = failureOf(labels);
  if (failure === null) return { outcome: 'ok', text: output };
  return { outcome: 'failed', text: output === '' ? failure : `${failure}\n${output}` };
}

const CANCELLED = /^Command was cancelled by (?:the )?user before it could |^Command injection detected: /;
const TIMED_OUT =
  /^Command was automatically cancelled because it exceeded the timeout |^Command timed out after /;
const LABEL = /^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/s;
const LABELS_MAX = 4;
const LABEL_CHARS_MAX = 1_000;
const OUTPUT = /^(?:Output|Stdout): /;

/** Where the output begins; null when the text is not a report of the shell tool. */
function outputStart(text: string): number | null {
  if (OUTPUT.test(text.slice(0, 8))) return 8;
  if (!text.startsWith('Command: ')) return null;
  const directory = text.indexOf('\nDirectory: ');
  const output = directory < 0 ? -1 : text.indexOf('\n', directory + 1) + 1;
  return output > 0 && OUTPUT.test(text.slice(output, output + 8)) ? output + 8 : null;
}

function withoutEmptyError(output: string): string {
  const clean = output.replace(/\nError: \(none\)$/, '');
  return clean === '(empty)' ? '' : clean;
}

/** In Claude Code's words, so that projections know one form. Null for a command that did not fail. */
function failureOf(labels: ReadonlyMap<string, string>): string | null {
  const code = labels.get('Exit Code');
  if (code !== undefined && /^-?\d+$/.test(code) && code !== '0') return `Exit code ${code}`;
  const signal = labels.get('Signal');
  return signal === undefined || signal === '(none)' ? null : `Signal ${signal}`;
}
