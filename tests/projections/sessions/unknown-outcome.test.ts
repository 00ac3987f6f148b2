// Some hooks report a command that failed like one that succeeded. Such an event has no outcome, and the transcript's counts.
import { expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { readTool } from '../../../projections/index.ts';
import { itemsOf, turnsOf, viewsOf } from '../../helpers/projected.ts';
import { rememberedBy } from '../extract/observed.ts';

const AT = Date.UTC(2026, 0, 1);
const BASE = { agent: 'codex', session: 's1', occurredAt: AT } as const;

const PROMPT: NewEvent = {
  ...BASE,
  channel: 'hook',
  type: 'prompt.submitted',
  dedupeKey: 'p1',
  body: { text: 'Make the feeder open before dusk, please.', private: false, via: 'hook', promptId: 't1' },
};

function used(
  id: string,
  fields: Record<string, unknown>,
  channel: 'hook' | 'transcript' = 'hook',
): NewEvent {
  const body = { toolUseId: id, result: 'done', endedAt: AT + 9, promptId: 't1', ...fields };
  return { ...BASE, channel, type: 'tool.used', dedupeKey: id, occurredAt: AT + 9, body } as NewEvent;
}

const HOOK = used('c1', { name: 'Bash', input: { command: 'npm test' }, outcome: null });
const LINE = used(
  'c1',
  { name: 'exec_command', input: { cmd: 'npm test' }, outcome: 'failed', error: 'exit code 1' },
  'transcript',
);

it.each([
  ['the hook first', [HOOK, LINE]],
  ['the transcript first', [LINE, HOOK]],
])('The outcome of a use is the transcript’s: %s', async (_, uses) => {
  const [tool] = await itemsOf(await turnsOf([[PROMPT, ...uses]]), 'tool');
  expect(tool!.kind === 'tool' && readTool(tool!)).toMatchObject({ outcome: 'failed', error: 'exit code 1' });
});

it('A command whose outcome only the transcript knows is no evidence before it is read', async () => {
  const edit = used('c2', {
    name: 'apply_patch',
    input: { command: '*** Begin Patch\n*** Add File: feed.ts\n+x\n*** End Patch' },
    outcome: 'ok',
  });
  const answer: NewEvent = {
    ...BASE,
    channel: 'hook',
    type: 'agent.stopped',
    dedupeKey: 'stop1',
    occurredAt: AT + 20,
    body: {
      reason: 'stop',
      text: 'Changed the feeder so that it opens an hour before dusk.',
      promptId: 't1',
    },
  };
  const runner = await viewsOf([[PROMPT, edit, HOOK, answer]]);
  const { observations, documents } = await rememberedBy(runner);
  expect(observations[0]!.evidence).toMatchObject({
    commands: [{ command: 'npm test', outcome: null }],
    tests: [],
  });
  expect(documents.find(({ title }) => title === 'npm test')!.outcome).toBeNull();
});
