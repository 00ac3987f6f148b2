import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { type SessionRow, sessionKeys } from '../../../projections/index.ts';
import { onEachCorpus } from '../../helpers/corpora.ts';
import { fork, handOver, oldResume, sdkFork } from '../../helpers/forks.ts';
import { digestsOf, figuresOf, viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const KINDS = {
  'a fork that keeps uuids': fork,
  'a fork by the SDK, with new uuids': sdkFork,
  'an old-style resume that copies': oldResume,
} as const;
/** Each kind of copy is made of each so many of the real files. */
const EVERY = Number(process.env.ANNALS_TEST_SEEDS ?? 25) < 100 ? 6 : 3;
const BEFORE = '00000000-aaaa-4aaa-8aaa-000000000000';
const AFTER = 'ffffffff-aaaa-4aaa-8aaa-000000000000';

function told(bytes: Buffer): readonly NewEvent[] {
  return readWhole(bytes).newEvents;
}

async function growth(original: Buffer, copies: readonly { bytes: Buffer }[]) {
  const alone = await figuresOf(await viewsOf([told(original)]));
  const both = await viewsOf([told(original), ...copies.map(({ bytes }) => told(bytes))]);
  const reversed = await viewsOf([...copies.map(({ bytes }) => told(bytes)).reverse(), told(original)]);
  expect(await digestsOf(reversed)).toEqual(await digestsOf(both));
  return { alone, both: await figuresOf(both) };
}

onEachCorpus('Copies of sessions', ({ name: corpus, files }) => {
  const sessions = files.filter(
    ({ name }) => !name.includes('subagents') && !name.includes('claude_code.jsonl'),
  );
  /** A use that is open at the end of a file is told once something follows, so a copy that goes on would add it. */
  const closed = sessions.filter(({ bytes }) => readWhole(bytes()).state.open.length === 0);
  const every = corpus === 'real' ? EVERY : 2;

  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
    '%s adds only what is new in it, in either import order',
    async (kind) => {
      for (const { bytes } of closed.filter((_, index) => index % every === 0)) {
        const original = bytes();
        for (const session of [BEFORE, AFTER]) {
          const copy = KINDS[kind](original, session);
          const { alone, both } = await growth(original, [copy]);
          expect(both.prompts - alone.prompts).toBe(copy.added.prompts);
          expect(both.toolUses - alone.toolUses).toBe(copy.added.toolUses);
          expect(both.replies - alone.replies).toBe(copy.added.replies);
          expect(both.documents - alone.documents).toBe(
            copy.added.prompts + copy.added.toolUses + copy.added.replies,
          );
          // The lines a copy adds are priced: two API messages of ten and one token each.
          expect(both.output - alone.output).toBe(2);
          expect(both.input - alone.input).toBe(20);
        }
      }
    },
  );

  it('a hand-over under a new id adds only what is new, and the two are one conversation', async () => {
    for (const { bytes } of closed.filter((_, index) => index % every === 1)) {
      const { old, next } = handOver(bytes(), AFTER);
      const alone = await figuresOf(await viewsOf([told(bytes())]));
      const runner = await viewsOf([told(next.bytes), told(old)]);
      const both = await figuresOf(runner);
      expect(both.documents - alone.documents).toBe(
        next.added.prompts + next.added.toolUses + next.added.replies,
      );
      expect(both.output - alone.output).toBe(2);
      const sessions = (await runner.view('turns').range<SessionRow>(sessionKeys.sessions())).map(
        ([, row]) => row,
      );
      expect(sessions.flatMap((row) => row.continuedIn)).toEqual([AFTER]);
    }
  });

  it('a fork of a fork adds nothing of either', async () => {
    const original = closed[1]!.bytes();
    const first = fork(original, AFTER);
    const second = sdkFork(first.bytes, BEFORE);
    const { alone, both } = await growth(original, [first, second]);
    expect(both.prompts - alone.prompts).toBe(2);
    expect(both.toolUses - alone.toolUses).toBe(2);
  });
});

describe('Copies', () => {
  it('two sessions in which the same words were typed at different times are no copies', async () => {
    const one = new Script({ session: 'one', start: Date.UTC(2026, 0, 1) });
    one.prompt('continue');
    const two = new Script({ session: 'two', start: Date.UTC(2026, 0, 2), firstUuid: 100 });
    two.prompt('continue');
    expect(await figuresOf(await viewsOf([told(one.bytes()), told(two.bytes())]))).toMatchObject({
      prompts: 2,
      documents: 2,
    });
  });
});
