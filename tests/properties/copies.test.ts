// Copies: of any tree of forks, imported in any order, only the new lines of a copy count.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import { type Copy, fork, oldResume, sdkFork } from '../helpers/forks.ts';
import { figuresOf, viewsOf } from '../helpers/projected.ts';
import { readWhole, Script } from '../helpers/transcripts.ts';

const KINDS = { fork, sdkFork, oldResume };

function original(): Buffer {
  const script = new Script({ session: '11111111-0000-4000-8000-000000000001', version: '2.1.150' });
  script.prompt('Why does the login test flake?', { promptId: 'first' });
  script.use('toolu_1', 'Bash', { command: 'npm test' });
  script.result('toolu_1', 'All tests passed');
  script.reply('The clock was mocked too late.');
  return script.bytes();
}

const family = fc.array(
  fc.record({
    kind: fc.constantFrom<keyof typeof KINDS>('fork', 'sdkFork', 'oldResume'),
    of: fc.nat(),
  }),
  { maxLength: 4 },
);

test('copies of copies, imported in any order, add their new lines and nothing else', () =>
  fc.assert(
    fc.asyncProperty(family, fc.nat(), fc.integer({ min: 1, max: 20 }), async (copies, turn, pageSize) => {
      const members: { bytes: Buffer; added: Copy['added'] }[] = [
        { bytes: original(), added: { prompts: 1, toolUses: 1, replies: 1 } },
      ];
      for (const [index, { kind, of }] of copies.entries()) {
        const session = `${String(index + 2).repeat(8)}-0000-4000-8000-00000000000${index + 2}`;
        members.push(KINDS[kind](members[of % members.length]!.bytes, session));
      }
      const lists: (readonly NewEvent[])[] = members.map(({ bytes }) => readWhole(bytes).newEvents);
      const from = turn % lists.length;
      const runner = await viewsOf([...lists.slice(from), ...lists.slice(0, from)], pageSize);
      const figures = await figuresOf(runner);
      for (const of of ['prompts', 'toolUses', 'replies'] as const)
        expect(figures[of], of).toBe(members.reduce((sum, { added }) => sum + added[of], 0));
    }),
    { numRuns: 25, seed: 20260104 },
  ));
