// Opens homes through the library and compares them: digests of all views, and events without machine-specific fields.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Annals, type LogEvent, type OpenOptions, openAnnals } from '../../src/index.ts';
import type { WorkerClient } from '../../src/worker/connect-worker.ts';
import { openThroughWorker } from '../../src/worker/open-home.ts';
import { served, WITH_WORKER } from './command.ts';

/** A folder that is removed after the tests of a file. */
export function sharedFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `annals-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a home, runs the work and always closes the home. */
export async function withHome<T>(
  home: string,
  work: (annals: Annals) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  // The options are those of a home that is opened here.
  const release = WITH_WORKER && Object.keys(options).length === 0 ? await served(home) : null;
  const open = { lockTimeoutMs: 60_000, ...options, home };
  const annals = await (release === null ? openAnnals(open) : openBehindWorker(open));
  try {
    return await work(annals);
  } finally {
    await annals.close();
    await release?.();
  }
}

async function openBehindWorker(options: OpenOptions): Promise<Annals> {
  const annals = await openThroughWorker(options, CLIENT, openAnnals);
  return {
    ...annals,
    async status() {
      const status = await annals.status();
      // The worker of another test may have the port.
      return { ...status, degraded: status.degraded.filter((line) => !line.startsWith('Port ')) };
    },
  };
}

const CLIENT: WorkerClient = { version: '0.1.0', build: null, environment: {} };

/** The digest of every view after catching up with the log. */
export async function digestsOf(annals: Annals): Promise<Record<string, string>> {
  const { views } = await annals.replay();
  return Object.fromEntries(views.map(({ name, digest }) => [name, digest]));
}

export async function eventsOf(annals: Annals, options: Parameters<Annals['log']>[0] = {}) {
  const events: LogEvent[] = [];
  for await (const event of annals.log(options)) events.push(event);
  return events;
}

/** Events without the fields of one machine (origin, position), sorted by id: equal on two machines with the same input. */
export function lasting(events: readonly LogEvent[]): readonly object[] {
  return events
    .map(({ position: _, recordedAt: __, origin: ___, originSeq: ____, ...event }) => event)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Expects that a home verifies without a problem. */
export const SOUND = { ok: true, problems: [] };
