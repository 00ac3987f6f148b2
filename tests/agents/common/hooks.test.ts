import { expect, test } from 'vitest';
import { HOOKS, hooksOf } from '../../../src/agents/hooks.ts';
import { AGENTS } from '../../../src/agents/index.ts';

test('the hooks that a session start loads are those of the agent', async () => {
  const hooked = AGENTS.filter(({ hooks }) => hooks !== null);
  expect([...HOOKS.keys()].sort()).toEqual(hooked.map(({ name }) => name).sort());
  for (const { name, hooks } of AGENTS) expect(await hooksOf(name)).toBe(hooks);
  expect(await hooksOf('heron')).toBeNull();
});
