// The result of events: a log in memory, the views over it, their digests and some counts.
import { expect } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import {
  type ItemRow,
  isItemRow,
  type MemoryDocument,
  memoryProjector,
  projectsProjector,
  type Runner,
  type RunnerOptions,
  type SessionRow,
  sessionKeys,
  type TurnRow,
  turnsProjector,
} from '../../projections/index.ts';
import { openMemoryLog } from './logs.ts';
import { memoryGenerations, testRunner } from './views.ts';

export const PROJECTORS = [turnsProjector, memoryProjector, projectsProjector];

/** Views over these events, which are appended and folded in pieces of `pageSize`. */
export function viewsOf(pieces: readonly (readonly NewEvent[])[], pageSize = 1_000): Promise<Runner> {
  return projected(PROJECTORS, pieces, pageSize);
}

/** The same without the views that follow `turns`. */
export function turnsOf(pieces: readonly (readonly NewEvent[])[]): Promise<Runner> {
  return projected([turnsProjector], pieces, 1_000);
}

async function projected(
  projectors: RunnerOptions['projectors'],
  pieces: readonly (readonly NewEvent[])[],
  pageSize: number,
): Promise<Runner> {
  const log = await openMemoryLog();
  const runner = await testRunner({ log, generations: memoryGenerations(), projectors, pageSize });
  for (const piece of pieces) {
    await log.append(piece);
    await runner.catchUp();
  }
  expect(await runner.deadLetters()).toEqual([]);
  return runner;
}

export async function digestsOf(runner: Runner): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { name } of PROJECTORS) digests[name] = await runner.digest(name);
  return digests;
}

/** Counts that must not grow when lines are copied. */
export async function figuresOf(runner: Runner) {
  const sessions = (await runner.view('turns').range<SessionRow>(sessionKeys.sessions())).map(
    ([, row]) => row,
  );
  const documents = await runner.view('memory').range<MemoryDocument>('document/');
  const sum = (of: (row: SessionRow) => number) => sessions.reduce((total, row) => total + of(row), 0);
  return {
    prompts: sum((row) => row.counts.prompts),
    toolUses: sum((row) => row.counts.toolUses),
    replies: sum((row) => row.counts.replies),
    documents: documents.length,
    output: sum((row) => row.usage.output),
    input: sum((row) => row.usage.input + row.usage.cacheRead + row.usage.cacheCreation),
  };
}

export async function itemsOf(runner: Runner, kind: ItemRow['kind']): Promise<ItemRow[]> {
  const rows = await runner.view('turns').range<TurnRow | ItemRow>('turn/');
  return rows.flatMap(([, row]) => (isItemRow(row) && row.kind === kind ? [row] : []));
}
