// Homes that are opened through the library, and what they come to: digests of all views and the events
// without what belongs to one machine only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Annals, type LogEvent, type OpenOptions, openAnnals } from '../../src/index.ts';

/** A folder that goes when the tests of a file are over. */
export function sharedFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `annals-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a home for one piece of work and closes it whatever happens. */
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

/** Digest of every view, brought up to the log. */
export async function digestsOf(annals: Annals): Promise<Record<string, string>> {
  const { views } = await annals.replay();
  return Object.fromEntries(views.map(({ name, digest }) => [name, digest]));
}

export async function eventsOf(annals: Annals, options: Parameters<Annals['log']>[0] = {}) {
  const events: LogEvent[] = [];
  for await (const event of annals.log(options)) events.push(event);
  return events;
}

/** Events as two machines that were told the same must hold them: sorted by id, without origin and place. */
export function lasting(events: readonly LogEvent[]): readonly object[] {
  return events
    .map(({ position: _, recordedAt: __, origin: ___, originSeq: ____, ...event }) => event)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What every sound home says of itself. */
export const SOUND = { ok: true, problems: [] };
