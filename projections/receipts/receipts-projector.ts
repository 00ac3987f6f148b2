// The `receipts` view: which items sessions were given, and which of them they used. It is derived from the log alone, so a
// rebuild gives the same figures, and stricter rules apply to the past as well. A changed row of a session costs what that
// row says; sessions that were given nothing cost one read a page.
import {
  type Change,
  defineProjector,
  type ViewReader,
  type ViewWriter,
} from '../engine/contract/projector.ts';
import { keyParts } from '../engine/store/row-keys.ts';
import {
  type InjectedRow,
  type ItemRow,
  NO_WORKDIR,
  sessionKeys,
  type TurnRow,
} from '../sessions/session-rows.ts';
import { ReceiptCounts } from './count-shows.ts';
import { citedIn, commandRun, normalizedCommand, openedFirst } from './evidence-of-use.ts';
import {
  type HowUsed,
  type InjectionRow,
  receiptKeys,
  type Show,
  type ShownRow,
  type StartRow,
  type UseRow,
} from './receipt-rows.ts';

export const receiptsProjector = defineProjector({
  name: 'receipts',
  version: 4,
  follows: 'turns',
  changes: 'none',
  fold,
});

/** The changed rows of one session. */
interface Group {
  readonly agent: string;
  /** Empty for none. */
  readonly session: string;
  readonly injections: string[];
  /** By item id; null for a removed row. */
  readonly items: Map<string, ItemRow | null>;
  /** By turn id. */
  readonly turns: Map<string, TurnRow | null>;
}

async function fold(changes: readonly Change[], view: ViewWriter, upstream: ViewReader): Promise<void> {
  const counts = new ReceiptCounts();
  for (const group of groupsOf(changes)) {
    const { agent, session, injections } = group;
    if (injections.length === 0) {
      const shown = await view.range(receiptKeys.shownIn(agent, session), { limit: 1 });
      if (shown.length === 0) continue;
    }
    const touched = await foldInjections(group, counts, view, upstream);
    for (const [id, shows] of touched) if (shows !== null) await writeShows(group, id, shows, counts, view);
    if (session !== '') {
      for (const [item, row] of group.items) await foldItem(group, item, row, touched, view);
      await foldStart(group, touched, view, upstream);
    }
    for (const id of touched.keys()) await settle(group, id, counts, view);
  }
  await counts.write(view);
}

function groupsOf(changes: readonly Change[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { key: rowKey, after } of changes) {
    const start = rowKey.indexOf('/');
    const kind = rowKey.slice(0, start);
    if (kind !== 'injected' && kind !== 'turn') continue;
    const end = rowKey.indexOf('/', rowKey.indexOf('/', start + 1) + 1);
    const name = rowKey.slice(start, end);
    let group = groups.get(name);
    if (group === undefined) {
      const [, agent = '', session = ''] = keyParts(rowKey);
      group = { agent, session, injections: [], items: new Map(), turns: new Map() };
      groups.set(name, group);
    }
    const [id = '', item] = keyParts(rowKey.slice(end + 1));
    if (kind === 'injected') group.injections.push(id);
    else if (item === undefined) group.turns.set(id, after as TurnRow | null);
    // An item that moves to another turn is removed from one and added to the other.
    else if (after !== null || !group.items.has(item)) group.items.set(item, after as ItemRow | null);
  }
  return groups.values();
}

/** The items whose shows or uses changed, with their shows as they are now; null where they are as stored. */
type Touched = Map<string, Show[] | null>;

async function foldInjections(
  group: Group,
  counts: ReceiptCounts,
  view: ViewWriter,
  upstream: ViewReader,
): Promise<Touched> {
  const { agent, session } = group;
  const touched: Touched = new Map();
  const showsOf = async (id: string): Promise<Show[]> => {
    const stored = touched.has(id)
      ? undefined
      : await view.get<ShownRow>(receiptKeys.shown(agent, session, id));
    const known = touched.get(id) ?? [...(stored?.shows ?? [])];
    touched.set(id, known);
    return known;
  };
  for (const event of group.injections) {
    const rowKey = receiptKeys.injection(agent, session, event);
    const before = await view.get<InjectionRow>(rowKey);
    const row = await upstream.get<InjectedRow>(
      sessionKeys.injected({ agent, session: session === '' ? null : session, event }),
    );
    if (before !== undefined) {
      counts.injection(before, -1);
      view.del(rowKey);
      for (const id of before.ids ?? []) {
        const shows = await showsOf(id);
        const index = shows.findIndex((show) => show.event === event);
        const [gone] = index < 0 ? [] : shows.splice(index, 1);
        // A short form that named two items may name one now.
        if (row === undefined && session !== '') await addItemsSince(gone?.at ?? null, group, upstream);
      }
      for (const command of before.commands) view.del(receiptKeys.command(agent, session, command, event));
    }
    if (row === undefined) continue;
    const after = injectionOf(row);
    counts.injection(after, 1);
    view.put(rowKey, after);
    const { workdir, occasion } = after;
    for (const id of after.ids ?? [])
      (await showsOf(id)).push({ event, at: row.at, occasion, workdir, used: null });
    for (const command of after.commands)
      view.put(receiptKeys.command(agent, session, command, event), idsWith(command, row));
    if (session !== '') await addItemsSince(row.at, group, upstream);
  }
  return touched;
}

