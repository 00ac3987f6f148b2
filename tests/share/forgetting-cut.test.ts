// What of a forgetting leaves for a project, and what of one that another machine sent applies here.
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type EventContent,
  type ForgottenPrompt,
  hasOwnId,
  type Log,
  type NewEvent,
  nameOfSession,
  type StoredBody,
} from '../../log/index.ts';
import { Rows, type SessionRow, syncKeys } from '../../src/share/rows/sync-rows.ts';
import { type ForgettingPart, partsOfForgetting } from '../../src/share/sync/forgetting-parts.ts';
import { type ForgettingWithin, forgettingWithin } from '../../src/share/sync/forgetting-within.ts';
import { Placement } from '../../src/share/sync/placement.ts';
import { idOf, type Machine, machine, PROJECT, reply, saved, seen } from './machines.ts';

const APP = PROJECT.key;
const LIB = 'repo:github.com/acme/lib';
const AGENT = 'claude-code';

interface Body {
  readonly events: readonly {
    readonly session: string | null;
    readonly ids: readonly string[];
    readonly prompts?: readonly { readonly event: string }[];
  }[];
  readonly names: readonly string[];
  readonly items: readonly string[];
}

const id = (letter: string) => letter.repeat(32);
const group = (session: string | null, ids: readonly string[], prompts?: readonly string[]) => ({
  ...{ agent: session === null ? 'annals' : AGENT, session, ids },
  ...(prompts !== undefined && { prompts: prompts.map(promptOf) }),
});
const promptOf = (event: string): ForgottenPrompt => ({
  ...{ event, prompt: `prompt of ${event}`, channel: 'hook', dedupeKey: 'x', kind: 'prompt', via: 'hook' },
  ...{ at: null, uuid: null, offset: null, promptId: null, promptUuid: null, requestSession: null },
});

/** As it is in the log of a machine that has nothing else. */
async function forgetting(
  events: readonly ReturnType<typeof group>[],
  { names = [], items = [] }: Partial<Pick<Body, 'names' | 'items'>> = {},
): Promise<EventContent> {
  const { log } = await machine('author');
  const body = { by: 'ids', copies: false, events, names, items };
  const event = { agent: 'annals', session: null, channel: 'cli', occurredAt: 1, dedupeKey: 'it', body };
  await log.append([{ type: 'memory.forgotten', ...event } as unknown as NewEvent]);
  return (await log.exportPage({ after: 0 })).events[0]!;
}

const bodyOf = ({ body }: EventContent): Body => JSON.parse((body as StoredBody).json) as Body;
const blank = ({ header }: EventContent): EventContent => ({
  header,
  body: { salt: null, bodyHash: Buffer.alloc(32) as never },
});

/** Of sessions: work and more are of the app, notes of the library, diary of neither. */
function placement(log: Pick<Log, 'origin' | 'logId'>, rows = new Rows([])): Placement {
  const of = (session: string, project: string) =>
    rows.set(syncKeys.session(AGENT, session), {
      ...{ folder: null, skipped: null, project, sent: null },
    } satisfies SessionRow);
  of('work', APP);
  of('more', APP);
  of('notes', LIB);
  rows.set(syncKeys.single(id('e')), [APP]);
  return new Placement({ log, rows, projects: [PROJECT], lookAt: () => null });
}

