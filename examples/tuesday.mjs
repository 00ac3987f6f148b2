// Tuesday: the file that was left for later on Monday, and a question about a decision of that day.
import { createRecorder, tools } from './recorder.mjs';

const { read, edit, bash, bashFails } = tools;
const session = 'b02c7a94-13de-4c55-8f6a-7d9e40c2aa18';
const cwd = '/home/robin/birdfeeder';

const refill = `import type { Database } from './database.ts';

/** Notes that a feeder was filled up. */
export async function noteRefill(database: Database, feeder: string, grams: number): Promise<void> {
  await database.insert('refills', {
    feeder,
    grams,
    refilledAt: new Date().toISOString(),
  });
}
`;

export function tuesday() {
  const main = createRecorder({ session, cwd, branch: 'refill-clock', start: '2026-11-17T08:31:02.000Z' });
  main.meta({ type: 'mode', mode: 'normal' });

  main.prompt(
    'Yesterday we handed the clock to the schedule and left src/refill.ts. Do the same there. The refill report must not change for times that are stored already.',
  );
  main.meta({ type: 'ai-title', aiTitle: 'Hand the clock to refills' });
  main.use(read(`${cwd}/src/refill.ts`, refill));
  main.use(
    edit(
      `${cwd}/src/refill.ts`,
      '    refilledAt: new Date().toISOString(),',
      '    refilledAt: new Date(clock.now()).toISOString(),',
      'Same shape as in the schedule: the caller hands the clock in, what is stored stays an ISO time in UTC.',
    ),
  );
  main.use(
    bashFails(
      'npm test',
      'Run the tests',
      '✖ a refill is in the report of its day (3.871ms)\n  ReferenceError: clock is not defined\n      at noteRefill (file:///home/robin/birdfeeder/src/refill.ts:8:26)\n\nℹ tests 15\nℹ pass 14\nℹ fail 1',
    ),
  );
  main.use(
    edit(
      `${cwd}/src/refill.ts`,
      'export async function noteRefill(database: Database, feeder: string, grams: number): Promise<void> {',
      'export async function noteRefill(\n  { database, clock }: { database: Database; clock: Clock },\n  feeder: string,\n  grams: number,\n): Promise<void> {',
      'I used the clock without taking it as an argument.',
    ),
  );
  main.use(bash('npm test', 'Run the tests', 'ℹ tests 16\nℹ pass 16\nℹ fail 0'));
  main.say(
    '`noteRefill` is handed the clock together with the database. What is stored has the same form as before, an ISO time in UTC, so the refill report gives the same days for old rows; a test with a stored row of last week shows it.',
  );
  main.turnEnds(58_200);

  main.prompt('Why did we decide for UTC in the database and not for the local time of the feeder?', 210);
  main.say(
    'Because a feeder can be moved and its zone changes with it, and because local time repeats an hour each autumn: on the night of 25 October the feedings between 02:00 and 03:00 would have been ambiguous. UTC is stored; the zone of the feeder is applied only when we ask what "evening" or "today" means, and that happens in `src/clock.ts` alone.',
  );
  main.turnEnds(7_400);
  main.meta({
    type: 'last-prompt',
    lastPrompt: 'Why did we decide for UTC in the database and not for the local time of the feeder?',
  });
  return { [`${session}.jsonl`]: main.toString() };
}
