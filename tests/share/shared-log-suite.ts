// What every shared log must do.
import { expect, onTestFinished, test } from 'vitest';
import type { Message, SharedLog, StoredMessage } from '../../src/share/log/shared-log.ts';

export interface SharedLogSuite {
  /** A connection to a log of a team that nobody else uses. The second one is another machine. */
  connect(team: string): Promise<SharedLog>;
}

let teams = 0;

export function sharedLogSuite({ connect }: SharedLogSuite): void {
  const opened = async (
    team = `team${++teams}x${process.pid}`,
  ): Promise<{ log: SharedLog; team: string }> => {
    const log = await connect(team);
    onTestFinished(() => log.close());
    return { log, team };
  };

  test('messages come back as they were, in the order of their positions', async () => {
    const { log } = await opened();
    const sent = [message('a1'), { ...message('a2'), kind: 'record' as const }, message('a3', 'other')];
    const appended = await log.append(sent);
    expect(appended.map(({ duplicate }) => duplicate)).toEqual([false, false, false]);
    const page = await log.page({ after: 0 });
    expect(page.map(withoutPosition)).toEqual(sent.map(plain));
    expect(page.map(({ position }) => position)).toEqual(appended.map(({ position }) => position));
    expect(await log.page({ after: appended[2]!.position })).toEqual([]);
  });

  test('every byte survives, and an empty message too', async () => {
    const { log } = await opened();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await log.append([
      { ...message('b1'), bytes },
      { ...message('b2'), bytes: new Uint8Array() },
    ]);
    const [all, none] = await log.page({ after: 0 });
    expect([...all!.bytes]).toEqual([...bytes]);
    expect(none!.bytes.length).toBe(0);
  });

  test('a message that is sent again is recognised, in one call and in a later one', async () => {
    const { log } = await opened();
    const [first, again] = await log.append([message('c1'), message('c1')]);
    expect(again).toEqual({ position: first!.position, duplicate: true });
    expect(await log.append([message('c2'), message('c1')])).toMatchObject([
      { duplicate: false },
      { position: first!.position, duplicate: true },
    ]);
    expect((await log.page({ after: 0 })).map(({ id }) => id)).toEqual(['c1', 'c2']);
  });

  test('pages follow one another from any position, however many messages there are', async () => {
    const { log } = await opened();
    const ids = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
    for (let from = 0; from < ids.length; from += 250)
      await log.append(ids.slice(from, from + 250).map((id) => message(id)));
    const all = await everything(log);
    expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const middle = all[499]!.position;
    expect((await everything(log, middle)).map(({ id }) => id)).toEqual(all.slice(500).map(({ id }) => id));
    const next = await log.page({ after: middle, limit: 3 });
    expect(next.map(plain)).toEqual(all.slice(500, 503).map(plain));
    // And back again.
    expect((await log.page({ after: 0, limit: 2 })).map(plain)).toEqual(all.slice(0, 2).map(plain));
  });

  test('a page that waits ends with the next message of another machine', async () => {
    const { log, team } = await opened();
    const other = (await opened(team)).log;
    await log.append([message('e1')]);
    const [{ position }] = (await log.page({ after: 0 })) as [StoredMessage];
    const { signal } = new AbortController();
    const waiting = log.page({ after: position, waitUntil: signal });
    await other.append([message('e2')]);
    expect((await waiting).map(({ id }) => id)).toEqual(['e2']);
  });

  test('a wait that is ended gives an empty page, and nothing is lost for the next one', async () => {
    const { log, team } = await opened();
    const other = (await opened(team)).log;
    const controller = new AbortController();
    const waiting = log.page({ after: 0, waitUntil: controller.signal });
    controller.abort();
    expect(await waiting).toEqual([]);
    await other.append([message('f1')]);
    expect(
      (await log.page({ after: 0, waitUntil: new AbortController().signal })).map(({ id }) => id),
    ).toEqual(['f1']);
  });

  test('writers at the same time lose nothing, for a reader that follows them', async () => {
    const { log, team } = await opened();
    const writers = await Promise.all([1, 2, 3].map(async () => (await opened(team)).log));
    const ids = writers.flatMap((_, writer) =>
      Array.from({ length: 60 }, (__, index) => `g${writer}x${index}`),
    );
    const seen: string[] = [];
    const { signal } = new AbortController();
    const reading = (async () => {
      for (let after = 0; seen.length < ids.length; ) {
        const page = await log.page({ after, limit: 7, waitUntil: signal });
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1)!.position;
      }
    })();
    await Promise.all(
      writers.map(async (writer, index) => {
        for (let from = 0; from < 60; from += 6)
          await writer.append(Array.from({ length: 6 }, (_, at) => message(`g${index}x${from + at}`)));
      }),
    );
    await reading;
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test('removed messages are gone, others of the same id elsewhere stay', async () => {
    const { log } = await opened();
    await log.append([message('h1'), message('h2'), message('h3', 'other'), message('h4')]);
    expect((await log.remove('project', ['h1', 'h3', 'h4', 'unknown'])).removed).toBe(2);
    expect((await everything(log)).map(({ id }) => id)).toEqual(['h2', 'h3']);
    const { position } = (await everything(log)).at(-1)!;
    expect(await log.page({ after: position })).toEqual([]);
    expect(await log.remove('project', ['h1'])).toEqual({ removed: 0, remains: null });
  });

  test('two machines may remove the same messages at once', async () => {
    const { log, team } = await opened();
    const other = (await opened(team)).log;
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
    await log.append([...ids, 'stays'].map((id) => message(id)));
    await Promise.all([log.remove('project', ids), other.remove('project', ids)]);
    expect((await everything(log)).map(({ id }) => id)).toEqual(['stays']);
  });

  test('a reader does not wait for messages that another machine removes meanwhile', async () => {
    const { log, team } = await opened();
    const other = (await opened(team)).log;
    const ids = Array.from({ length: 700 }, (_, index) => `s${index}`);
    await log.append(ids.map((id) => message(id)));
    const first = await log.page({ after: 0, limit: 1 });
    await other.remove('project', ids.slice(600));
    const rest = await everything(log, first[0]!.position);
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.slice(0, 600));
  });

  test('the state names the engine, the head and the same incarnation for every machine', async () => {
    const { log, team } = await opened();
    const other = (await opened(team)).log;
    const empty = await log.state();
    expect(empty).toMatchObject({ head: 0 });
    expect(empty.engine).not.toBe('');
    const [first] = await log.append([message('i1')]);
    expect(await other.state()).toMatchObject({ head: first!.position, incarnation: empty.incarnation });
    expect((await other.state()).messageBytesMax).toBeGreaterThanOrEqual(1024 * 1024);
  });

  test('teams see nothing of each other', async () => {
    const one = (await opened()).log;
    const other = (await opened()).log;
    await one.append([message('j1')]);
    expect(await other.page({ after: 0 })).toEqual([]);
    expect(await other.append([message('j1')])).toMatchObject([{ duplicate: false }]);
  });

  test('a closed log says so', async () => {
    const { log } = await opened();
    await log.close();
    await log.closed;
    await expect(log.append([message('k1')])).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
    await expect(log.page({ after: 0 })).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
  });
}

export function message(id: string, project = 'project', origin = 'machine'): Message {
  return { id, kind: 'event', project, origin, bytes: new TextEncoder().encode(`sealed ${id}`) };
}

export async function everything(log: SharedLog, after = 0): Promise<readonly StoredMessage[]> {
  const found: StoredMessage[] = [];
  for (let position = after; ; ) {
    const page = await log.page({ after: position });
    if (page.length === 0) return found;
    found.push(...page);
    position = page.at(-1)!.position;
  }
}

function withoutPosition({ position: _, ...rest }: StoredMessage) {
  return plain(rest);
}

function plain({ bytes, ...rest }: Message) {
  return { ...rest, bytes: [...bytes] };
}
