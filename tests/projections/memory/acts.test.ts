// A person's acts stay on their items when the views are rebuilt with other rules, or with another recipe that gives other ids.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ActedItem, NewEvent } from '../../../log/index.ts';
import * as turnParts from '../../../projections/extract/turn-parts.ts';
import * as itemIds from '../../../projections/ids/item-id.ts';
import {
  defineProjector,
  type MemoryDocument,
  memoryKeys,
  memoryProjector,
  type Runner,
  type ViewReader,
  type ViewWriter,
} from '../../../projections/index.ts';
import { openMemoryLog } from '../../helpers/logs.ts';
import { actEvent } from '../../helpers/new-events.ts';
import { PROJECTORS } from '../../helpers/projected.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

const rules = { partUses: 0, recipe: '' };

const { partsAfter } = turnParts;
const { observationId } = itemIds;

beforeEach(() => {
  Object.assign(rules, { partUses: 0, recipe: '' });
  vi.spyOn(turnParts, 'partsAfter').mockImplementation((from, turn) => {
    if (rules.partUses === 0) return partsAfter(from, turn);
    const uses = turn.toolUses.filter(({ order }) => order > from);
    const parts = [];
    for (let at = 0; at < uses.length || at === 0; at += rules.partUses)
      parts.push({ toolUses: uses.slice(at, at + rules.partUses), messages: turn.messages });
    return parts;
  });
  vi.spyOn(itemIds, 'observationId').mockImplementation((turn, part) =>
    observationId({ ...turn, id: `${turn.id}${rules.recipe}` }, part),
  );
});
afterEach(() => void vi.restoreAllMocks());

/** One turn of edits. 85: by the rules of today the observations of its first 60 and of the other 25. */
async function longTurn(uses = 85): Promise<{
  readonly runner: Runner;
  /** Returns how many rows were read for these events. */
  act(events: readonly NewEvent[]): Promise<number>;
}> {
  const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000000' });
  script.prompt('Please mend every lever of the mill', { promptId: 'first' });
  for (let use = 1; use <= uses; use++) {
    const file_path = `/home/u/app/lever-${use}.ts`;
    script.use(`toolu_${use}`, 'Edit', { file_path, old_string: 'a', new_string: 'b' });
    script.result(`toolu_${use}`, 'The file has been updated.');
  }
  script.reply('Every lever is mended, because steel jams in the cold.');
  const log = await openMemoryLog();
  let read = 0;
  const counting = <V extends ViewReader>(view: V): V => ({
    ...view,
    memory: (view as unknown as ViewWriter).memory,
    put: (key: string, row: unknown) => (view as unknown as ViewWriter).put(key, row),
    del: (key: string) => (view as unknown as ViewWriter).del(key),
    get: (key) => view.get(key).finally(() => read++),
    getMany: (keys) => view.getMany(keys).finally(() => (read += keys.length)),
    range: async (...span) => {
      const rows = await view.range(...span);
      read += rows.length;
      return rows as never;
    },
  });
  const counted = defineProjector({
    ...memoryProjector,
    fold: (changes, view, upstream) => memoryProjector.fold(changes, counting(view), counting(upstream)),
  });
  const projectors = PROJECTORS.map((one) => (one === memoryProjector ? counted : one));
  const runner = await testRunner({ log, generations: memoryGenerations(), projectors });
  const act = async (events: readonly NewEvent[]) => {
    read = 0;
    await log.append(events);
    await runner.catchUp();
    return read;
  };
  await act(readWhole(script.bytes()).newEvents);
  return { runner, act };
}

async function observations(runner: Runner): Promise<MemoryDocument[]> {
  const rows = await runner.view('memory').range<MemoryDocument>('document/');
  return rows.map(([, row]) => row).filter(({ kind }) => kind === 'observation');
}

function asActed(document: MemoryDocument): ActedItem {
  const { id, kind, agent, session, turn, workdir, at, title, body: text, events } = document;
  return { id, kind, agent, session, turn, workdir, at, author: 'agent', title, text, events: [...events] };
}

async function holding(runner: Runner, file: string): Promise<MemoryDocument> {
  return (await observations(runner)).find(({ files }) => files.some((one) => one.endsWith(file)))!;
}

test.each([
  { name: 'other rules', other: { partUses: 20, recipe: '' } },
  { name: 'another recipe', other: { partUses: 0, recipe: ' by a model' } },
  { name: 'other rules and another recipe', other: { partUses: 17, recipe: ' by a model' } },
])('a pin, an edit and a supersession survive a rebuild with $name', async ({ other }) => {
  const { runner, act } = await longTurn();
  const item = asActed(await holding(runner, 'lever-70.ts'));
  const words = { title: 'Levers 61 to 85', text: 'The last levers are brass.' };
  await act([
    actEvent('memory.pinned', { item }),
    actEvent('memory.edited', { item, ...words }),
    actEvent('memory.superseded', { item }),
  ]);
  const before = await holding(runner, 'lever-70.ts');
  expect(before).toMatchObject({ title: words.title, body: words.text, id: item.id });
  Object.assign(rules, other);
  await runner.rebuild();
  const after = await holding(runner, 'lever-70.ts');
  expect(after).toMatchObject({ title: words.title, body: words.text });
  expect(after.marks).toMatchObject({ pinned: {}, superseded: { by: null } });
  expect(after.marks!.acts).toEqual(before.marks!.acts);
  const all = await observations(runner);
  expect(all.filter(({ marks }) => marks !== undefined)).toHaveLength(1);
  expect(await runner.view('memory').get(memoryKeys.observation(after.id))).toHaveProperty('marks');
  // An act that is taken back leaves nothing.
  await act(
    [
      actEvent('memory.withdrawn', { acts: before.marks!.acts.map((id) => ({ id, session: item.session })) }),
    ].map((event) => ({ ...event, session: item.session })),
  );
  expect(await holding(runner, 'lever-70.ts')).not.toMatchObject({ title: words.title });
  for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
});

test('a pinned text is kept when nothing is made of its events any more, until it is unpinned', async () => {
  const { runner, act } = await longTurn();
  const item = asActed((await observations(runner))[0]!);
  const gone: ActedItem = { ...item, id: 'o-gone', events: ['0'.repeat(32)] };
  const pinned = actEvent('memory.pinned', { item: gone });
  await act([pinned]);
  const kept = async () =>
    (await runner.view('memory').range<MemoryDocument>('document/k-')).map(([, row]) => row);
  expect(await kept()).toMatchObject([
    { kind: 'memory', body: item.text, author: 'agent', marks: { pinned: {} } },
  ]);
  const [{ marks }] = (await kept()) as [MemoryDocument];
  const acts = marks!.acts.map((id) => ({ id, session: item.session }));
  await act([{ ...actEvent('memory.withdrawn', { acts }), session: item.session }]);
  expect(await kept()).toEqual([]);
  for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
});

test('an act reads no more rows in a long turn than in a short one', async () => {
  const reads = [];
  for (const uses of [65, 260]) {
    const { runner, act } = await longTurn(uses);
    const rows = await runner.view('memory').range<MemoryDocument>('document/u-');
    reads.push(await act([actEvent('memory.pinned', { item: asActed(rows[0]![1]) })]));
    expect(await runner.view('memory').get(`document/${rows[0]![1].id}`)).toHaveProperty('marks');
  }
  expect(reads[1]).toBe(reads[0]);
});
