// Everything a command prints goes through here: results to stdout, all else to stderr. Text that comes from
// the log passes `plain` first; this module only adds colour and knows the width.
import picocolors from 'picocolors';
import type { World } from './world.ts';

export type Style = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Cells in a line of stdout: the terminal's, else 100. */
  readonly width: number;
  readonly color: boolean;
  readonly isJson: boolean;
  readonly style: Style;
  /** One or more lines of the result. Resolves when the reader can take more. */
  line(text?: string): Promise<void>;
  /** One line of JSON on stdout. Control characters are escaped, also those that JSON would let pass. */
  json(value: unknown): Promise<void>;
  /** One line that is not the result. */
  note(text: string): void;
  /** A note that only a person at a terminal needs. */
  tip(text: string): void;
  /** Rewrites the last line of the terminal; `null` takes it away. Only when `interactive`. */
  rewrite(text: string | null): void;
  /** Whether a person watches stderr. */
  readonly interactive: boolean;
}

export function createTerminal(world: World, { color, json }: { color: boolean; json: boolean }): Terminal {
  const { stdout, stderr, environment } = world;
  const colored = color && wantsColor(environment, stdout.isTerminal) && !json;
  const interactive = stderr.isTerminal && environment.TERM !== 'dumb';
  return {
    width: Math.max(40, stdout.columns ?? 100),
    color: colored,
    isJson: json,
    interactive,
    style: picocolors.createColors(colored),
    line: (text = '') => stdout.write(`${text}\n`),
    json: (value) => stdout.write(`${escapeJson(JSON.stringify(value))}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    tip: (text) => {
      if (interactive && !json) void stderr.write(`${text}\n`);
    },
    rewrite: (text) => void stderr.write(text === null ? '\r\u001b[K' : `\r\u001b[K${text}`),
  };
}

/** FORCE_COLOR wins over NO_COLOR, as in Node itself; without either, colour is for terminals. */
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
