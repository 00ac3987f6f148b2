// The documents of a turn depend only on its items: added, changed and removed in any order and in steps of any size, they
// equal those of the same items all at once. The turn is long, so that parts are finished, and dropped and split again.
import { expect, test } from 'vitest';
import type {
  ItemRow,
  MemoryDocument,
  ObservationRow,
  SummaryRow,
  TurnRow,
} from '../../projections/index.ts';
import { KnownTurn } from '../../projections/memory/known-turn.ts';
import { chance } from '../helpers/chance.ts';
import { MemoryView } from '../helpers/memory-view.ts';

const SEEDS = Number(process.env.ANNALS_TEST_TURNS ?? 12);
const ITEMS = 260;
const STEPS = 25;
const KEY = 'turn/claude-code/s-1/t-1';

interface Derived {
  readonly documents: Map<string, MemoryDocument>;
  readonly rows: Map<string, ObservationRow | SummaryRow>;
}

type Chance = ReturnType<typeof chance>;

function turnRow(items: number, unfinished: boolean): TurnRow {
  return {
    id: 't-1',
    agent: 'claude-code',
    session: 's-1',
    workdir: '/home/u/app',
    prompt: 'p-1',
    order: '0',
    startedAt: 0,
    endedAt: null,
    private: false,
    forgotten: false,
    items,
    inherited: false,
    unfinished,
    counts: { prompts: 1, commands: 0, toolUses: 0, failed: 0, replies: 0 },
    usage: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
  };
}

/** The item with this number, at a place and time near it. The transcript has no replies up to `quietUntil`. */
function itemRow(number: number, quietUntil: number, { below }: Chance): ItemRow {
  const agentId = below(4) === 0 ? `sub-${below(2)}` : undefined;
  const place = number + below(3);
  const base = {
    turn: 't-1',
    order: `${agentId === undefined ? '0' : `1${agentId}`} ${String(place).padStart(14, '0')} 000`,
    at: below(20) === 0 ? null : number * 10 + below(40),
    owner: below(30) === 0 ? 's-0' : null,
  };
  const report = { event: `e-${number}-${below(3)}`, channel: 'transcript', dedupeKey: `${number}`, agentId };
  if (number === 0) {
    const text = 'Please rename the option everywhere; it is called twice as often as it is used.';
    const reports = [{ ...report, agentId: undefined, via: 'line', kind: 'prompt', text } as const];
    return { ...base, order: '0', owner: null, id: 'p-1', kind: 'prompt', reports };
  }
  const kind = below(12);
  if (kind === 0) {
    const text = below(2) === 0 ? 'All of it is renamed now, and the tests pass.' : `Stopped at ${number}.`;
    const reason = ['interrupted', 'error', 'done'][below(3)]!;
    return { ...base, id: `s-${number}`, kind: 'stop', reports: [{ ...report, reason, text }] };
  }
  if (kind < 4 && number > quietUntil) {
    const text = [
      `I renamed the option in file ${number}, because the reader calls it by its old name.`,
      'All of it is renamed now, and the tests pass.',
      'Now let me look at the next file:',
      `The option has another name now. ${'It is called by the reader in every file. '.repeat(below(20))}`,
    ][below(4)]!;
    return { ...base, id: `a-${number}`, kind: 'reply', reports: [{ ...report, text }] };
  }
  const failed = below(3) === 0;
  const [name, input, said] = (
    [
      ['Bash', { command: 'npm test' }, failed ? 'Expected 2, got 3\n1 failed' : '12 passed'],
      ['Bash', { command: `git commit -am "refactor: rename ${number}"` }, `[main abcdef1] refactor: rename`],
      ['Edit', { file_path: `/home/u/app/src/file-${number % 40}.ts` }, ''],
      ['Write', { file_path: `/home/u/app/src/new-${number % 7}.ts` }, ''],
      ['Grep', { pattern: `option-${number % 9}` }, ''],
      [
        'Task',
        { description: `Implement the option ${number % 5}` },
        'Renamed the option in every file of it.',
      ],
    ] as const
  )[below(6)]!;
  const outcome = below(25) === 0 ? undefined : failed ? ('failed' as const) : ('ok' as const);
  const told = { ...report, name, input, outcome, error: failed ? `Exit code 1\n${said}` : undefined };
  return { ...base, id: `u-${number}`, kind: 'tool', reports: [{ ...told, resultTail: said } as const] };
}

async function update(turn: KnownTurn, row: TurnRow, items: Iterable<ItemRow | string>, into: Derived) {
  const shown = new Map<string, TurnRow | ItemRow | null>([[KEY, row]]);
  for (const item of items)
    if (typeof item === 'string') shown.set(`${KEY}/${item}`, null);
    else shown.set(`${KEY}/${item.id}`, item);
  const { documents, rows } = await turn.update(shown, KEY, new MemoryView(), async () => []);
  for (const [id, { before, after }] of documents) {
    expect(before, id).toEqual(into.documents.get(id));
    if (after !== null) into.documents.set(id, after);
    else {
      into.documents.delete(id);
      into.rows.delete(id);
    }
  }
  for (const [id, one] of rows) into.rows.set(id, one);
}

function nothing(): Derived {
  return { documents: new Map(), rows: new Map() };
}

function inOrder(all: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'documents of a long turn do not depend on how its items came (seed %i)',
  async (seed) => {
    const random = chance(seed);
    const { below, shuffled } = random;
    const items = new Map<string, ItemRow>();
    const live = new KnownTurn();
    const derived = nothing();
    const numbers = Array.from({ length: ITEMS }, (_, index) => index);
    const waiting = seed % 3 === 0 ? shuffled(numbers) : numbers;
    let partsMax = 0;
    for (let step = 0; step < STEPS; step++) {
      const changes = new Map<string, ItemRow | null>();
      const put = (number: number): void => {
        const item = itemRow(number, seed % 2 === 0 ? 150 : 0, random);
        // Of one number there is one item: what it was before is gone.
        for (const id of items.keys())
          if (id !== item.id && id.slice(2) === `${number}` && number > 0) changes.set(id, null);
        changes.set(item.id, item);
      };
      for (const number of waiting.splice(0, below(2 * (ITEMS / STEPS)))) put(number);
      for (let late = below(3); late > 0; late--) put(below(ITEMS - waiting.length));
      const known = [...items.keys()];
      if (below(4) === 0 && known.length > 0) changes.set(known[below(known.length)]!, null);
      if (below(8) === 0) for (const id of known.slice(-below(40))) changes.set(id, null);
      for (const [id, item] of changes)
        if (item === null) items.delete(id);
        else items.set(id, item);
      const row = turnRow(items.size, below(2) === 0);
      await update(
        live,
        row,
        [...changes].map(([id, item]) => item ?? id),
        derived,
      );
      const once = nothing();
      await update(new KnownTurn(), row, shuffled([...items.values()]), once);
      expect(inOrder(derived.documents)).toEqual(inOrder(once.documents));
      expect(inOrder(derived.rows)).toEqual(inOrder(once.rows));
      partsMax = Math.max(partsMax, [...once.rows.values()].filter((one) => 'part' in one).length);
    }
    expect(partsMax).toBeGreaterThan(1);
  },
);