describe('what leaves of a forgetting', () => {
  const parts = (whole: EventContent) => partsOfForgetting(whole, placement({ origin: 'me', logId: 'me' }));
  const partOf = (found: readonly ForgettingPart[], project: string) =>
    found.find((one) => one.project === project)!;

  test('all of it, if all of its events are of one project', async () => {
    const events = [group('work', [id('a')], [id('a')]), group('more', [id('b')]), group(null, [id('e')])];
    const whole = await forgetting(events, { names: ['session x y'], items: ['p-1'] });
    const [part, ...others] = parts(whole);
    expect(part).toEqual({ project: APP, event: whole, ids: [id('a'), id('b'), id('e')] });
    expect(others).toEqual([]);
  });

  test('for each project only its events and prompts, without names and items', async () => {
    const whole = await forgetting(
      [
        group('work', [id('a'), id('b')], [id('a'), id('b')]),
        group('more', [id('9')]),
        group('notes', [id('c'), id('d')], [id('d')]),
        group('diary', [id('f')], [id('f')]),
        group(null, [id('e')]),
      ],
      { names: ['session x y'], items: ['p-1'] },
    );
    const found = parts(whole);
    expect(found.map(({ project }) => project)).toEqual([APP, LIB]);
    const [app, lib] = [partOf(found, APP), partOf(found, LIB)];
    expect(app.ids).toEqual([id('a'), id('b'), id('9'), id('e')]);
    expect(bodyOf(app.event)).toMatchObject({ names: [], items: [] });
    expect(bodyOf(app.event).events).toEqual([
      group('work', [id('a'), id('b')], [id('a'), id('b')]),
      group('more', [id('9')]),
      group(null, [id('e')]),
    ]);
    expect(bodyOf(lib.event).events).toEqual([group('notes', [id('c'), id('d')], [id('d')])]);
  });

  test('a part is an event of its own, the same whenever it is made', async () => {
    const whole = await forgetting([group('work', [id('a')]), group('notes', [id('c')])]);
    const [first, again] = [parts(whole), parts(whole)];
    expect(again).toEqual(first);
    const ids = first.map(({ event }) => event.header.id);
    expect(new Set([...ids, whole.header.id]).size).toBe(3);
    for (const { event } of first) expect(hasOwnId(event.header)).toBe(true);
  });

  test('a session that is in two projects leaves in two parts', async () => {
    const rows = new Rows([]);
    rows.set(syncKeys.single(id('b')), [LIB]);
    const whole = await forgetting([group('work', [id('a'), id('b')], [id('a'), id('b')])]);
    const found = partsOfForgetting(whole, placement({ origin: 'me', logId: 'me' }, rows));
    expect(bodyOf(partOf(found, APP).event).events).toEqual([group('work', [id('a')], [id('a')])]);
    expect(bodyOf(partOf(found, LIB).event).events).toEqual([group('work', [id('b')], [id('b')])]);
  });

  test('nothing of what was never shared, and nothing of one that is itself blank', async () => {
    const whole = await forgetting([group('diary', [id('f')])]);
    expect(parts(whole)).toEqual([]);
    expect(parts(blank(await forgetting([group('work', [id('a')])])))).toEqual([]);
  });
});

