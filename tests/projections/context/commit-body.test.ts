// The body of a commit message, as a brief shows it.
import { describe, expect, it } from 'vitest';
import { type ContextRow, newestRows, type ObservationLine } from '../../../projections/index.ts';
import { observation, told, viewOf, WORKDIR } from './rows.ts';

async function commitsOf(...messages: readonly string[]): Promise<ObservationLine['commits']> {
  const commits = messages.map((message, index) => ({ hash: `abc123${index}`, message }));
  const view = await viewOf([told(observation(1, { evidence: { commits } }))]);
  const [row] = (await newestRows(view, [WORKDIR], 'observation', 1)) as ContextRow[];
  return (row as ObservationLine).commits;
}

describe('The body of a commit message', () => {
  it('is one line: wrapped lines are joined, and items of a list end like sentences', async () => {
    const message =
      'feat: open before dusk\n\nThe plan was read once a day,\nso it was late.\n\nKey changes:\n- the hatch asks the clock\n  every hour\n- Plans carry a zone';
    expect(await commitsOf(message)).toEqual([
      {
        hash: 'abc1230',
        branch: null,
        subject: 'feat: open before dusk',
        body: 'The plan was read once a day, so it was late. The hatch asks the clock every hour. Plans carry a zone.',
      },
    ]);
  });

  it('keeps introductions that change the meaning of a list, and file names as written', async () => {
    const message =
      'Read settings once\n\nPreviously they were read in two places:\n- feed.ts (by hand)\n- plan.ts\n\nChanges:\n- lamp.ts asks for them\n\n1. feed.ts contains:\n   - load()\n   - save()';
    const [commit] = await commitsOf(message);
    expect(commit!.body).toBe(
      'Previously they were read in two places: feed.ts (by hand); plan.ts. lamp.ts asks for them. feed.ts contains: load(); save().',
    );
  });

  it('contains no trailers, and is empty when there is only a subject', async () => {
    const [first, second] = await commitsOf(
      'fix: oil\n\nThe hinge was dry.\n\nCloses #12\nReviewed-by: Robin <robin@example.com>',
      'fix: paint',
    );
    expect(first!.body).toBe('The hinge was dry.');
    expect(second!.body).toBe('');
  });

  it('of a repository made for a test is left out', async () => {
    expect((await commitsOf('init', 'Initial commit', 'fix: oil')).map(({ subject }) => subject)).toEqual([
      'fix: oil',
    ]);
  });

  it('is parsed in linear time, however its characters are repeated, without trailers', async () => {
    const dashes = `Note${'-'.repeat(500)} end of the table`;
    const message = `Feed twice\n\n${dashes}\nFollow-up: the lamp is next.\n\nFixes 3 places where it was dark\n\nFixes #12\nChange-Id: I77\nSigned-off-by: someone`;
    const [commit] = await commitsOf(message);
    expect(commit!.body).toBe(`${dashes} Follow-up: the lamp is next. Fixes 3 places where it was dark.`);
  });
});