function injectionOf({ body }: InjectedRow): InjectionRow {
  const { occasion, cwd, items, tokens, durationMs } = body;
  const ids = items === null ? null : [...new Set(items.map(({ id }) => id))];
  const fixes = occasion === 'error' ? (items ?? []) : [];
  const commands = fixes.flatMap((item) => item.commands.map(normalizedCommand));
  return { workdir: cwd ?? NO_WORKDIR, occasion, tokens, durationMs, ids, commands };
}

function idsWith(command: string, { body }: InjectedRow): string[] {
  const items = body.items?.filter(({ commands }) => commands.map(normalizedCommand).includes(command)) ?? [];
  return [...new Set(items.map(({ id }) => id))].sort();
}

/** The items of turns that ended after this time: what ended before cannot be a use. */
async function addItemsSince(at: number | null, group: Group, upstream: ViewReader): Promise<void> {
  const { agent, session, items } = group;
  if (at === null) return;
  const turns = (await upstream.range(sessionKeys.turnsByTime(agent, session))).map(
    ([rowKey]) => keyParts(rowKey).at(-1)!,
  );
  const rows = await upstream.getMany<TurnRow>(turns.map((turn) => sessionKeys.turn(agent, session, turn)));
  for (const row of rows) {
    if (row === undefined || (row.endedAt !== null && row.endedAt < at)) continue;
    for (const [, item] of await upstream.range<ItemRow>(sessionKeys.itemsOfTurn(agent, session, row.id)))
      if (!items.has(item.id)) items.set(item.id, item);
  }
}

async function foldItem(
  { agent, session }: Group,
  item: string,
  row: ItemRow | null,
  touched: Touched,
  view: ViewWriter,
): Promise<void> {
  const rowKey = receiptKeys.uses(agent, session, item);
  const before = (await view.get<readonly string[]>(rowKey)) ?? [];
  const uses = row === null || row.owner !== null ? new Map() : await usesIn(row, { agent, session }, view);
  for (const id of before)
    if (!uses.has(id)) {
      view.del(receiptKeys.use(agent, session, id, item));
      touch(touched, id);
    }
  for (const [id, use] of uses) {
    view.put(receiptKeys.use(agent, session, id, item), use);
    touch(touched, id);
  }
  if (uses.size > 0) view.put(rowKey, [...uses.keys()].sort());
  else if (before.length > 0) view.del(rowKey);
}

function touch(touched: Touched, id: string): void {
  if (!touched.has(id)) touched.set(id, null);
}

/** The shown items that a prompt, tool use or answer uses. */
async function usesIn(
  row: ItemRow,
  { agent, session }: Pick<Group, 'agent' | 'session'>,
  view: ViewReader,
): Promise<Map<string, UseRow>> {
  const uses = new Map<string, UseRow>();
  const { at } = row;
  if (at === null) return uses;
  const shownIn = receiptKeys.shownIn(agent, session);
  const command = commandRun(row);
  if (command !== null)
    for (const [rowKey, ids] of await view.range<readonly string[]>(
      receiptKeys.commandIn(agent, session, command),
    ))
      for (const id of ids) {
        const shown = await view.get<ShownRow>(receiptKeys.shown(agent, session, id));
        // What was shown on another occasion named no command for this error.
        const shows = shown?.shows.filter(({ event }) => event === keyParts(rowKey).at(-1)) ?? [];
        if (isShownBy({ shows }, at)) uses.set(id, { how: 'fixed', at });
      }
  for (const cited of citedIn(row)) {
    const found = (await view.range<ShownRow>(`${shownIn}${cited}`)).filter(([, shown]) =>
      isShownBy(shown, at),
    );
    // The beginning of two ids names neither.
    if (found.length === 1) uses.set(keyParts(found[0]![0]).at(-1)!, { how: 'cited', at });
  }
  return uses;
}

function isShownBy({ shows }: ShownRow, at: number): boolean {
  return shows.some((show) => show.at !== null && show.at <= at);
}

/**
 * Decides again which files the session opened first, if what changed lies before the end of its start. Only a session that was
 * shown something has such a row.
 */
