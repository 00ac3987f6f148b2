// The open step of a turn without final answer: the step it announced last, unless that step was done.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

const PLANNED = 'Let me now write the plan of the feeder to the plan file.';

async function leftOpen(last: string, after: (session: Session) => void): Promise<readonly string[]> {
  const session = new Session();
  session.prompt(
    'Plan how the feeder opens an hour before dusk, with what it needs of the clock and the hatch',
  );
  session.reply('Good, I now have all that I need. Let me look at the clock.');
  session.read('/home/u/app/src/clock.ts').edited('/home/u/app/src/hatch.ts');
  session.reply(last);
  after(session);
  return (await remembered(session)).summaries.at(-1)!.nextSteps;
}

describe('A step that the agent announced last is open', () => {
  it('when no tool was used after it', async () => {
    expect(await leftOpen(PLANNED, () => {})).toEqual([expect.stringMatching(/^Announced last: Let me now/)]);
  });

  it('when the tool use it needed was refused', async () => {
    const refused = (session: Session) =>
      session.failed('cp plan.md plans/', 'Exit code 1\ncp: no such file');
    expect(await leftOpen(PLANNED, refused)).toContainEqual(expect.stringMatching(/^Announced last: /));
  });

  it('but not when it was done', async () => {
    expect(await leftOpen(PLANNED, (session) => session.wrote('/home/u/app/plan.md'))).toEqual([]);
  });

  it('but not when the person has to do it', async () => {
    const words = 'Let me know if you want that hatch renamed to something else, otherwise I leave it:';
    expect((await leftOpen(words, () => {})).join()).not.toContain('Announced last');
  });
});
