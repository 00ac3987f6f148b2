// What a tool of Codex printed. The output that the model sees begins with lines about the run: how long it took, how the
// process ended, or that it still runs.
import { parseJson } from '../../../log/index.ts';
import { type JsonObject, listOf, objectOf, stringOf, wholeOf } from '../common/json-fields.ts';
import type { ResultRecord } from '../common/records.ts';

export interface Output {
  readonly text: string;
  /** Null when it does not say. */
  readonly outcome: ResultRecord['outcome'] | null;
  readonly exitCode: number | null;
  readonly durationMs: number | null;
  /** Id of the process, or of the script's cell, that still runs. */
  readonly process: string | null;
}

/** @param value a text, or a list of `input_text` parts */
export function outputOf(value: JsonObject[string] | undefined): Output {
  const whole = typeof value === 'string' ? value : partsText(value);
  if (CANCELLED.test(whole)) return { ...NOTHING_SAID, text: whole, outcome: 'cancelled' };
  return fromJson(whole) ?? fromLines(whole);
}

/** The text of the parts of a message or of an output. */
export function partsText(value: JsonObject[string] | undefined): string {
  return listOf(value)
    .flatMap((part) => stringOf(objectOf(part)?.text) ?? [])
    .join('\n');
}

/** A command that failed says so in its first line, as our rules know it from other agents. */
export function withExitCode(text: string, exitCode: number | null): string {
  return exitCode === null || exitCode === 0 ? text : `Exit code ${exitCode}\n${text}`;
}

const NOTHING_SAID = { outcome: null, exitCode: null, durationMs: null, process: null };

/** `{"output": …, "metadata": {"exit_code", "duration_seconds"}}`, until the end of 2025. */
function fromJson(whole: string): Output | null {
  if (!whole.startsWith('{"output":')) return null;
  const parsed = parseJson(whole);
  const object = 'value' in parsed ? objectOf(parsed.value as JsonObject) : null;
  const text = stringOf(object?.output);
  const metadata = objectOf(object?.metadata);
  if (text === null || metadata === null) return null;
  const exitCode = wholeOf(metadata.exit_code);
  const seconds = metadata.duration_seconds;
  return {
    text,
    outcome: exitCode === null ? null : byExitCode(exitCode),
    exitCode,
    durationMs: typeof seconds === 'number' ? wholeOf(seconds * 1_000) : null,
    process: null,
  };
}

function fromLines(whole: string): Output {
  const head = HEAD.exec(whole)?.[0] ?? '';
  const text = whole.slice(head.length);
  if (head === '') return { ...NOTHING_SAID, text, outcome: FAILED.test(whole) ? 'failed' : null };
  const code = /^(?:Process exited with code|Exit code:) (-?\d{1,9})$/m.exec(head)?.[1];
  const seconds = /^Wall time:? (\d{1,9}(?:\.\d{1,9})?) seconds$/m.exec(head)?.[1];
  const process = /^(?:Process running with session|Script running with cell) ID (\S{1,128})$/m.exec(
    head,
  )?.[1];
  const exitCode = code === undefined ? null : Number(code);
  const failed = /^Script failed$/m.test(head);
  return {
    text,
    outcome: exitCode !== null ? byExitCode(exitCode) : failed ? 'failed' : null,
    exitCode,
    durationMs: seconds === undefined ? null : wholeOf(Number(seconds) * 1_000),
    process: process ?? null,
  };
}

function byExitCode(code: number): 'ok' | 'failed' {
  return code === 0 ? 'ok' : 'failed';
}

/** The lines before the output. */
const HEAD =
  /^(?:(?:Chunk ID|Wall time|Original token count|Total output lines|Process exited with code|Process running with session ID|Exit code|Script (?:completed|failed|terminated)|Script running with cell ID)\b[^\n]{0,200}\n)+(?:Final )?[Oo]utput:(?:\n|$)/;
/** A person or a rule refused, or somebody interrupted. */
const CANCELLED =
  /^(?:Wall time[^\n]{0,80}\n)?aborted by user|^(?:exec command|patch|command|tool call) rejected(?: by user|:.{0,40}\buser\b)|^user (?:rejected|cancelled) |Rejected\("[^"\n]{0,200}"\)/;
/** Answers of the program to a call that it could not carry out. */
const FAILED =
  /^(?:apply_patch verification failed|patch rejected|failed to parse|unsupported (?:call|custom tool call|tool)|exec_command failed|write_stdin failed|execution error|tool call error|invalid patch|sandbox error|Script error)\b/;