async function foldStart(
  group: Group,
  touched: Touched,
  view: ViewWriter,
  upstream: ViewReader,
): Promise<void> {
  const { agent, session, injections, items, turns } = group;
  const rowKey = receiptKeys.start(agent, session);
  const before = await view.get<StartRow>(rowKey);
  const isAnyShown = (await view.range(receiptKeys.shownIn(agent, session), { limit: 1 })).length > 0;
  if (!isAnyShown) {
    if (before !== undefined) view.del(rowKey);
    return;
  }
  const [first] = await upstream.range(sessionKeys.turnsByTime(agent, session), { limit: 1, reverse: true });
  const turn = first === undefined ? undefined : keyParts(first[0]).at(-1)!;
  const isAtStart = (id: string, row: ItemRow | null, { items, end }: StartRow) =>
    items.includes(id) || row === null || end === null || row.order <= end;
  const isTouched =
    before === undefined ||
    injections.length > 0 ||
    before.turn !== turn ||
    (turns.get(turn)?.order ?? before.order) !== before.order ||
    [...items].some(([id, row]) => isAtStart(id, row, before));
  if (!isTouched) return;
  const row =
    turn === undefined ? undefined : await upstream.get<TurnRow>(sessionKeys.turn(agent, session, turn));
  if (row !== undefined) {
    const all = (await upstream.range<ItemRow>(sessionKeys.itemsOfTurn(agent, session, row.id))).map(
      ([, item]) => item,
    );
    const injected = await upstream.range<InjectedRow>(sessionKeys.injectedInto(agent, session));
    const own = all.filter(({ owner }) => owner === null).sort((a, b) => (a.order < b.order ? -1 : 1));
    const start = openedFirst(
      own,
      injected.map(([, one]) => one),
    );
    const { end } = start;
    const read = end === null ? [] : own.filter(({ order }) => order <= end).map(({ id }) => id);
    view.put(rowKey, { turn: row.id, order: row.order, items: read, ...start } satisfies StartRow);
    for (const { id } of start.opened) touch(touched, id);
  } else if (before !== undefined) view.del(rowKey);
  for (const { id } of before?.opened ?? []) touch(touched, id);
}

/** Without uses, which `settle` finds. */
async function writeShows(
  { agent, session }: Group,
  id: string,
  shows: readonly Show[],
  counts: ReceiptCounts,
  view: ViewWriter,
): Promise<void> {
  const rowKey = receiptKeys.shown(agent, session, id);
  const stored = await view.get<ShownRow>(rowKey);
  for (const show of stored?.shows ?? []) counts.show(id, show, -1);
  const sorted = shows
    .map((show) => ({ ...show, used: null }))
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.event < b.event ? -1 : 1));
  for (const show of sorted) counts.show(id, show, 1);
  if (sorted.length > 0) view.put(rowKey, { shows: sorted } satisfies ShownRow);
  else if (stored !== undefined) view.del(rowKey);
}

/** Decides again which shows of an item were used: the last one before each use. */
async function settle(group: Group, id: string, counts: ReceiptCounts, view: ViewWriter): Promise<void> {
  const { agent, session } = group;
  const rowKey = receiptKeys.shown(agent, session, id);
  const { shows } = (await view.get<ShownRow>(rowKey)) ?? { shows: [] };
  const used = new Map<string, HowUsed>();
  for (const { how, at, item } of await usesOf(agent, session, id, view)) {
    const show = shows.findLast((one) => one.at !== null && one.at <= at);
    if (show === undefined && item !== null) await dropUse(group, id, item, view);
    if (show !== undefined && BEST.indexOf(how) >= BEST.indexOf(used.get(show.event) ?? 'opened'))
      used.set(show.event, how);
  }
  const settled = shows.map((show) => ({ ...show, used: used.get(show.event) ?? null }));
  if (settled.every((show, index) => show.used === shows[index]!.used)) return;
  for (const show of shows) counts.show(id, show, -1);
  for (const show of settled) counts.show(id, show, 1);
  view.put(rowKey, { shows: settled } satisfies ShownRow);
}

/** The injection that showed the item is gone. */
async function dropUse({ agent, session }: Group, id: string, item: string, view: ViewWriter): Promise<void> {
  view.del(receiptKeys.use(agent, session, id, item));
  const rowKey = receiptKeys.uses(agent, session, item);
  const left = ((await view.get<readonly string[]>(rowKey)) ?? []).filter((other) => other !== id);
  if (left.length > 0) view.put(rowKey, left);
  else view.del(rowKey);
}

/** The surest last. */
const BEST: readonly HowUsed[] = ['opened', 'fixed', 'cited'];

interface FoundUse extends UseRow {
  /** Null for a file that was opened first. */
  readonly item: string | null;
}

async function usesOf(agent: string, session: string, id: string, view: ViewReader): Promise<FoundUse[]> {
  if (session === '') return [];
  const uses = (await view.range<UseRow>(receiptKeys.usesOf(agent, session, id))).map(([rowKey, use]) => ({
    ...use,
    item: keyParts(rowKey).at(-1)!,
  }));
  const start = await view.get<StartRow>(receiptKeys.start(agent, session));
  const opened = start?.opened.filter((one) => one.id === id) ?? [];
  return [...uses, ...opened.map(({ at }) => ({ how: 'opened', at, item: null }) as const)];
}
