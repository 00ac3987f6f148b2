// Loads real sessions for the rules: a log in memory, its views, and every event's body by id.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Log, type NewEvent, openLog, pagesAfter } from '../../log/index.ts';
import {
  type ContextRow,
  contextProjector,
  type MemoryDocument,
  memoryGenerations,
  memoryKeys,
  memoryProjector,
  newestFirst,
  type ObservationRow,
  openRunner,
  projectsProjector,
  type Runner,
  type SummaryRow,
  turnsProjector,
} from '../../projections/index.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import { folderBytes } from '../../src/platform/disk-files.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { openMemoryLog } from '../../tests/helpers/logs.ts';
import { sharedData } from '../../tests/helpers/shared-data.ts';
import { readWhole } from '../../tests/helpers/transcripts.ts';

const FOLDERS = ['data/transcripts/claude-code', 'data/more/claude-code'];

export interface Corpus {
  readonly runner: Runner;
  readonly observations: readonly ObservationRow[];
  readonly summaries: readonly SummaryRow[];
  /** Rows of the `context` view, oldest first. */
  readonly rows: readonly ContextRow[];
  readonly documents: readonly MemoryDocument[];
  readonly event: (id: string) => NewEvent | undefined;
  /** The events of a session in the order of its transcript. */
  readonly session: (id: string) => readonly NewEvent[];
}

/**
 * null when the transcripts are not on this machine.
 * @param from a folder of other transcripts, or a home with a drained spool, whose log is then read, including hooks
 */
export async function openCorpus(from: {
  readonly folder: string | null;
  readonly home: string | null;
}): Promise<Corpus | null> {
  const paths = from.home === null ? transcripts(from.folder) : [];
  if (from.home === null && paths.length === 0) return null;
  const log = from.home === null ? await openMemoryLog() : await openHome(from.home);
  const events = new Map<string, NewEvent>();
  const sessions = new Map<string, NewEvent[]>();
  const know = (id: string, newEvent: NewEvent) => {
    if (events.has(id)) return;
    events.set(id, newEvent);
    const name = newEvent.session ?? '';
    sessions.set(name, [...(sessions.get(name) ?? []), newEvent]);
  };
  for (const path of paths) {
    const { newEvents } = readWhole(readFileSync(path), { name: basename(path) });
    const outcomes = await log.append(newEvents);
    for (const [index, { id }] of outcomes.entries()) know(id, newEvents[index]!);
  }
  if (from.home !== null) {
    for await (const page of pagesAfter(0, (after) => log.page({ after })))
      for (const event of page.events) if (event.type !== 'unknown') know(event.id, event);
    // Hook events are appended before the transcript is read.
    for (const all of sessions.values())
      all.sort((one, other) => (one.occurredAt ?? 0) - (other.occurredAt ?? 0));
  }
  const projectors = [turnsProjector, projectsProjector, memoryProjector, contextProjector];
  const runner = await openRunner({ log, generations: memoryGenerations(), projectors, now, randomBytes });
  await runner.catchUp();
  const memory = runner.view('memory');
  const all = async <R>(view: 'memory' | 'context', prefix: string) =>
    (await runner.view(view).range<R>(prefix)).map(([, row]) => row);
  const rows = await all<ContextRow>('context', 'row/');
  return {
    runner,
    observations: inOrder(await all<ObservationRow>('memory', memoryKeys.observations())),
    summaries: inOrder(await all<SummaryRow>('memory', memoryKeys.summaries())),
    rows: newestFirst(rows).reverse(),
    documents: (await memory.range<MemoryDocument>('document/')).map(([, row]) => row),
    event: (id) => events.get(id),
    session: (id) => sessions.get(id) ?? [],
  };
}

function openHome(home: string): Promise<Log> {
  const { log, head } = homePaths(home);
  return openLog({
    directory: log,
    headFile: head,
    world: { now, randomBytes },
    files: { readText, writeAtomically, folderBytes },
  });
}

function transcripts(folder: string | null): string[] {
  const roots =
    folder !== null ? [folder] : sharedData === null ? [] : FOLDERS.map((one) => join(sharedData!, one));
  return roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(root, name)),
  );
}

function inOrder<R extends { id: string }>(rows: R[]): R[] {
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
}
