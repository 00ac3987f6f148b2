// Finds keys without a header: the middle or the tail of a PEM file, as `tail` or a file viewer shows it, and the key
// of a PuTTY file. Lines of base64 with exactly PEM's length count as a key. A certificate shown from its middle is
// redacted too, which is no loss. A complete certificate or public key stays.
import { BASE64 } from './alphabets.ts';
import type { NonSecret, Secret } from './secret.ts';
import type { Source } from './text-source.ts';

/** PEM, OpenSSH, `base64`. */
const WIDTHS = [64, 70, 76];
const LINES_LEAST = 2;
const KEY_CHARS_MAX = 32_768;
const LINE_BREAK = /(?:\\{1,4}[nr]|["'+,]{1,3}|[ \t]{1,8}|\r|\n){1,12}/y;

interface Line {
  readonly start: number;
  readonly end: number;
}

/** Lines of base64. The first one ends with the line break at `at`. */
export function keyLinesAt(source: Source, at: number): Secret | null {
  const { text } = source;
  if (!mayEndKeyLine(text, at)) return null;
  const end = lineEndBefore(text, at);
  let start = end;
  while (start > end - 80 && isBase64(text, start - 1)) start--;
  source.steps += end - start;
  if (text[start - 1] === '\\' && /[nrt]/.test(text.charAt(start))) start++;
  if (text[start] === '+' && WIDTHS.includes(end - start - 1)) start++;
  if (!WIDTHS.includes(end - start) || !isKeyText(text.slice(start, end))) return null;
  const before = lineBefore(source, start);
  const isWholeLine = before !== null && start - before >= WIDTHS[0]!;
  const last = linesEnd(source, { start, end }, isWholeLine ? LINES_LEAST - 1 : LINES_LEAST);
  return last === null ? null : { start: before ?? start, end: last, kind: 'private-key' };
}

/**
 * Called for every line: whether the text before its end may be part of a key. The first samples rule out most lines.
 */
export function mayEndKeyLine(text: string, at: number): boolean {
  if (at < WIDTHS[0]!) return false;
  for (let before = MARKS_AFTER + 1; before <= WIDTHS[0]!; before += SAMPLE_DISTANCE)
    if (!isBase64(text, at - before)) return false;
  return true;
}

/** At most this many characters may follow a line's own text. */
const MARKS_AFTER = 6;
const SAMPLE_DISTANCE = 3;

function isBase64(text: string, at: number): boolean {
  return BASE64.has[text.charCodeAt(at) & 127] === 1;
}

/** Where the line's own text ends. A quote, a comma, a plus or a carriage return may follow. */
function lineEndBefore(text: string, at: number): number {
  let end = at;
  while (
    end > at - MARKS_AFTER &&
    (AFTER_TEXT.has(text.charCodeAt(end - 1)) || (text[end - 1] === '+' && text[end - 2] === ' '))
  )
    end--;
  return end;
}

const AFTER_TEXT = new Set([...' \r"\',\\'].map((after) => after.charCodeAt(0)));
const RUN_BEFORE = /[A-Za-z0-9+/]{16,80}(?:\\{1,4}[nr]|[\r\n]){1,2}$/;

/** Where the line before begins if it is only the end of a line, because the text was cut there. */
function lineBefore(source: Source, at: number): number | null {
  const match = RUN_BEFORE.exec(source.piece(at - 90, at));
  return match === null ? null : at - match[0].length;
}

/** Capitals, small letters and digits. */
function isKeyText(line: string): boolean {
  return /[a-z]/.test(line) && /[A-Z]/.test(line) && /\d/.test(line);
}

/** The lines before `-----END … PRIVATE KEY-----`, whose word END is at `at`. */
export function keyTailAt(source: Source, at: number): Secret | null {
  const { text } = source;
  if (!text.startsWith('-----', at - 5)) return null;
  FOOTER.lastIndex = at;
  if (!FOOTER.test(text)) return null;
  const before = TAIL.exec(source.piece(at - 5 - 600, at - 5));
  if (before === null) return null;
  return { start: at - 5 - before[0].length, end: FOOTER.lastIndex, kind: 'private-key' };
}

const FOOTER = /END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** The last lines. Only the very last may be short. */
const TAIL =
  /(?:[A-Za-z0-9+/]{40,80}(?:\\{1,4}[nr]|[\s"',])+[ \t]{0,8}(?:\d{1,6}[→|:\t])?){0,6}[A-Za-z0-9+/]{4,80}={0,2}(?:\\{1,4}[nr]|[\s"',])+(?:\d{1,6}[→|:\t])?$/;

/** `-----BEGIN CERTIFICATE-----` and similar, with all their lines: nothing to hide. */
export function publicBlockAt(source: Source, at: number): NonSecret | null {
  const { text } = source;
  if (!text.startsWith('-----', at - 5)) return null;
  PUBLIC.lastIndex = at;
  if (!PUBLIC.test(text)) return null;
  const line = nextLine(source, PUBLIC.lastIndex);
  const end = line === null ? null : linesEnd(source, line, 1);
  return end === null ? null : { end, kind: null };
}

const PUBLIC =
  /BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE|PUBLIC KEY|REQUEST|PARAMETERS|CRL|SIGNATURE)-----/y;

/** The key of a PuTTY file: as many lines as `Private-Lines: 14` says. */
export function puttyLinesAt(source: Source, at: number): Secret | null {
  PUTTY.lastIndex = at;
  const match = PUTTY.exec(source.text);
  if (match === null) return null;
  let line = nextLine(source, at + match[0].length);
  const start = line?.start ?? 0;
  let end: number | null = null;
  for (let left = Math.min(Number(match[1]), 500); line !== null && left > 0; left--) {
    end = line.end;
    line = nextLine(source, end);
  }
  return end === null ? null : { start, end, kind: 'private-key' };
}

const PUTTY = /Private-Lines: ?(\d{1,4})/y;

/** End of the last consecutive line, which may be shorter than the others. Null for fewer than `least` lines. */
function linesEnd(source: Source, first: Line, least = LINES_LEAST): number | null {
  let line: Line | null = first;
  let lines = 0;
  let { end } = first;
  const width = first.end - first.start;
  while (line !== null && line.end - line.start === width && end - first.start < KEY_CHARS_MAX) {
    lines++;
    end = line.end;
    line = nextLine(source, end);
  }
  if (lines < least) return null;
  if (line !== null && line.end - line.start < width && endsLine(source.text, line.end)) end = line.end;
  return withPadding(source.text, end);
}

function nextLine(source: Source, end: number): Line | null {
  LINE_BREAK.lastIndex = withPadding(source.text, end);
  source.steps += 32;
  return LINE_BREAK.test(source.text) ? lineAt(source, LINE_BREAK.lastIndex) : null;
}

function withPadding(text: string, end: number): number {
  if (text[end] !== '=') return end;
  return text[end + 1] === '=' ? end + 2 : end + 1;
}

/** The run of base64 on the line that begins at `at`, after a diff's mark, quotes and a viewer's line number. */
function lineAt(source: Source, at: number): Line | null {
  let start = undecorated(source.text, at);
  if (source.text[start] === '+' && mayBeFull(source.text, start + 1)) start++;
  const end = source.runEnd(BASE64, start);
  return end - start < 4 ? null : { start, end };
}

function undecorated(text: string, at: number): number {
  const marks = skipMarks(text, at);
  let digits = marks;
  while (digits - marks < 6 && text.charCodeAt(digits) >= 48 && text.charCodeAt(digits) <= 57) digits++;
  return digits > marks && NUMBER_ENDS.has(text.charCodeAt(digits)) ? skipMarks(text, digits + 1) : marks;
}

const NUMBER_ENDS = new Set([...'→|:\t'].map((end) => end.charCodeAt(0)));
const MARKS = new Set([...' \t>|"\'-'].map((mark) => mark.charCodeAt(0)));

function skipMarks(text: string, at: number): number {
  let end = at;
  while (end - at < 24 && MARKS.has(text.charCodeAt(end))) end++;
  return end;
}

function mayBeFull(text: string, from: number): boolean {
  for (const width of WIDTHS) if (endsLine(text, from + width)) return true;
  return false;
}

function endsLine(text: string, at: number): boolean {
  return at >= text.length || LINE_ENDS.has(text.charCodeAt(at));
}

const LINE_ENDS = new Set([...'\r\n\\"\',='].map((end) => end.charCodeAt(0)));
