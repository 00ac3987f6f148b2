// What a brief shows of earlier sessions: what they left open, their decisions and lessons beside those of a busy newer session.
import { describe, expect, it } from 'vitest';
import { observation, promptLine, summary, told } from '../projections/context/rows.ts';
import { agentText, materialOf } from './material.ts';

const OPEN = 'Open question: The hook failed on missing generated assets. Should it be skipped?';

function sectionOf(text: string, title: string): string {
  const at = text.indexOf(`## ${title}`);
  return at < 0 ? '' : text.slice(at).split('\n## ')[0]!;
}

describe('What an earlier session left open', () => {
  const shown = async (nextSteps: readonly string[], later = 'Painted the roof') => {
    const rows = [
      told(observation(1)),
      told(summary(1, { nextSteps, request: 'commit the hatch' })),
      told(observation(11, { title: later })),
      told(summary(11)),
    ];
    return sectionOf(agentText(await materialOf(rows)), 'Left open at the end of earlier sessions');
  };

  it('is shown with its request', async () => {
    expect(await shown(['Announced last: Let me skip the hook', OPEN])).toContain(
      `- “commit the hatch” → ${OPEN}`,
    );
  });

  it('is left out if later work is about the same', async () => {
    expect(await shown([OPEN], 'Generated the missing assets, which the hook needs')).toBe('');
  });

  it.each([
    'Offered: proceed with the implementation of the plan',
    'Five files modified, uncommitted: feed.ts',
  ])('is no step of the moment: %s', async (step) => {
    expect(await shown([step])).toBe('');
  });

  it('is left out if a later prompt is about the same', async () => {
    const rows = [told(observation(1)), told(summary(1, { nextSteps: [OPEN] })), told(summary(11))];
    const prompts = [promptLine(12, { text: 'skip the hook, the generated assets are missing anyway' })];
    expect(agentText(await materialOf(rows, { prompts }))).not.toContain('Left open at the end');
  });
});

it('Sessions with many decisions leave room for those of older sessions', async () => {
  const session = (first: number, name: string, things: readonly string[]) =>
    things.map((thing, at) =>
      told(
        observation(first + at, {
          session: name,
          evidence: { decisions: [`The person: keep the ${thing} of the house`] },
        }),
      ),
    );
  const rows = [
    ...session(1, 'old', ['gggg', 'hhhh', 'iiii']),
    ...session(11, 'middle', ['jjjj', 'kkkk', 'llll', 'mmmm', 'nnnn']),
    ...session(21, 'new', ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']),
  ];
  const text = sectionOf(agentText(await materialOf(rows)), 'Decisions standing');
  const shown = [...text.matchAll(/keep the (\w{4})/g)].map(([, thing]) => thing);
  expect(shown).toEqual(['eeee', 'dddd', 'cccc', 'nnnn', 'mmmm', 'llll', 'iiii', 'hhhh']);
});

it('A named cause of an older session comes before further findings of the newest one', async () => {
  const of = (number: number, session: string, lesson: string) =>
    told(observation(number, { session, evidence: { lessons: [lesson] } }));
  const found = (thing: string) => `The ${thing} never opens because src/${thing}.ts is missing → Add it`;
  const rows = [
    of(1, 'old', 'Cause: The clock reads local time → Reads UTC'),
    ...['door', 'gate', 'roof', 'wall', 'tank'].map((one, at) => of(at + 11, 'new', found(one))),
  ];
  const lines = sectionOf(agentText(await materialOf(rows)), 'What went wrong')
    .split('\n')
    .slice(1);
  expect(lines[0]).toContain('Cause: The clock reads local time → Reads UTC');
  expect(lines[1]).toContain('Found: The tank never opens');
});

it('The brief shows the command that the person stopped, unless it ran again', async () => {
  const stopped = { command: 'npm run test:slow', outcome: 'cancelled' as const };
  const again = { command: 'npm run test:slow', outcome: 'ok' as const };
  const at = async (commands: readonly { command: string; outcome: 'cancelled' | 'ok' }[]) =>
    agentText(await materialOf([told(observation(1, { evidence: { commands } })), told(summary(1))]));
  expect(await at([stopped])).toContain('Stopped by the person: `npm run test:slow`; it did not end');
  expect(await at([stopped, again])).not.toContain('Stopped by the person');
});
