// The home that is damaged: a few thousand events of synthetic sessions, memories and workdirs, written in several
// openings, so that log and views have tables and a write-ahead file each. An older copy of every file is made
// while the home is open, as a backup program would.
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syntheticSessions } from '../../bench/data/sessions.ts';
import { type Annals, type NewEvent, openAnnals } from '../../src/index.ts';

export const FOLDERS = [
  '/home/someone/projects/atlas',
  '/home/someone/projects/birdfeeder',
  '/srv/work/ledger',
];
const SESSIONS = 10;
const MEMORIES = 60;
const WORKDIRS = 30;
const PER_APPEND = 50;

export interface MadeHome {
  readonly home: string;
  readonly older: string;
  readonly events: number;
}

/** Opens the home in a folder, or creates it. @param events at least 500 */
export async function homeIn(folder: string, events: number): Promise<MadeHome> {
  const home = join(folder, 'home');
  const older = join(folder, 'older');
  const made = join(folder, 'made');
  const newEvents = newEventsOf(events);
  if (existsSync(made)) return { home, older, events: newEvents.length };
  const parts = [0.7, 0.9, 0.95, 1].map((part) => Math.round(newEvents.length * part));
  await inHome(home, (annals) => tell(annals, newEvents, 0, parts[0]!));
  await inHome(home, (annals) => tell(annals, newEvents, parts[0]!, parts[1]!));
  await inHome(home, async (annals) => {
    await tell(annals, newEvents, parts[1]!, parts[2]!);
    copyOpen(home, older);
    await tell(annals, newEvents, parts[2]!, parts[3]!);
  });
  writeFileSync(made, '');
  return { home, older, events: newEvents.length };
}

/** The store may remove a table meanwhile, which it has merged into another: then the copy begins again. */
function copyOpen(home: string, copy: string): void {
  for (;;) {
    try {
      cpSync(home, copy, { recursive: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      rmSync(copy, { recursive: true, force: true });
    }
  }
}

async function inHome(home: string, work: (annals: Annals) => Promise<void>): Promise<void> {
  const annals = await openAnnals({ home });
  try {
    await work(annals);
  } finally {
    await annals.close();
  }
}

async function tell(annals: Annals, newEvents: readonly NewEvent[], from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += PER_APPEND) {
    const cursors = [{ key: `file/${at % 700}`, value: { offset: at } }];
    await annals.append(newEvents.slice(at, Math.min(at + PER_APPEND, to)), { cursors });
  }
  await annals.status();
  await annals.search('reader fails');
}

/** Sessions with memories and workdirs in between. */
function newEventsOf(events: number): NewEvent[] {
  const others = [...Array.from({ length: MEMORIES }, memory), ...Array.from({ length: WORKDIRS }, workdir)];
  const eventsPerSession = Math.ceil((events - others.length) / SESSIONS);
  const sessions = syntheticSessions({ sessions: SESSIONS, eventsPerSession }).slice(
    0,
    events - others.length,
  );
  const every = Math.floor(sessions.length / others.length);
  return sessions.flatMap((newEvent, index) => {
    const other = index % every === 0 ? others[index / every] : undefined;
    return other === undefined ? [newEvent] : [other, newEvent];
  });
}

function memory(_: unknown, number: number): NewEvent<'memory.saved'> {
  const cwd = FOLDERS[number % FOLDERS.length]!;
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey: `memory-${number}`,
    channel: 'api',
    occurredAt: Date.UTC(2026, 0, 3) + number * 60_000,
    body: {
      title: `Lesson ${number}`,
      text: `What part ${number} of the reader taught us`,
      cwd,
      project: null,
    },
  };
}

function workdir(_: unknown, number: number): NewEvent<'workdir.seen'> {
  const cwd = FOLDERS[number % FOLDERS.length]!;
  return {
    type: 'workdir.seen',
    agent: 'annals',
    session: null,
    dedupeKey: `look-${number}`,
    channel: 'cli',
    occurredAt: Date.UTC(2026, 0, 2) + number * 60_000,
    body: {
      cwd,
      root: cwd,
      commonDir: `${cwd}/.git`,
      remotes:
        number % 2 === 0 ? [] : [{ name: 'origin', url: `https://example.org/team/part-${number % 3}.git` }],
      proposal: { name: `name ${number % 3}`, subprojects: [] },
    },
  };
}
