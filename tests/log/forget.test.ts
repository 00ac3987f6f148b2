// What the log does when it is told that something was forgotten: bodies go, chains stay, and nobody brings it back.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Log, nameOfSession, namesToKeep, type SwapFiles, type Telling } from '../../log/index.ts';
import { openTestLog } from '../helpers/logs.ts';
import { toolTelling, toolTellings } from '../helpers/tellings.ts';
import { temporaryFolder } from '../helpers/world.ts';

const swap: SwapFiles = {
  exists: async (path) => existsSync(path),
  list: async (path) => (existsSync(path) ? readdirSync(path) : []),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { recursive: true, force: true }),
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let log: Log;
beforeEach(async () => {
  folder = await temporaryFolder();
  log = await openTestLog(folder.path, { swap });
});
afterEach(async () => {
  await log.close();
  await folder.remove();
});

async function reopen(): Promise<void> {
  await log.close();
  log = await openTestLog(folder.path, { swap });
}

const PROMPT: Telling<'prompt.submitted'> = {
  type: 'prompt.submitted',
  agent: 'claude-code',
  session: 'session-1',
  fact: 'uuid-of-the-prompt',
  witness: 'transcript',
  occurredAt: 1_767_225_600_000,
  body: { text: 'the qzxvkjwpmbtrnl is under the doormat', via: 'line', uuid: 'uuid-of-the-prompt' },
};

/** What a person's command tells: these events, with every name they might come back under. */
async function forgetting(...ids: string[]): Promise<Telling<'memory.forgotten'>> {
  const events = (await log.getMany(ids)).filter((event) => event !== undefined);
  return {
    type: 'memory.forgotten',
    agent: 'annals',
    session: null,
    fact: `forgetting-${ids.length}-${ids[0]}`,
    witness: 'cli',
    occurredAt: 1_767_300_000_000,
    body: {
      by: 'ids',
      events: events.map(({ id, agent, session }) => ({ agent, session, ids: [id] })),
      names: events.flatMap((event) => namesToKeep(event as Parameters<typeof namesToKeep>[0])),
      items: ['p-000000000001'],
    },
  };
}

async function idOf(telling: Telling): Promise<string> {
  const [outcome] = await log.append([telling]);
  return outcome!.id;
}

describe('a forgotten event', () => {
  test('has no body any more, its neighbours are as they were, and the log verifies', async () => {
    await log.append(toolTellings(3));
    const id = await idOf(PROMPT);
    await log.append(toolTellings(3, 4));
    const chain = (await log.page({ after: 0 })).end.chain;
    await log.append([await forgetting(id)]);
    for (const _ of [1, 2]) {
      const page = await log.page({ after: 0 });
      expect(page.events.map(({ type }) => type)).toEqual([
        ...Array(3).fill('tool.used'),
        'unknown',
        ...Array(3).fill('tool.used'),
        'memory.forgotten',
      ]);
      expect(page.events[3]).toMatchObject({ id, forgotten: true, unknownType: 'prompt.submitted' });
      expect(await log.get(id)).toBeUndefined();
      expect(await log.forgotten(id)).toMatchObject({ at: 1_767_300_000_000 });
      expect(log.forgotten('p-0000')).toMatchObject({ at: 1_767_300_000_000 });
      expect(log.forgotten('p-0001')).toBeUndefined();
      expect(await log.verify()).toMatchObject({ ok: true, events: 8 });
      expect((await log.page({ after: 0, limit: 7 })).end.chain).toBe(chain);
      await reopen();
    }
  });

  test('stays forgotten when it is told again, by the same witness, by another, in a fork, from a hook', async () => {
    const id = await idOf(PROMPT);
    const tool = await idOf(toolTelling(7));
    await log.append([await forgetting(id, tool)]);
    await reopen();
    const { position } = log.head();
    const again: Telling[] = [
      PROMPT,
      { ...PROMPT, session: 'a-fork' },
      // The SDK's fork: another uuid, the same words at the same moment.
      { ...PROMPT, session: 'sdk-fork', fact: 'other', body: { ...PROMPT.body, uuid: 'other' } },
      // A hook: its own name for it, seconds later, white space as typed.
      {
        ...PROMPT,
        witness: 'hook',
        fact: 'spool-1',
        occurredAt: 1_767_225_603_000,
        body: { text: 'the  qzxvkjwpmbtrnl is under\nthe doormat', via: 'hook' },
      },
      { ...toolTelling(7), witness: 'hook' },
      { ...toolTelling(7), session: 'a-fork' },
      {
        ...toolTelling(7),
        type: 'tool.unanswered',
        body: { toolUseId: 'toolu_7', name: 'Bash' },
      } as Telling<'tool.unanswered'>,
    ];
    const outcomes = await log.append(again);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(7).fill('forgotten'));
    expect(log.head().position).toBe(position);
    const others: Telling[] = [
      toolTelling(8),
      { ...PROMPT, session: 'another', fact: 'b', occurredAt: 5, body: { ...PROMPT.body, uuid: 'b' } },
      {
        ...PROMPT,
        witness: 'hook',
        fact: 'spool-2',
        occurredAt: 1_767_225_700_000,
        body: { text: 'and the cat?', via: 'hook' },
      },
    ];
    const mixed = await log.append([again[1]!, ...others]);
    expect(mixed.map(({ outcome }) => outcome)).toEqual(['forgotten', 'appended', 'appended', 'appended']);
  });

  test('of a whole session takes with it whatever is told of that session later', async () => {
    const id = await idOf(PROMPT);
    const telling = await forgetting(id);
    await log.append([
      { ...telling, body: { ...telling.body, names: [nameOfSession('claude-code', 'session-1')] } },
    ]);
    const [known, other] = await log.append([toolTelling(1), toolTelling(1, 'session-2')]);
    expect([known!.outcome, other!.outcome]).toEqual(['forgotten', 'appended']);
  });

  test('that is told in the same call before it was written is blanked too', async () => {
    const id = await idOf(PROMPT);
    const outcomes = await log.append([toolTelling(1), await forgetting(id), toolTelling(2), PROMPT]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['appended', 'appended', 'appended', 'forgotten']);
    expect(await log.verify()).toMatchObject({ ok: true, events: 4 });
  });
});

