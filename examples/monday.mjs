// Monday: a test of the bird feeder's web service fails now and then, because the code reads the clock. The fix passes
// the clock in. A sub-agent searches for other places that read the clock.
import { createRecorder, tools } from './recorder.mjs';

const { read, edit, bash, bashFails, grep } = tools;
const session = '6f1d2c1e-58a4-4b0e-9d3c-2a7be1f0c511';
const cwd = '/home/robin/birdfeeder';
const workdir = { session, cwd, branch: 'main' };

const scheduleBefore = `import type { Feeding } from './feeding.ts';

const EVENING_STARTS_AT_HOUR = 17;

/** Whether a feeding belongs to the evening round. */
export function isEveningFeeding(feeding: Feeding): boolean {
  const now = new Date();
  const due = new Date(feeding.dueAt);
  return due.getHours() >= EVENING_STARTS_AT_HOUR && due.getDate() === now.getDate();
}

/** The feedings that are still to come today, the next one first. */
export function remainingToday(feedings: readonly Feeding[]): Feeding[] {
  const now = Date.now();
  return feedings
    .filter((feeding) => feeding.dueAt > now && isEveningFeeding(feeding))
    .sort((a, b) => a.dueAt - b.dueAt);
}
`;

const testBefore = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEveningFeeding } from '../src/schedule.ts';

