import { describe, expect, it } from 'vitest';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { ofType, readWhole, Script } from '../../helpers/transcripts.ts';

const PLAN = '# Plan: Cache the index\n\n## Context\n\nWe always rebuild it.';
const CLOSING =
  'If you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /home/u/x.jsonl';

function fromLine(text: string, extra: Record<string, unknown> = {}) {
  const script = new Script();
  script.prompt(text, extra);
  return ofType(readWhole(script.bytes()).newEvents, 'prompt.submitted').map(({ body }) => body);
}

function fromPayload(prompt: string) {
  const payload = { hook_event_name: 'UserPromptSubmit', session_id: 's', cwd: '/a', prompt };
  const { events } = hookEvents(payload, { spoolName: 'n', receivedAt: 1 });
  return ofType(events, 'prompt.submitted').map(({ body }) => body);
}

describe('An accepted plan that comes back as a prompt', () => {
  const text = `Implement the following plan:\n\n${PLAN}\n\n${CLOSING}`;

  it.each([
    ['a line with the plan in planContent', () => fromLine(text, { planContent: PLAN })],
    ['a line without planContent, by the closing sentence', () => fromLine(text)],
    ['a hook', () => fromPayload(text)],
    ['a hook, by the heading alone', () => fromPayload(`Implement the following plan:\n\n${PLAN}`)],
    [
      'a line of the newest origin',
      () => fromLine(text, { planContent: PLAN, origin: { kind: 'auto-continuation' } }),
    ],
  ])('has the words of the agent: %s', (_, read) => {
    expect(read()).toMatchObject([{ text: PLAN, author: 'agent', feedback: null, kind: 'prompt' }]);
  });

  it.each([
    ['a line', (prompt: string) => fromLine(prompt, { planContent: PLAN })],
    ['a hook', fromPayload],
  ])('separates the feedback of the person from the plan, for %s', (_, read) => {
    const added = 'Keep the old flag.\n\nAnd no new dependency. <private>PSECRET</private>';
    expect(read(`${text}\n\nUser feedback on this plan: ${added}`)).toMatchObject([
      { text: PLAN, author: 'agent', feedback: 'Keep the old flag.\n\nAnd no new dependency.' },
    ]);
  });

  it('is a person’s prompt when they typed such words themselves', () => {
    const typed = 'Implement the following plan:\n\n1. rename it\n2. run the tests';
    expect(fromLine(typed)).toMatchObject([{ text: typed }]);
    expect(fromLine(typed)[0]).not.toHaveProperty('author', 'agent');
    expect(fromPayload('Implement the plan')).toMatchObject([{ text: 'Implement the plan' }]);
  });

  it('is not a prompt when another program sends the same words', () => {
    expect(fromLine(text, { origin: { kind: 'peer' } })).toEqual([]);
    expect(fromLine('go on', { origin: { kind: 'auto-continuation' } })).toEqual([]);
  });
});
