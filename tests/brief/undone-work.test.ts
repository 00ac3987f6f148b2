// What later work undid, or held only then, is no result.

import { describe, expect, it } from 'vitest';
import { endedIn } from '../../projections/extract/answer/ended.ts';
import { NO_EDITS } from '../../projections/extract/outcome/pending-edits.ts';
import type { ObservationRow, Step } from '../../projections/index.ts';
import { observation, promptLine, summary, told } from '../projections/context/rows.ts';
import { agentText, materialOf, partOf, textOf } from './material.ts';

it('What was open only then is no outcome', async () => {
  const open = [
    'Question: should hatch_2.ts close at dusk or at dawn?',
    'Options: keep hatch_3.ts in the roof.',
    'Best solution: move hatch_4.ts to the door.',
    'If you want, I can oil hatch_5.ts.',
    'One side note: hatch_6.ts squeaks.',
    'Rebuild hatch_7 and try again.',
    'The door is built of oak; the working tree is ready for you to review and commit.',
  ];
  const kept = 'Delete requests now use the pool to verify the owner. Run make lint to check the hatch.';
  const rows = [
    observation(1, { narrative: `The hatch opens. ${open.join(' ')} ${kept}` }),
    observation(2),
    summary(2),
  ];
  const shown = partOf(await textOf(...rows), 'Work by session');
  expect(shown).toContain(`The hatch opens. The door is built of oak. ${kept.slice(0, -1)}`);
  expect(shown).not.toMatch(/hatch_|review and commit/);
});

const ended = (text: string) => ({ ended: endedIn([text]) });

