// Opens homes through the library and compares them: digests of all views, and events without machine-specific fields.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Annals, type LogEvent, type OpenOptions, openAnnals } from '../../src/index.ts';

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
  const annals = await openAnnals({ lockTimeoutMs: 60_000, ...options, home });
  try {
    return await work(annals);
  } finally {
    await annals.close();
  }
}

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
