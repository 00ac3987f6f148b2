// Finds the links of a shell command that run tests.
import { passesEnd, rarelyFails, runsTests, wordsOf } from './known-commands.ts';
import { commandOf, parseShell, type ShellLink, substitutedIn } from './shell.ts';

export interface TestRun {
  /** The command that runs tests, without keywords, redirections and later stages of its pipe. */
  readonly command: string;
  /** The whole command succeeds only if this one does. */
  readonly bound: boolean;
  /** It may not have run. */
  readonly optional: boolean;
  /** Lines of its output that report a failure may be missing. */
  readonly filtered: boolean;
  /** `out=$(npm test)`: its end and what it printed are not those of the command. */
  readonly captured: boolean;
  /** `head -20`: with so many lines the output may have been cut off. */
  readonly linesMax: number;
}

export interface TestRuns {
  readonly runs: readonly TestRun[];
  /** No other command that could fail runs. */
  readonly alone: boolean;
}

const REDIRECTED = /(?:^|[^2&])>\s*(?!&)\S|&>\s*\S/;

/** Keeps the lines in which a runner reports a failure. */
const KEEPS_FAILURES = /^(?:e?grep|rg)\s(?!.*\s(?:-\w*[vclqL]|--(?:invert|count|files|quiet)))(?=.*fail)/i;
const HEAD = /^head(?:\s+(?:-n\s*)?-?\d+)?\s*$/;
const HEAD_LINES = 10;

/** The stage of a pipe that runs tests; -1 for none. */
function testStageOf({ stages }: ShellLink): number {
  return stages.findIndex((stage) => runsTests(wordsOf(stage)));
}

function capturedRun(link: ShellLink): TestRun[] {
  const stage = link.written[testStageOf(link)];
  if (stage === undefined) return [];
  const unknown = {
    bound: false,
    optional: true,
    filtered: true,
    captured: true,
    linesMax: Number.POSITIVE_INFINITY,
  };
  return [{ command: commandOf(stage), ...unknown }];
}

export function testRunsIn(command: string): TestRuns {
  const { links, pipefail } = parseShell(command);
  const runs: TestRun[] = [];
  let others = 0;
  for (const link of links) {
    const inside = link.written.flatMap(substitutedIn).flatMap((one) => parseShell(one).links);
    runs.push(...inside.flatMap(capturedRun));
    const at = testStageOf(link);
    if (at < 0) {
      if (!link.stages.every(rarelyFails)) others += 1;
      continue;
    }
    const after = link.written.slice(at + 1);
    const heads = after.flatMap((stage) => HEAD.exec(stage) ?? []);
    runs.push({
      command: commandOf(link.written[at]!),
      bound: link.bound && (after.length === 0 || pipefail),
      optional: link.optional,
      captured: false,
      filtered:
        REDIRECTED.test(link.stages[at]!) ||
        !after.every((stage) => passesEnd(stage) || KEEPS_FAILURES.test(stage) || HEAD.test(stage)),
      linesMax: Math.min(...heads.map((stage) => Number(/\d+/.exec(stage)?.[0] ?? HEAD_LINES))),
    });
  }
  return { runs, alone: runs.length === 1 && others === 0 };
}
