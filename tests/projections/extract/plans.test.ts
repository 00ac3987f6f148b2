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