describe('what applies here of a forgetting that came for a project', () => {
  let one: Machine;
  let ids: Record<string, string>;
  const within = async (whole: EventContent): Promise<ForgettingWithin> => {
    return forgettingWithin(APP, whole, { log: one.log, placement: placement(one.log, one.rows()) });
  };

  // Its own: work in the app, diary elsewhere. Of another machine: theirs in the app, notes in the library.
  beforeEach(async () => {
    one = await machine('one');
    await one.capture(
      ...[seen('/a/app', 'github.com/acme/app'), seen('/a/diary', 'github.com/me/diary')],
      ...[reply('mine', 1, '/a/app'), reply('diary', 2, '/a/diary')],
    );
    const other = await machine('other');
    await other.capture(reply('work', 3, '/b/app'), reply('notes', 4, '/b/lib'), reply('work', 5, '/b/app'));
    await one.log.importEvents((await other.log.exportPage({ after: 0 })).events);
    const rows = one.rows();
    const learned = new Placement({ log: one.log, rows, projects: [PROJECT], lookAt: () => null });
    const { events } = await one.log.exportPage({ after: 0 });
    learned.learn(events);
    ids = Object.fromEntries(
      events.map(({ header }) => [`${header.session} ${header.dedupeKey.split('-')[1]}`, header.id]),
    );
  });

  test('all of it, if nothing of it is elsewhere; what is not here cannot be told', async () => {
    const [mine, theirs] = [ids['mine 1']!, ids['work 3']!];
    const whole = await forgetting([group('mine', [mine], [mine]), group('work', [theirs, id('a')])], {
      names: [nameOfSession(AGENT, 'work')],
      items: ['p-1'],
    });
    const found = await within(whole);
    expect(found).toMatchObject({ event: whole, isWhole: true });
    expect(found.here.map((event) => event.id).sort()).toEqual([mine, theirs].sort());
  });

  test.each([
    ['of this machine in another project', 'diary 2', 'diary'],
    ['that another machine sent for another project', 'notes 4', 'notes'],
  ])('not the events %s, nor their prompts and names', async (_, name, session) => {
    const [theirs, elsewhere] = [ids['work 3']!, ids[name]!];
    const names = [nameOfSession(AGENT, 'work'), nameOfSession(AGENT, session)];
    const whole = await forgetting(
      [group('work', [theirs, elsewhere], [theirs, elsewhere]), group(session, [elsewhere], [elsewhere])],
      { names, items: ['p-1'] },
    );
    const { event, isWhole, here } = await within(whole);
    expect(isWhole).toBe(false);
    expect(here.map((found) => found.id)).toEqual([theirs]);
    expect(bodyOf(event!)).toMatchObject({ names: [names[0]], items: [] });
    expect(bodyOf(event!).events).toEqual([group('work', [theirs], [theirs])]);
    expect(event!.header.id).not.toBe(whole.header.id);
    expect(hasOwnId(event!.header)).toBe(true);
    expect((await within(whole)).event).toEqual(event);
  });

  test('no name that covers an event of another project, also when it names no such event', async () => {
    const whole = await forgetting([group('work', [ids['work 3']!])], {
      names: [nameOfSession(AGENT, 'diary'), nameOfSession(AGENT, 'work')],
    });
    const { event, isWhole } = await within(whole);
    expect(isWhole).toBe(false);
    expect(bodyOf(event!).names).toEqual([nameOfSession(AGENT, 'work')]);
  });

  test('no prompt that is not here: a turn would begin that nobody has', async () => {
    const [first, last] = [ids['work 3']!, ids['work 5']!];
    const whole = await forgetting([group('work', [first, last, id('a')], [first, id('a')])]);
    const { event, isWhole } = await within(whole);
    // Nothing that is here stays.
    expect(isWhole).toBe(true);
    expect(bodyOf(event!).events).toEqual([group('work', [first, last, id('a')], [first])]);
  });

  test('what this machine sends for another project by itself is not of this one, whatever its session', async () => {
    const theirs = ids['work 3']!;
    one.rows().set(syncKeys.single(theirs), [LIB]);
    const { event, here } = await within(await forgetting([group('work', [theirs, ids['work 5']!])]));
    expect(here.map((found) => found.id)).toEqual([ids['work 5']]);
    expect(bodyOf(event!).events).toEqual([group('work', [ids['work 5']!])]);
  });

  test('what another machine saved in a folder of the same path is not of this one', async () => {
    const other = await machine('saver');
    await other.capture(saved(null, '/a/app'));
    await one.log.importEvents((await other.log.exportPage({ after: 0 })).events);
    const theirs = await idOf(one, 'memory.saved');
    one.rows().set(syncKeys.single(theirs), [LIB]);
    expect(await within(await forgetting([group(null, [theirs])]))).toMatchObject({ event: null, here: [] });
  });

  test('a forgetting without names does not read the log', async () => {
    one.log.scan = () => {
      throw new Error('It was read.');
    };
    expect((await within(await forgetting([group('work', [ids['work 3']!])]))).isWhole).toBe(true);
  });

  test('another cut of the same forgetting is another event', async () => {
    const whole = await forgetting([group('work', [ids['work 3']!, ids['work 5']!, ids['diary 2']!])]);
    const { event } = await within(whole);
    one.rows().set(syncKeys.single(ids['work 5']!), [LIB]);
    expect((await within(whole)).event!.header.id).not.toBe(event!.header.id);
  });

  test('nothing, if all of it is elsewhere or it is itself blank', async () => {
    const whole = await forgetting([group('diary', [ids['diary 2']!])], {
      names: [nameOfSession(AGENT, 'diary')],
    });
    expect(await within(whole)).toEqual({ event: null, isWhole: false, here: [] });
    expect(await within(blank(whole))).toEqual({ event: null, isWhole: false, here: [] });
  });
});