describe('What later work undid', () => {
  const edited = observation(1, {
    filesModified: ['src/hatch.ts'],
    narrative: 'The hatch now opens twice. The branch hatch-backup is kept.',
  });
  const undid = (discarded: readonly string[], deletedBranches: readonly string[] = []) =>
    observation(2, {
      evidence: { edits: { ...NO_EDITS, discarded }, deletedBranches },
      filesModified: [],
    });
  const work = async (...rows: readonly Parameters<typeof told>[0][]) =>
    partOf(await textOf(edited, ...rows, observation(3), summary(3)), 'Work by session');

  it.each([
    ['another file', undid(['src/lamp.ts'])],
    ['a branch with a word as its name', undid([], ['hatch'])],
    ['another branch', undid([], ['backup'])],
  ])('is shown while what was undone is %s', async (_, row) => {
    const shown = await work(row);
    expect(shown).toContain('The hatch now opens twice.');
    expect(shown).toContain('hatch-backup');
  });

  it('is no result', async () => expect(await work(undid(['src/hatch.ts']))).not.toContain('hatch'));

  it('is a file that its own work made and removed', async () => {
    const made = { filesModified: ['src/door.ts', 'src/try.ts'] };
    const row = observation(1, { ...made, evidence: { edits: { ...NO_EDITS, removed: ['src/try.ts'] } } });
    const shown = partOf(await textOf(row, observation(2), summary(2)), 'Work by session');
    expect(shown).toContain('src/door.ts');
    expect(shown).not.toContain('src/try.ts');
  });

  it('is no branch that is still there', async () => {
    const shown = await work(undid([], ['hatch-backup']));
    expect(shown).toContain('The hatch now opens twice.');
    expect(shown).not.toContain('hatch-backup');
  });

  it.each([
    ['a file that was removed', { removed: ['docs/hatch.md'] }],
    ['a file that has another name', { moved: [['docs/hatch.md', 'docs/door.md']] as const }],
  ])('is %s', async (_, more) => {
    const named = observation(1, {
      narrative: 'The lamp stays on. The page is docs/hatch.md now.',
      filesModified: ['docs/hatch.md'],
    });
    const later = (edits: object, number = 2) =>
      observation(number, { filesModified: [], evidence: { edits: { ...NO_EDITS, ...edits } } });
    const again = { filesModified: ['docs/hatch.md'], evidence: { edits: NO_EDITS } };
    const shown = async (edits: object) =>
      partOf(await textOf(named, later(edits), observation(3), summary(3)), 'Work by session');
    expect(await shown(more)).toContain('The lamp stays on.');
    expect(await shown(more)).not.toContain('docs/hatch.md');
    expect(await shown({})).toContain('docs/hatch.md now');
    const written = [named, later(more), observation(3, again), observation(4), summary(4)];
    expect(partOf(await textOf(...written), 'Work by session')).toContain('docs/hatch.md now');
    const twice = [named, observation(2, again), later(more, 3), observation(4), summary(4)];
    expect(partOf(await textOf(...twice), 'Work by session')).not.toContain('docs/hatch.md now');
  });

  it.each([
    [{ edits: { ...NO_EDITS, removed: ['docs/hatch.md'] } }, 'The page is docs/hatch.md now.'],
    [ended('Moved loadPlan() from lamp/ package to hatch/ package'), 'Use lamp.loadPlan() for it.'],
    [ended('Renamed loadPlan() to readPlan()'), 'Use loadPlan() for it.'],
  ])('is what was named in an earlier piece of work: %j', async (evidence, gone) => {
    const first = observation(1, { narrative: `The lamp stays on. ${gone}`, filesModified: ['src/a.ts'] });
    const second = observation(2, { filesModified: ['src/b.ts'], evidence });
    const shown = async (...rows: readonly ObservationRow[]) =>
      partOf(await textOf(...rows, observation(4), summary(4)), 'Work by session');
    expect(await shown(first)).toContain(gone);
    expect(await shown(first, second)).toContain('The lamp stays on.');
    expect(await shown(first, second)).not.toContain(gone);
  });

  it.each([
    ['another file', 'Use hatch.ts for it.', 'Renamed scheduler.ts to planner.ts'],
    ['the folder of a word', 'Use the loadPlan() for it.', 'Moved loadPlan() from the hatch package to lamp'],
    ['a file', 'Use loadPlan() of hatch.ts for it.', 'Moved loadPlan() from src/plan.ts to lamp'],
    [
      'what was not done',
      'Use loadPlan() for it.',
      'The name was not renamed; we could have renamed loadPlan() to readPlan()',
    ],
    [
      'what was moved back',
      'Use loadPlan() of lamp for it.',
      'Moved loadPlan() from lamp to hatch',
      'Moved loadPlan() from hatch to lamp',
    ],
    [
      'a name in use again',
      'Use loadPlan() for it.',
      'Renamed loadPlan() to readPlan()',
      'Use loadPlan() again',
    ],
  ])('is not %s', async (_, narrative, title, later = 'Oiled the hatch') => {
    const first = observation(1, { narrative, filesModified: ['src/a.ts'] });
    const second = observation(2, { title, filesModified: ['src/b.ts'], evidence: ended(title) });
    const third = observation(3, { title: later, filesModified: ['src/c.ts'], evidence: ended(later) });
    const shown = await textOf(first, second, third, observation(4), summary(4));
    expect(partOf(shown, 'Work by session')).toContain(narrative);
  });

  it('is a commit that has another name', async () => {
    const named = observation(1, {
      narrative: 'The lamp stays on. The lamp went into e0a1e8ad.',
      filesModified: [],
    });
    const shown = async (rewroteHistory: boolean) => {
      const later = observation(2, { filesModified: [], evidence: { rewroteHistory } });
      return partOf(await textOf(named, later, observation(3), summary(3)), 'Work by session');
    };
    expect(await shown(true)).toContain('The lamp stays on.');
    expect(await shown(true)).not.toContain('e0a1e8ad');
    expect(await shown(false)).toContain('e0a1e8ad');
  });

  it('is no answer to which the person objected, also if no file was changed', async () => {
    const answer = observation(1, { filesModified: [], narrative: 'The lamp hangs in the northern roof.' });
    const shown = async (request: string, more: Parameters<typeof materialOf>[1] = {}) => {
      const next = { filesModified: [], turn: 't-2', narrative: 'The hatch is oiled.' };
      const rows = [answer, observation(2, next), summary(2, { request }), observation(3), summary(3)];
      const material = await materialOf(
        rows.map((row) => told(row)),
        more,
      );
      return partOf(agentText(material), 'Work by session');
    };
    for (const objection of [
      'i meant the lamp of the door',
      'Falsch, es geht um die Tür',
      'Faux, la lampe de la porte',
      'Incorrecto, la lámpara de la puerta',
      '不對，是門上的燈',
    ])
      expect(await shown(objection)).not.toContain('northern roof');
    expect(await shown('Yes, that is what I meant')).toContain('northern roof');
    expect(await shown('ah, the lamp was not lit, I see. Thanks, now oil it')).toContain('northern roof');
    expect(await shown('and the lamp of the door?')).toContain('northern roof');
    const asked = promptLine(1, { turn: 't-between', at: answer.at! + 1 });
    expect(await shown('i meant the lamp of the door', { prompts: [asked] })).toContain('northern roof');
    expect(await shown("no, that's fine")).toContain('northern roof');
  });

  it('is no answer to which the person objected, if the same file was changed again', async () => {
    const again = { filesModified: ['src/hatch.ts'], turn: 't-2', narrative: 'The lamp stays off by day.' };
    const objection = summary(2, { request: 'it should not open twice' });
    expect(await work(observation(2, again), objection)).not.toContain('opens twice.');
    for (const request of ['Nein, nur einmal', 'non, une seule fois', 'No, una sola vez', '不对，只开一次'])
      expect(await work(observation(2, again), summary(2, { request }))).not.toContain('opens twice.');
    for (const request of [
      'Sollten wir nicht auch das Licht prüfen?',
      'Mal, wenn du Zeit hast: das Licht',
      '不是很急，看看灯',
    ])
      expect(await work(observation(2, again), summary(2, { request }))).toContain('opens twice.');
    expect(await work(observation(2, again), summary(2))).toContain('opens twice.');
  });
});

it('A decision after which the agent asked which way to go is not in force', async () => {
  const decisions = ['The person: I prefer the lamp in the session'];
  const shown = async (nextSteps: readonly Step[]) =>
    textOf(
      observation(1, { evidence: { decisions } }),
      summary(1, { nextSteps }),
      observation(3),
      summary(3),
    );
  expect(await shown([])).toContain('## Decisions made');
  expect(await shown([{ kind: 'asked', text: 'Which approach do you prefer?' }])).not.toContain(
    '## Decisions made',
  );
});
