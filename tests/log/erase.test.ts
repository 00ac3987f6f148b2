// Forgetting in the log: bodies are removed, the chain stays, and later reports of the same things are rejected.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blankingOf } from '../../log/erase/blank-events.ts';
import { type Log, type NewEvent, nameOfSession, type SwapFiles, tombstoneNames } from '../../log/index.ts';
import { identity } from '../../src/platform/disk-files.ts';
import { memoryStore, openMemoryLog, openTestLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';
import { temporaryFolder } from '../helpers/world.ts';

const swap: SwapFiles = {
  exists: async (path) => existsSync(path),
  list: async (path) => (existsSync(path) ? readdirSync(path) : []),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { recursive: true, force: true }),
  identity,
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

const PROMPT: NewEvent<'prompt.submitted'> = {
  type: 'prompt.submitted',
  agent: 'claude-code',
  session: 'session-1',
  dedupeKey: 'uuid-of-the-prompt',
  channel: 'transcript',
  occurredAt: 1_767_225_600_000,
  body: { text: 'the qzxvkjwpmbtrnl is under the doormat', via: 'line', uuid: 'uuid-of-the-prompt' },
};

/** The event of a forget command: these events, with every name that recognises a later report of them. */
async function forgetting(...ids: string[]): Promise<NewEvent<'memory.forgotten'>> {
  const events = (await log.getMany(ids)).filter((event) => event !== undefined);
  return {
    type: 'memory.forgotten',
    agent: 'annals',
    session: null,
    dedupeKey: `forgetting-${ids.length}-${ids[0]}`,
    channel: 'cli',
    occurredAt: 1_767_300_000_000,
    body: {
      by: 'ids',
      events: events.map(({ id, agent, session }) => ({ agent, session, ids: [id] })),
      names: events.flatMap((event) => tombstoneNames(event as Parameters<typeof tombstoneNames>[0])),
      items: ['p-000000000001'],
    },
  };
}

async function idOf(newEvent: NewEvent): Promise<string> {
  const [outcome] = await log.append([newEvent]);
  return outcome!.id;
}

describe('a forgotten event', () => {
  test('has no body, its neighbours are unchanged, and the log verifies', async () => {
    await log.append(toolEvents(3));
    const id = await idOf(PROMPT);
    await log.append(toolEvents(3, 4));
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

  test('without text stays forgotten in a fork with new uuids, because its message id is the same', async () => {
    const thinking: NewEvent<'agent.replied'> = {
      type: 'agent.replied',
      agent: 'claude-code',
      session: 'session-1',
      dedupeKey: 'uuid-of-the-thinking',
      channel: 'transcript',
      occurredAt: 1_767_225_600_000,
      body: { messageId: 'msg_of_the_thinking', block: 0, text: null, uuid: 'uuid-of-the-thinking' },
    };
    const copy = (block: number): NewEvent<'agent.replied'> => ({
      ...thinking,
      session: 'sdk-fork',
      dedupeKey: `new-uuid-${block}`,
      body: { ...thinking.body, block, uuid: `new-uuid-${block}` },
    });
    await log.append([await forgetting(await idOf(thinking))]);
    const outcomes = await log.append([copy(0), copy(1)]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['forgotten', 'appended']);
  });

  test('stays forgotten when it is reported again by any channel, in a fork or from a hook', async () => {
    const id = await idOf(PROMPT);
    const tool = await idOf(toolEvent(7));
    await log.append([await forgetting(id, tool)]);
    await reopen();
    const { position } = log.head();
    const again: NewEvent[] = [
      PROMPT,
      { ...PROMPT, session: 'a-fork' },
      // A fork of the SDK: another uuid, the same text at the same moment.
      { ...PROMPT, session: 'sdk-fork', dedupeKey: 'other', body: { ...PROMPT.body, uuid: 'other' } },
      // A hook: its own dedupe key, seconds later, with the original white space.
      {
        ...PROMPT,
        channel: 'hook',
        dedupeKey: 'spool-1',
        occurredAt: 1_767_225_603_000,
        body: { text: 'the  qzxvkjwpmbtrnl is under\nthe doormat', via: 'hook' },
      },
      { ...toolEvent(7), channel: 'hook' },
      { ...toolEvent(7), session: 'a-fork' },
      {
        ...toolEvent(7),
        type: 'tool.unanswered',
        body: { toolUseId: 'toolu_7', name: 'Bash' },
      } as NewEvent<'tool.unanswered'>,
    ];
    const outcomes = await log.append(again);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(7).fill('forgotten'));
    expect(log.head().position).toBe(position);
    const others: NewEvent[] = [
      toolEvent(8),
      { ...PROMPT, session: 'another', dedupeKey: 'b', occurredAt: 5, body: { ...PROMPT.body, uuid: 'b' } },
      {
        ...PROMPT,
        channel: 'hook',
        dedupeKey: 'spool-2',
        occurredAt: 1_767_225_700_000,
        body: { text: 'and the cat?', via: 'hook' },
      },
    ];
    const mixed = await log.append([again[1]!, ...others]);
    expect(mixed.map(({ outcome }) => outcome)).toEqual(['forgotten', 'appended', 'appended', 'appended']);
  });

  test('with the name of its session makes all later events of that session forgotten', async () => {
    const id = await idOf(PROMPT);
    const newEvent = await forgetting(id);
    await log.append([
      { ...newEvent, body: { ...newEvent.body, names: [nameOfSession('claude-code', 'session-1')] } },
    ]);
    const [known, other] = await log.append([toolEvent(1), toolEvent(1, 'session-2')]);
    expect([known!.outcome, other!.outcome]).toEqual(['forgotten', 'appended']);
  });

  test('is not stored again while the forgetting is being written', async () => {
    const id = await idOf(PROMPT);
    const forgettingIt = log.append([await forgetting(id)]);
    const again = log.append([{ ...PROMPT, session: 'a-fork' }]);
    await forgettingIt;
    expect(await again).toMatchObject([{ outcome: 'forgotten' }]);
    expect(log.head().position).toBe(2);
  });

  test('is stored again when the forgetting could not be written', async () => {
    await log.close();
    const store = memoryStore();
    log = await openMemoryLog(store);
    const id = await idOf(PROMPT);
    const newEvent = await forgetting(id);
    const write = store.batch.bind(store);
    Object.assign(store, {
      batch: () => Object.assign(write(), { write: () => Promise.reject(new Error('no')) }),
    });
    await expect(log.append([newEvent])).rejects.toThrow();
    Object.assign(store, { batch: write });
    expect(log.forgotten(id)).toBeUndefined();
    expect((await log.append([{ ...PROMPT, session: 'a-fork' }]))[0]).toMatchObject({ outcome: 'appended' });
  });

  test('that is repeated after the forgetting in the same call is forgotten too', async () => {
    const id = await idOf(PROMPT);
    const outcomes = await log.append([toolEvent(1), await forgetting(id), toolEvent(2), PROMPT]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['appended', 'appended', 'appended', 'forgotten']);
    expect(await log.verify()).toMatchObject({ ok: true, events: 4 });
  });
});

test('an id in another spelling blanks nothing', async () => {
  const store = memoryStore();
  const other = await openMemoryLog(store);
  const [stored] = await other.append([PROMPT]);
  const meta = { logId: other.logId, origin: other.origin };
  expect(await blankingOf(store as never, meta, [stored!.id])).toHaveLength(2);
  expect(await blankingOf(store as never, meta, [stored!.id.toUpperCase(), `${stored!.id}ab`])).toHaveLength(
    1,
  );
  await other.close();
});

describe('a rewritten log', () => {
  const filesHolding = (word: string): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(folder.path, name);
      return !readdirSyncOrNull(path) && readFileSync(path).includes(word);
    });

  test('keeps all other events, and no byte of a forgotten one', async () => {
    await log.append(toolEvents(40));
    const id = await idOf(PROMPT);
    await log.append(toolEvents(40, 41));
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
    const [outcome] = await log.append([toolEvent(99)]);
    expect(outcome).toMatchObject({ outcome: 'appended', position: 83 });
  });

  test('stores events that are appended while it is rewritten', async () => {
    await log.append(toolEvents(300));
    const rewriting = log.rewrite();
    const appended = log.append(toolEvents(5, 301));
    const read = log.page({ after: 0, limit: 10 });
    await rewriting;
    expect((await appended).map(({ position }) => position)).toEqual([301, 302, 303, 304, 305]);
    expect((await read).events.length).toBe(10);
    expect(await log.verify()).toMatchObject({ ok: true, events: 305 });
  });

  /** Opens a copy of the files as they are after a step: a copy has no lock, as after a kill. */
  async function openedAfter(last: string): Promise<{ path: string; log: Log }> {
    const path = join(folder.path, 'killed');
    await log.rewrite({
      onStep: (step) => {
        if (step !== last) return;
        mkdirSync(path);
        for (const name of readdirSync(folder.path))
          if (name !== 'killed') cpSync(join(folder.path, name), join(path, name), { recursive: true });
      },
    });
    return { path, log: await openTestLog(path, { swap }) };
  }

  test.each(['copied', 'ready', 'aside', 'swapped', 'opened'] as const)(
    'opens complete when the process ended after the step "%s", and leaves no other folder',
    async (last) => {
      await log.append(toolEvents(50));
      const id = await idOf(PROMPT);
      await log.append([await forgetting(id)]);
      const killed = await openedAfter(last);
      expect(await killed.log.verify()).toMatchObject({ ok: true, events: 52, problems: [] });
      expect(killed.log.damage).toEqual([]);
      expect(readdirSync(killed.path).filter((name) => name.startsWith('log'))).toEqual(['log']);
      // Before the swap the old log is still the log; the forget command records that a rewrite is pending.
      expect(filesHolding('qzxvkjwpmbtrnl').length > 0).toBe(last === 'copied' || last === 'ready');
      expect((await killed.log.append([toolEvent(60)]))[0]).toMatchObject({ position: 53 });
      await killed.log.close();
    },
  );

  test('is in synced tables but for its last batch, when it takes the place of the log', async () => {
    await log.append(toolEvents(300, 1, 'session-1', 2_000));
    const sizes = new Map<string, number>();
    await log.rewrite({
      onStep: (step) => {
        if (step !== 'swapped') return;
        for (const name of readdirSync(join(folder.path, 'log')))
          sizes.set(name, statSync(join(folder.path, 'log', name)).size);
      },
    });
    const unsorted = [...sizes].filter(([name]) => name.endsWith('.log'));
    expect([...sizes].filter(([name]) => name.endsWith('.ldb')).length).toBeGreaterThan(0);
    expect(unsorted.map(([, size]) => size < 1.1 * 1024 * 1024)).toEqual([true]);
  });

  test('stays as it was when no table of its copy can be made', async () => {
    await log.append(toolEvents(300, 1, 'session-1', 2_000));
    await log.close();
    let fresh = '';
    const blocking: SwapFiles = {
      ...swap,
      async remove(path) {
        await swap.remove(path);
        if (!path.endsWith('.fresh')) return;
        fresh = path;
        for (const number of [4, 5, 6, 7, 8])
          mkdirSync(join(path, `00000${number}.ldb`), { recursive: true });
      },
    };
    log = await openTestLog(folder.path, { swap: blocking });
    await expect(log.rewrite()).rejects.toThrow();
    expect(fresh).not.toBe('');
    expect(await log.verify()).toMatchObject({ ok: true, events: 300 });
  });

  test('waits for a verification that begins with it', async () => {
    await log.append(toolEvents(5));
    await log.saveHead();
    for (let hops = 0; hops < 12; hops++) {
      const rewriting = log.rewrite();
      for (let hop = 0; hop < hops; hop++) await Promise.resolve();
      const [{ events }, { ok }] = await Promise.all([rewriting, log.verify()]);
      expect([events, ok]).toEqual([5, true]);
    }
  });

  test('is finished even when a listener throws, and the exception is rethrown afterwards', async () => {
    await log.append(toolEvents(5));
    for (const last of ['copied', 'ready', 'aside', 'swapped', 'opened', 'cleared']) {
      const rewriting = log.rewrite({
        onStep: (step) => {
          if (step === last) throw new Error('a listener threw');
        },
      });
      await expect(rewriting).rejects.toThrow('a listener threw');
      expect(readdirSync(folder.path).filter((name) => name.startsWith('log'))).toEqual(['log']);
    }
    await log.append([toolEvent(6)]);
    await reopen();
    expect(await log.verify()).toMatchObject({ ok: true, events: 6, problems: [] });
  });

  test.each(['.next', '.old', ''])(
    'keeps events that are appended after a failed rename to log%s',
    async (to) => {
      await log.append(toolEvents(2));
      await log.close();
      let failing = true;
      const busy: SwapFiles = {
        ...swap,
        async rename(from, onto) {
          if (failing && onto.endsWith(`log${to}`)) {
            failing = false;
            throw Object.assign(new Error('EPERM: busy'), { code: 'EPERM' });
          }
          await swap.rename(from, onto);
        },
      };
      log = await openTestLog(folder.path, { swap: busy });
      const rewriting = log.rewrite();
      const waiting = log.append([toolEvent(3)]);
      await expect(rewriting).rejects.toThrow();
      expect(await waiting).toMatchObject([{ outcome: 'appended', position: 3 }]);
      await log.append([toolEvent(4)], { cursors: [{ key: 'place', value: 4 }] });
      expect(readdirSync(folder.path).filter((name) => name.startsWith('log'))).toEqual(['log']);
      await reopen();
      expect(await log.verify()).toMatchObject({ ok: true, events: 4, problems: [] });
      expect(await log.cursor('place')).toBe(4);
    },
  );

  test('accepts no events while an unfinished copy cannot be removed, and continues when it can', async () => {
    await log.append(toolEvents(2));
    await log.close();
    let busy = false;
    const refuse = () => {
      if (busy) throw Object.assign(new Error('EPERM: busy'), { code: 'EPERM' });
    };
    log = await openTestLog(folder.path, {
      swap: {
        ...swap,
        async rename(from, to) {
          if (to.endsWith('.old')) busy = true;
          refuse();
          await swap.rename(from, to);
        },
        async remove(path) {
          refuse();
          await swap.remove(path);
        },
      },
    });
    await expect(log.rewrite()).rejects.toThrow();
    await expect(log.append([toolEvent(3)])).rejects.toMatchObject({
      code: 'HOME_UNWRITABLE',
      message: expect.stringContaining('accepts no events until'),
    });
    busy = false;
    expect(await log.append([toolEvent(3)])).toMatchObject([{ position: 3 }]);
    expect(existsSync(join(folder.path, 'log.next'))).toBe(false);
  });

  test('is never replaced by an older copy beside it', async () => {
    await log.append(toolEvents(2));
    await log.close();
    cpSync(join(folder.path, 'log'), join(folder.path, 'log.next'), { recursive: true });
    log = await openTestLog(folder.path);
    await log.append([toolEvent(3)]);
    await reopen();
    expect(await log.verify()).toMatchObject({ ok: true, events: 3, problems: [] });
    expect(existsSync(join(folder.path, 'log.next'))).toBe(false);
  });

  test('is swapped in even when another process left an empty store in its place', async () => {
    await log.append(toolEvents(2));
    const inTheWay = (step: string) => {
      if (step === 'aside') shellOfStore(join(folder.path, 'log'));
    };
    await log.rewrite({ onStep: inTheWay });
    await log.append([toolEvent(3)]);
    await reopen();
    expect(await log.verify()).toMatchObject({ ok: true, events: 3, problems: [] });
  });

  test('is found by the next open despite an empty store in its place, after the rewriter was killed', async () => {
    await log.append(toolEvents(2));
    await log.close();
    cpSync(join(folder.path, 'log'), join(folder.path, 'log.next'), { recursive: true });
    await rename(join(folder.path, 'log'), join(folder.path, 'log.old'));
    shellOfStore(join(folder.path, 'log'));
    log = await openTestLog(folder.path, { swap });
    expect(await log.verify()).toMatchObject({ ok: true, events: 2, problems: [] });
    expect(readdirSync(folder.path).sort()).toEqual(['head.json', 'log', 'rewriting']);
  });

  test('cannot be opened while another process moves it, and no new log is created meanwhile', async () => {
    await log.append(toolEvents(2));
    await log.close();
    const path = join(folder.path, 'log');
    cpSync(path, `${path}.next`, { recursive: true });
    await rename(path, `${path}.old`);
    const mover = spawn(process.execPath, ['-e', HOLD_STORE, join(folder.path, 'rewriting')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => mover.once('close', resolve));
    try {
      await new Promise((resolve) => mover.stdout.once('data', resolve));
      await expect(openTestLog(folder.path, { swap })).rejects.toMatchObject({ code: 'HOME_LOCKED' });
      expect(existsSync(path)).toBe(false);
    } finally {
      mover.stdin.end();
      await ended;
    }
    log = await openTestLog(folder.path, { swap });
    expect(await log.verify()).toMatchObject({ ok: true, events: 2, problems: [] });
  });

  test('replaces an empty log that was created in its place by mistake', async () => {
    await log.append(toolEvents(2));
    await log.close();
    const path = join(folder.path, 'log');
    await rename(path, `${path}.old`);
    const empty = new Level(path);
    await empty.open();
    await empty.close();
    await expect(openTestLog(folder.path, { swap })).rejects.toMatchObject({ code: 'HOME_LOCKED' });
    log = await openTestLog(folder.path, { swap });
    expect(await log.verify()).toMatchObject({ ok: true, events: 2, problems: [] });
  });

  test('still reports a lost tail after the rewrite', async () => {
    await log.append(toolEvents(50));
    await log.close();
    const name = readdirSync(join(folder.path, 'log')).find((one) => one.endsWith('.log'))!;
    rmSync(join(folder.path, 'log', name));
    log = await openTestLog(folder.path, { swap });
    expect(log.damage).not.toEqual([]);
    await log.append(toolEvents(5));
    await log.rewrite();
    expect((await log.verify()).problems.map(({ kind }) => kind)).toContain('head');
  });
});

/** A program that holds the lock of a store until its stdin ends. */
const HOLD_STORE = `
  import('level').then(async ({ Level }) => {
    await new Level(process.argv[1]).open();
    process.stdin.on('end', () => process.exit()).resume();
    console.log('open');
  });
`;

/** The files that LevelDB creates when it fails to open a store that does not exist. */
function shellOfStore(path: string): void {
  mkdirSync(path);
  for (const name of ['LOCK', 'LOG']) writeFileSync(join(path, name), '');
}

function readdirSyncOrNull(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
