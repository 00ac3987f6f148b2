// In little room the end of the last session and its newest pieces of work come before old work.
import { expect, it } from 'vitest';
import { observation, summary, told, word } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

const long = (thing: string) =>
  ['hinge', 'hatch', 'plan', 'clock']
    .map((what) => `The ${what} jams because ${what}_${thing}.ts never calls ${what}Opens().`)
    .join(' ');
const work = (text: string) => text.split('## Work by session')[1]!;

/** Twelve sessions of ten pieces of work. */
const many = Array.from({ length: 120 }, (_, number) => {
  const isLarge = number % 10 < 5;
  const large = { type: 'feature', filesModified: ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'] } as const;
  const title = `The ${word(number)} feeder jams`;
  return told(observation(number, { title, narrative: long(word(number)), ...(isLarge ? large : {}) }));
});

it('The last answer keeps about 600 characters', async () => {
  const completed = [
    'The northern door reads door_plan.ts, because the clock has no zone.',
    'Its hinge was replaced with one of oak in src/hinge.ts.',
    'Feeders without a lamp now show the dusk of their village in lamp_dusk.ts.',
    'Seeds are counted twice a day since counters lose a grain when it rains.',
    'Visitors cannot open the roof anymore; roof_lock.ts asks for a key.',
    'The weekly report names every bird that came more than three times.',
    'Old plans stay readable through readPlanOfLastYear() in archive.ts.',
  ].join(' ');
  const text = agentText(await materialOf([...many, told(summary(119, { completed: `“${completed}”` }))]));
  const done = /Done: \[agent\] (.*)/.exec(text)![1]!;
  expect(done.length).toBeGreaterThan(400);
});

it('The newest pieces of work of the newest session are shown, newest first', async () => {
  const text = work(agentText(await materialOf([...many, told(summary(119))])));
  for (const number of [118, 117, 116, 115, 114]) expect(text).toContain(`The ${word(number)} feeder jams`);
  const sessions = text.split('\n- ').slice(1);
  expect(sessions[0]!.split('\n  - ').length).toBeGreaterThan(6);
});

it('An old session of one turn without open ends takes one short line', async () => {
  const rows = Array.from({ length: 40 }, (_, number) => [
    told(
      observation(number, {
        session: `s-${number}`,
        title: `The ${word(number)} feeder jams`,
        narrative: long(word(number)),
      }),
    ),
    told(
      summary(number, {
        session: `s-${number}`,
        nextSteps: number === 5 ? [{ kind: 'asked', text: 'May the hatch stay closed all winter?' }] : [],
      }),
    ),
  ]).flat();
  const sessions = new Map(
    Array.from(
      { length: 40 },
      (_, number) => [`s-${number}`, { title: null, branch: 'main', turns: 1 }] as const,
    ),
  );
  const text = work(agentText(await materialOf(rows, { sessions })));
  const lines = text.split('\n').filter((line) => line.includes('feeder jams'));
  const short = lines.filter((line) => line.startsWith('- '));
  expect(short.length).toBeGreaterThan(20);
  for (const line of short) expect(line.replace(/ \(o-.*/, '').length).toBeLessThan(150);
  expect(lines.filter((line) => line.startsWith('  - ')).length).toBeGreaterThanOrEqual(2);
});
