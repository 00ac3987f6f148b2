// Shows the progress of a long operation: nothing in the first second, then one rewritten line on a terminal, or a
// line every five seconds in a file. The operation's own reports drive it, so it needs no timer.
import { cutToCells } from '../../terminal-text/plain-text.ts';
import type { Terminal } from '../command/terminal.ts';

const QUIET_MS = 1_000;
const REWRITE_MS = 100;
const LINE_MS = 5_000;

export interface ProgressLine {
  /** `text` is called only when the line is shown. */
  report(text: () => string): void;
  /** Clears the line. In a file, where lines stay, `last` follows them. */
  end(last?: string): void;
}

export function createProgress(terminal: Terminal, now: () => number): ProgressLine {
  const started = now();
  let shownAt: number | null = null;
  return {
    report(text) {
      const time = now();
      if (time - started < QUIET_MS) return;
      const pause = terminal.interactive ? REWRITE_MS : LINE_MS;
      if (shownAt !== null && time - shownAt < pause) return;
      shownAt = time;
      if (terminal.interactive) terminal.rewrite(cutToCells(text(), terminal.width - 1));
      else terminal.note(text());
    },
    end(last) {
      if (shownAt === null) return;
      if (terminal.interactive) terminal.rewrite(null);
      else if (last !== undefined) terminal.note(last);
    },
  };
}

/** `40 %`; 100 % when the total is 0. */
export function percent(done: number, total: number): string {
  return `${total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))} %`;
}
