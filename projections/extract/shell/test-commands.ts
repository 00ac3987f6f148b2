// Finds the links of a shell command that run tests.
import { passesEnd, rarelyFails, runsTests, wordsOf } from './known-commands.ts';
import { commandOf, parseShell } from './shell.ts';

export interface TestRun {
  /** The command that runs tests, without keywords, redirections and later stages of its pipe. */
  readonly command: string;
  /** The whole command succeeds only if this one does. */
  readonly bound: boolean;
  /** It may not have run. */
  readonly optional: boolean;
  /** Lines of its output may be missing: filtered, or cut off at the end. */
  readonly filtered: boolean;
}

export interface TestRuns {
  readonly runs: readonly TestRun[];
  /** No other command that could fail runs. */
  readonly alone: boolean;
}

const REDIRECTED = /(?:^|[^2&])>\s*(?!&)\S|&>\s*\S/;

export function testRunsIn(command: string): TestRuns {
  const { links, pipefail } = parseShell(command);
  const runs: TestRun[] = [];
  let others = 0;
  for (const link of links) {
    const at = link.stages.findIndex((stage) => runsTests(wordsOf(stage)));
    if (at < 0) {
      if (!link.stages.every(rarelyFails)) others += 1;
      continue;
    }
    const after = link.stages.slice(at + 1);
    runs.push({
      command: commandOf(link.written[at]!),
      bound: link.bound && (after.length === 0 || pipefail),
      optional: link.optional,
      filtered: REDIRECTED.test(link.stages[at]!) || !after.every(passesEnd),
    });
  }
  return { runs, alone: runs.length === 1 && others === 0 };
}
