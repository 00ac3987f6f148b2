// An accepted plan: its text is the agent's, and it is named by its heading.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

const BODY =
  '\n\n## Context\n\nThe hatch is late.\n\n- Never touch the clock of the feeder\n- Use one plan, not two plans\n';

async function accepted(plan: string, before?: string) {
  const session = new Session();
  if (before !== undefined) session.prompt(before);
  session.prompt(plan);
  session.edited('/home/u/app/src/feed.ts').ran('npm test', 'Tests  9 passed (9)');
  session.reply('Changed the feeder so that it opens an hour before dusk on every day of the week.');
  const { observations, summaries } = await remembered(session);
  return { observation: observations.at(-1)!, summary: summaries.at(-1)! };
}

/** The result of an approved plan up to the plan, as Claude Code 2.1.330 writes it. */
function approved(): string {
  const start = 'User has approved your plan. You can now start coding. Start with updating your todo list';
  const file = '/home/u/.claude/plans/make-the-hatch-open-snappy-gizmo.md';
  return `${start} if applicable\n\nYour plan has been saved to: ${file}\nYou can refer back to it if needed during implementation.\n\n## Approved Plan`;
}

describe('An accepted plan', () => {
  it.each([
    ['# Plan: Open before dusk', 'Open before dusk'],
    ['# Open before dusk', 'Open before dusk'],
    ['## Implementation Plan — Open before dusk', 'Open before dusk'],
    ['# Plan : Ouvrir avant la nuit', 'Ouvrir avant la nuit'],
    ['Open before dusk', 'Open before dusk'],
  ])('is named by its own heading: %s', async (heading, name) => {
    const { summary } = await accepted(`Implement the following plan:\n\n${heading}${BODY}`);
    expect(summary.request).toBe(name);
    expect(summary.requestBy).toBe('agent');
    expect(`${summary.title} ${summary.request}`).not.toContain('Implement the following plan');
  });

  it('contains no decision of the person', async () => {
    const { observation } = await accepted(`Implement the following plan:\n\n# Open before dusk${BODY}`);
    expect(observation.evidence.decisions).toEqual([]);
  });

  it.each([
    [
      'a section',
      '## Design Decisions (confirmed with the person)\n\n- **Clock**: keep the one of the feeder.\n- No second hatch\n\nAnd so on.\n\n- Not decided',
    ],
    [
      'a label',
      '**User decisions:**\n- Clock: keep the one of the feeder\n- No second hatch\n\n## Changes\n- Not decided',
    ],
  ])('gives what it decided in %s as accepted, in the words of the agent', async (_, section) => {
    const { observation } = await accepted(
      `Implement the following plan:\n\n# Open before dusk\n\n${section}\n`,
    );
    expect(observation.evidence.decisions).toEqual([
      'The person: Accepted plan “Open before dusk”. Chosen: Clock: keep the one of the feeder; No second hatch',
    ]);
  });

  it('gives its goal if it has no section on decisions', async () => {
    const { observation } = await accepted(
      'Implement the following plan:\n\n# Open before dusk\n\n**Goal**: The hatch opens an hour before dusk.\n\n- Not decided\n',
    );
    expect(observation.evidence.decisions).toEqual([
      'The person: Accepted plan “Open before dusk”. Chosen: The hatch opens an hour before dusk.',
    ]);
  });

  const PROPOSED = '# Open before dusk\n\n## Decisions\n\n- No second hatch';
  it.each([
    ['agreed', `${approved()}:\n${PROPOSED}\n`, ['No second hatch']],
    [
      'changed it first',
      `${approved()} (edited by user):\n${PROPOSED.replace('No second', 'One more')}\n`,
      ['One more hatch'],
    ],
    [
      'changed a plan that is too long to keep',
      `${approved()} (edited by user):\n${PROPOSED}\n${'- A step\n'.repeat(2_000)}`,
      [],
    ],
    ['agreed to no plan', 'User has approved exiting plan mode. You can now proceed.', []],
    ['was not asked', 'Your plan was submitted to the team lead for approval.', []],
  ])('of a tool use counts if the host reports that the person %s', async (_, printed, chosen) => {
    const session = new Session();
    session.prompt('Make the hatch open earlier');
    session.use('plan', 'ExitPlanMode', { plan: PROPOSED });
    session.result('plan', printed);
    session.edited('/home/u/app/src/feed.ts');
    session.reply('Changed the feeder so that it opens an hour before dusk on every day of the week.');
    const { observations } = await remembered(session);
    expect(observations.at(-1)!.evidence.decisions).toEqual(
      chosen.map((item) => `The person: Accepted plan “Open before dusk”. Chosen: ${item}`),
    );
  });

  it('differs from another plan', async () => {
    const one = await accepted(`Implement the following plan:\n\n# Open before dusk${BODY}`);
    const other = await accepted(`Implement the following plan:\n\n# Paint the roof${BODY}`);
    expect(one.summary.title).not.toBe(other.summary.title);
  });

  it('is not a prompt that only mentions a plan', async () => {
    const { summary } = await accepted(
      'Please implement the plan that we made, and never touch the clock of it.',
    );
    expect(summary.requestBy).toBe('person');
  });
});
