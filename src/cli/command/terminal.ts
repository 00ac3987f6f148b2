// The output of a command: results go to stdout, everything else to stderr. Callers pass text from the log through
// `plainText` or `plainLine` first; this module only adds colour and knows the width.
import picocolors from 'picocolors';
import { wrap } from '../../terminal-text/plain-text.ts';
import type { World } from './world.ts';

/** Beside other columns a text with less room is unreadable; it goes below them. */
export const TEXT_CELLS_MIN = 28;

export type Style = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Width of stdout in cells: the terminal's, at least 40; 100 without a terminal. */
  readonly width: number;
  readonly color: boolean;
  readonly isJson: boolean;
  readonly style: Style;
  /** The lines that a text takes in the terminal beside `used` cells. Without a terminal it stays one line. */
  wrapped(text: string, used: number): readonly string[];
  /** Prints one or more lines of the result. Resolves when the reader can take more. */
  line(text?: string): Promise<void>;
  /** Prints one line of JSON on stdout. Escapes all control characters, also those that JSON allows. */
  json(value: unknown): Promise<void>;
  /** Prints one line on stderr. */
  note(text: string): void;
  /** Prints a note only when stderr is a terminal and the output is not JSON. */
  tip(text: string): void;
  /** Rewrites the last line of the terminal; `null` clears it. Only when `interactive`. */
  rewrite(text: string | null): void;
  /** Whether stderr is a terminal that can rewrite a line. */
  readonly interactive: boolean;
}

export function createTerminal(world: World, { color, json }: { color: boolean; json: boolean }): Terminal {
  const { stdout, stderr, environment } = world;
  const colored = color && wantsColor(environment, stdout.isTerminal) && !json;
  const interactive = stderr.isTerminal && environment.TERM !== 'dumb';
  const width = Math.max(40, stdout.columns ?? (Number(environment.COLUMNS) || 100));
  return {
    width,
    color: colored,
    isJson: json,
    interactive,
    style: picocolors.createColors(colored),
    wrapped: (text, used) => (stdout.isTerminal ? wrap(text, width - used) : [text]),
    line: (text = '') => stdout.write(`${text}\n`),
    json: (value) => stdout.write(`${escapeJson(JSON.stringify(value))}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    tip: (text) => {
      // The marks of a style count too: a line may end a little early.
      const lines = wrap(text, Math.max(40, stderr.columns ?? 100)).join('\n');
      if (interactive && !json) void stderr.write(`${lines}\n`);
    },
    rewrite: (text) => void stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${text}`),
  };
}

/** FORCE_COLOR wins over NO_COLOR, as in Node. Without either, only a terminal gets colour. */
function wantsColor(environment: World['environment'], isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return isTerminal && TERM !== 'dumb';
}

function escapeJson(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
