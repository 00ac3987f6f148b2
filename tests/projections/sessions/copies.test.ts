import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { type SessionRow, sessionKeys } from '../../../projections/index.ts';
import { onEachCorpus } from '../../helpers/corpus/corpora.ts';
import { fork, handOver, oldResume, sdkFork } from '../../helpers/forks.ts';
import { digestsOf, figuresOf, viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';

const KINDS = {
  'a fork that keeps uuids': fork,
  'a fork by the SDK, with new uuids': sdkFork,
  'an old-style resume that copies': oldResume,
} as const;
/** Each kind of copy is made of every nth real file. */
const EVERY = Number(process.env.ANNALS_TEST_SEEDS ?? 25) < 100 ? 12 : 3;
const BEFORE = '00000000-aaaa-4aaa-8aaa-000000000000';
const AFTER = 'ffffffff-aaaa-4aaa-8aaa-000000000000';

function eventsOf(bytes: Buffer): readonly NewEvent[] {
  return readWhole(bytes).newEvents;
}

async function growth(original: Buffer, copies: readonly { bytes: Buffer }[]) {
  const alone = await figuresOf(await viewsOf([eventsOf(original)]));
  const both = await viewsOf([eventsOf(original), ...copies.map(({ bytes }) => eventsOf(bytes))]);
  const reversed = await viewsOf([
    ...copies.map(({ bytes }) => eventsOf(bytes)).reverse(),
    eventsOf(original),
  ]);
  expect(await digestsOf(reversed)).toEqual(await digestsOf(both));
  return { alone, both: await figuresOf(both) };
}

onEachCorpus('Copies of sessions', ({ name: corpus, files }) => {
  const sessions = files.filter(
    ({ name }) => !name.includes('subagents') && !name.includes('claude_code.jsonl'),
  );
  /** A tool use that is open at the end of a file is reported when a line follows it, so a longer copy would add it. */
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
          // The lines that a copy adds are priced: two API messages of ten and one token each.
          expect(both.output - alone.output).toBe(2);
          expect(both.input - alone.input).toBe(20);
        }
      }
    },
  );

  it('a hand-over under a new id adds only what is new, and both are one conversation', async () => {
    for (const { bytes } of closed.filter((_, index) => index % every === 1)) {
      const { old, next } = handOver(bytes(), AFTER);
      const alone = await figuresOf(await viewsOf([eventsOf(bytes())]));
      const runner = await viewsOf([eventsOf(next.bytes), eventsOf(old)]);
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
  it('are not found between two sessions with the same text at different times', async () => {
    const one = new Script({ session: 'one', start: Date.UTC(2026, 0, 1) });
    one.prompt('continue');
    const two = new Script({ session: 'two', start: Date.UTC(2026, 0, 2), firstUuid: 100 });
    two.prompt('continue');
    expect(await figuresOf(await viewsOf([eventsOf(one.bytes()), eventsOf(two.bytes())]))).toMatchObject({
      prompts: 2,
      documents: 2,
    });
  });
});

it('Answers without a uuid are no copies of each other', async () => {
  const said = (session: string, text: string, at: number): NewEvent => ({
    type: 'agent.replied',
    agent: 'codex',
    session,
    dedupeKey: text,
    channel: 'transcript',
    occurredAt: at,
    body: { text },
  });
  const first = [said('s1', 'One.', 1_000), said('s1', 'Two.', 2_000)];
  const runner = await viewsOf([first, [said('s2', 'Three.', 1_500)]]);
  expect(await figuresOf(runner)).toMatchObject({ replies: 3 });
  // The same text at the same moment is one: a fork repeats lines without ids.
  const copied = await viewsOf([first, [said('s2', 'One.', 1_000)]]);
  expect(await figuresOf(copied)).toMatchObject({ replies: 2 });
});