describe('a rewritten log', () => {
  const filesHolding = (word: string): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(folder.path, name);
      return !readdirSyncOrNull(path) && readFileSync(path).includes(word);
    });

  test('holds what it held, and no byte of what was forgotten', async () => {
    await log.append(toolTellings(40));
    const id = await idOf(PROMPT);
    await log.append(toolTellings(40, 41));
    await log.append([await forgetting(id)], { cursors: [{ key: 'place', value: { at: 7 } }] });
    expect(filesHolding('qzxvkjwpmbtrnl')).not.toEqual([]);
    const before = { page: await log.page({ after: 0 }), head: log.head() };
    const steps: string[] = [];
    const report = await log.rewrite({ onStep: (step) => void steps.push(step) });
    expect(steps).toEqual(['copied', 'ready', 'aside', 'swapped', 'opened', 'cleared']);
    expect(report.events).toBe(82);
    for (const _ of [1, 2]) {
      expect(filesHolding('qzxvkjwpmbtrnl')).toEqual([]);
      expect({ page: await log.page({ after: 0 }), head: log.head() }).toEqual(before);
      expect(await log.cursor('place')).toEqual({ at: 7 });
      expect(await log.verify()).toMatchObject({ ok: true, events: 82 });
      await reopen();
    }
    const [outcome] = await log.append([toolTelling(99)]);
    expect(outcome).toMatchObject({ outcome: 'appended', position: 83 });
  });

  test('takes what is told while it is rewritten', async () => {
    await log.append(toolTellings(300));
    const rewriting = log.rewrite();
    const appended = log.append(toolTellings(5, 301));
    const read = log.page({ after: 0, limit: 10 });
    await rewriting;
    expect((await appended).map(({ position }) => position)).toEqual([301, 302, 303, 304, 305]);
    expect((await read).events.length).toBe(10);
    expect(await log.verify()).toMatchObject({ ok: true, events: 305 });
  });

  test.each(['copied', 'ready', 'aside', 'swapped', 'opened'] as const)(
    'opens whole when the process ended after the step "%s", and leaves no other folder',
    async (last) => {
      await log.append(toolTellings(50));
      const id = await idOf(PROMPT);
      await log.append([await forgetting(id)]);
      await expect(
        log.rewrite({
          onStep: (step) => {
            if (step === last) throw new Error('ended here');
          },
        }),
      ).rejects.toThrow();
      await reopen();
      expect(await log.verify()).toMatchObject({ ok: true, events: 52, problems: [] });
      expect(log.damage).toEqual([]);
      expect(readdirSync(folder.path).sort()).toEqual(['head.json', 'log']);
      expect(filesHolding('qzxvkjwpmbtrnl').length > 0).toBe(last === 'copied');
      expect((await log.append([toolTelling(60)]))[0]).toMatchObject({ position: 53 });
    },
  );

  test('is refused when the log is damaged, and stays as it is', async () => {
    await log.append(toolTellings(50));
    await log.close();
    const name = readdirSync(join(folder.path, 'log')).find((one) => one.endsWith('.log'))!;
    rmSync(join(folder.path, 'log', name));
    log = await openTestLog(folder.path, { swap });
    expect(log.damage).not.toEqual([]);
    await log.append(toolTellings(5));
    await log.rewrite();
    expect((await log.verify()).problems.map(({ kind }) => kind)).toContain('head');
  });
});

function readdirSyncOrNull(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