test('a feeding in one hour is an evening feeding when it is evening', () => {
  const inOneHour = Date.now() + 3_600_000;
  assert.equal(isEveningFeeding({ feeder: 'oak', dueAt: inOneHour, grams: 40 }), true);
});
`;

const failure = `✖ a feeding in one hour is an evening feeding when it is evening (1.204ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  false !== true

      at TestContext.<anonymous> (file:///home/robin/birdfeeder/test/schedule.test.ts:7:10)

ℹ tests 14
ℹ pass 13
ℹ fail 1`;

export function monday() {
  const main = createRecorder({ ...workdir, start: '2026-11-16T18:02:11.000Z' });
  const helper = createRecorder({ ...workdir, agentId: 'a4c19e7', start: '2026-11-16T18:06:57.000Z' });

  main.meta({ type: 'mode', mode: 'normal' });
  findTheCause(main);
  const promptId = fixIt(main);
  const launched = lookForMore(main, helper, promptId);
  commitIt(main);

  return {
    [`${session}.jsonl`]: main.toString(),
    [`${session}/subagents/agent-a4c19e7.jsonl`]: helper.toString(),
    [`${session}/subagents/agent-a4c19e7.meta.json`]: `${JSON.stringify(
      {
        agentType: 'Explore',
        description: 'Find other clock reads',
        toolUseId: launched,
        spawnDepth: 1,
        requestShape: 'foreground',
      },
      null,
      2,
    )}\n`,
  };
}

function findTheCause(main) {
  main.prompt(
    'The evening feeding test in test/schedule.test.ts fails about one run in ten, mostly on CI and mostly late. Find out why before you change anything.',
  );
  main.meta({ type: 'ai-title', aiTitle: 'Flaky evening feeding test' });
  main.use(read(`${cwd}/test/schedule.test.ts`, testBefore, 'I will read the test and what it tests first.'));
  main.use(read(`${cwd}/src/schedule.ts`, scheduleBefore));
  main.use(
    bash(
      'git log --oneline -5 -- src/schedule.ts',
      'Recent changes of the schedule',
      'b81f0c2 Evening round starts at 17:00\n02d9a47 Feedings know their feeder',
    ),
  );
  main.use(
    bash(
      'for i in 1 2 3; do npm test --silent 2>&1 | tail -3; done',
      'Run the tests three times',
      'ℹ tests 14\nℹ pass 14\nℹ fail 0\nℹ tests 14\nℹ pass 14\nℹ fail 0\nℹ tests 14\nℹ pass 14\nℹ fail 0',
      'It passes here. The code compares calendar days, so I suspect midnight; I will run it with the clock set late.',
    ),
  );
  main.use(
    bashFails(
      "faketime '2026-11-16 23:30:00' npm test",
      'Run the tests half an hour before midnight',
      failure,
    ),
  );
  main.use(
    bashFails(
      "TZ=UTC faketime '2026-11-16 09:00:00' npm test",
      'Run the tests in the morning, as CI does',
      failure,
    ),
  );
  main.say(
    'The test is right to fail; the code reads the clock in the middle.\n\n`isEveningFeeding` in `src/schedule.ts` calls `new Date()` and compares calendar days with `getDate()`. Two things go wrong:\n\n1. Between 23:00 and midnight, "in one hour" is tomorrow, so `getDate()` differs and the answer is false.\n2. `getHours()` is local time. CI runs in UTC, so in the morning there it is not evening at all, and the test only passes in the evening hours.\n\nI would hand the clock and the time zone in instead of reading them. Nothing is changed yet.',
  );
  main.turnEnds(96_400);
}

function fixIt(main) {
  const promptId = main.prompt(
    'Good find. Hand the clock in, keep all stored times UTC, and make the test say which evening it means. No new dependency please.',
    130,
  );
  main.use(
    edit(
      `${cwd}/src/schedule.ts`,
      scheduleBefore.slice(scheduleBefore.indexOf('/** Whether'), scheduleBefore.indexOf('/** The feedings')),
      "/** Whether a feeding belongs to this evening's round. Times are UTC; the feeder's zone says what evening is. */\nexport function isEveningFeeding(feeding: Feeding, clock: Clock): boolean {\n  const due = clock.local(feeding.dueAt);\n  const now = clock.local(clock.now());\n  return due.hour >= EVENING_STARTS_AT_HOUR && due.day === now.day;\n}\n\n",
      'The schedule gets a clock; only `src/clock.ts` reads the real one.',
    ),
  );
  main.use(
    tools.write(
      `${cwd}/src/clock.ts`,
      "export interface LocalTime {\n  readonly day: string;\n  readonly hour: number;\n}\n\nexport interface Clock {\n  now(): number;\n  local(at: number): LocalTime;\n}\n\n/** The real clock, in the time zone of the feeder. */\nexport function systemClock(timeZone: string): Clock {\n  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });\n  return {\n    now: () => Date.now(),\n    local(at) {\n      const [day = '', time = ''] = format.format(at).split(' ');\n      return { day, hour: Number(time.slice(0, 2)) };\n    },\n  };\n}\n",
    ),
  );
  main.use(
    bashFails(
      'npm test',
      'Run the tests',
      'src/server.ts:31:29 - error TS2554: Expected 2 arguments, but got 1.\n\n31   const evening = feedings.filter(isEveningFeeding);\n                                   ~~~~~~~~~~~~~~~~\n\nFound 1 error in src/server.ts:31',
      2,
    ),
  );
  main.use(
    edit(
      `${cwd}/src/server.ts`,
      'const evening = feedings.filter(isEveningFeeding);',
      'const evening = feedings.filter((feeding) => isEveningFeeding(feeding, clock));',
      'The server filtered with the function itself; it has to pass the clock on.',
    ),
  );
  main.use(
    edit(
      `${cwd}/test/schedule.test.ts`,
      testBefore.slice(testBefore.indexOf("test('")),
      "const evening = fixedClock('2026-11-16T18:00:00Z', 'Europe/Oslo');\n\ntest('a feeding in one hour is an evening feeding when it is evening', () => {\n  const inOneHour = evening.now() + 3_600_000;\n  assert.equal(isEveningFeeding({ feeder: 'oak', dueAt: inOneHour, grams: 40 }, evening), true);\n});\n\ntest('a feeding after midnight belongs to tomorrow', () => {\n  const night = fixedClock('2026-11-16T22:30:00Z', 'Europe/Oslo');\n  assert.equal(isEveningFeeding({ feeder: 'oak', dueAt: night.now() + 3_600_000, grams: 40 }, night), false);\n});\n",
    ),
  );
  main.use(bash('npm test', 'Run the tests', 'ℹ tests 15\nℹ pass 15\nℹ fail 0'));
  main.use(
    bash(
      "TZ=UTC faketime '2026-11-16 23:30:00' npm test",
      'Run the tests half an hour before midnight in UTC',
      'ℹ tests 15\nℹ pass 15\nℹ fail 0',
    ),
  );
  return promptId;
}

function lookForMore(main, helper, promptId) {
  const instruction =
    'Find every place in src/ and test/ of this repository that reads the real clock (Date.now, new Date without an argument, performance.now). Report file, line and whether a stored time depends on it. Change nothing.';
  helper.instruction(instruction, promptId);
  helper.use(
    grep('Date\\.now\\(|new Date\\(\\)|performance\\.now\\(', [
      'src/clock.ts',
      'src/schedule.ts',
      'src/refill.ts',
    ]),
  );
  helper.use(
    bash(
      "grep -n 'Date.now()\\|new Date()' src/schedule.ts src/refill.ts",
      'Show the lines',
      'src/schedule.ts:16:  const now = Date.now();\nsrc/refill.ts:22:    refilledAt: new Date().toISOString(),',
    ),
  );
  const report =
    'Two places are left:\n\n- `src/schedule.ts:16`, `remainingToday`: `Date.now()` decides what is still to come. Nothing stored depends on it.\n- `src/refill.ts:22`: `new Date().toISOString()` becomes `refilledAt` in the database. It is UTC, so what is stored is right, but no test can fix it.\n\n`src/clock.ts` is the one place that may read the clock.';
  helper.say(report);

  const launched = main.use({
    say: 'Green at every hour. Before the commit, a look for other places that read the clock.',
    name: 'Agent',
    input: { description: 'Find other clock reads', subagent_type: 'Explore', prompt: instruction },
    result: report,
    detail: {
      status: 'completed',
      prompt: instruction,
      agentId: 'a4c19e7',
      content: [{ type: 'text', text: report }],
      totalDurationMs: 21_300,
      totalTokens: 9_120,
      totalToolUseCount: 2,
    },
    seconds: 22,
  });
  main.use(
    edit(
      `${cwd}/src/schedule.ts`,
      '  const now = Date.now();\n',
      '  const now = clock.now();\n',
      '`remainingToday` gets the clock too. `src/refill.ts` stores UTC already; I leave it for a change of its own.',
    ),
  );
  main.use(bash('npm test', 'Run the tests', 'ℹ tests 15\nℹ pass 15\nℹ fail 0'));
  main.say(
    'Fixed. `isEveningFeeding` and `remainingToday` are handed a clock; only `src/clock.ts` reads the real one, and it knows the time zone of the feeder. The tests say which evening they mean, and a new one covers the hour before midnight.\n\nLeft as it is: `src/refill.ts:22` still calls `new Date()`. What it stores is UTC and right, but it cannot be tested at a fixed time. Say if you want that changed as well.',
  );
  main.turnEnds(214_900);
  return launched;
}

function commitIt(main) {
  main.prompt('Commit this. Leave refill.ts for tomorrow.', 75);
  main.use(
    bash(
      'git add src test && git commit -m "The schedule is handed its clock; evening is the feeder\'s own"',
      'Commit the change',
      "[main 4e7a90d] The schedule is handed its clock; evening is the feeder's own\n 4 files changed, 41 insertions(+), 12 deletions(-)\n create mode 100644 src/clock.ts",
    ),
  );
  main.say('Committed as `4e7a90d` on `main`. `src/refill.ts` is untouched and waits for tomorrow.');
  main.turnEnds(9_800);
  main.meta({ type: 'last-prompt', lastPrompt: 'Commit this. Leave refill.ts for tomorrow.' });
}
