import type { CheckResult, CheckState, Diagnosis } from '../../doctor/check.ts';
import { plainLine, toCells } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { TEXT_CELLS_MIN } from '../command/terminal.ts';
import { installRequest } from '../install-request.ts';
import { counted } from '../output/amount.ts';

export interface DoctorOptions {
  readonly fix?: boolean;
}

/** How long to wait for the log: `doctor` must say that something holds it, not wait for it. */
const LOCK_WAIT_MS = 2_000;
const STATE_WIDTH = 9;
const NAME_WIDTH = 16;

export const command = defineCommand<DoctorOptions>({
  description:
    "Checks everything that recording and recalling depend on: the home's files and disk, the log, the spool, the worker, the hooks, " +
    'transcripts that are about to be deleted, other memories, and what a hook costs on this machine. It changes nothing ' +
    'unless --fix is given. Exit code 1 if there is a problem.',
  shape: (command) => command.option('--fix', 'mend what is safe, and say what was done'),
  examples: [
    ['doctor', 'what is wrong, and what to do'],
    ['doctor --fix', 'mends what is safe'],
    ['doctor --json', 'for a script'],
  ],
  needsHome: true,
  async run(session, { fix = false }) {
    const { diagnosisOf } = await import('../../doctor/diagnosis.ts');
    const { world } = session;
    const diagnosis = await diagnosisOf({
      ...installRequest(session),
      open: () => session.annals({ lockTimeoutMs: LOCK_WAIT_MS }),
      now: () => world.now(),
      fix,
    });
    if (session.json) await session.terminal.json(diagnosis);
    else await print(session, diagnosis);
    return diagnosis.ok ? 0 : 1;
  },
});

async function print({ terminal }: Session, { ok, checks, fixed }: Diagnosis): Promise<void> {
  const { style } = terminal;
  const paint: Readonly<Record<CheckState, (text: string) => string>> = {
    ok: style.green,
    warning: style.yellow,
    problem: style.red,
  };
  const isNarrow = terminal.width - STATE_WIDTH - NAME_WIDTH < TEXT_CELLS_MIN;
  const indent = isNarrow ? 2 : STATE_WIDTH + NAME_WIDTH;
  for (const { name, state, message, advice } of checks) {
    const head = `${paint[state](toCells(state, STATE_WIDTH))}${style.bold(toCells(name, NAME_WIDTH))}`;
    const messages = terminal.wrapped(plainLine(message), indent);
    const advised = advice === null ? [] : terminal.wrapped(plainLine(advice), indent).map(style.dim);
    const below = [...messages, ...advised].map((line) => ' '.repeat(indent) + line);
    if (isNarrow) await terminal.line([head.trimEnd(), ...below].join('\n'));
    else await terminal.line([head + messages[0], ...below.slice(1)].join('\n'));
  }
  for (const sentence of fixed) {
    const lines = terminal.wrapped(plainLine(sentence), STATE_WIDTH);
    await terminal.line(`${style.green('repaired')} ${lines.join(`\n${' '.repeat(STATE_WIDTH)}`)}`);
  }
  await terminal.line(summary(ok, checks));
}

function summary(ok: boolean, checks: readonly CheckResult[]): string {
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const warnings = counted(count('warning'), 'warning');
  if (!ok) return `${counted(count('problem'), 'problem')}, ${warnings}.`;
  return count('warning') === 0 ? 'Everything is in order.' : `No problems, ${warnings}.`;
}
