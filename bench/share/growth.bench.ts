// What a large team costs, computed from what a real NATS server and a real team take: memory of the server for each subject
// and each id that it recognises, bytes on its disk and on the wire, time to take events in, records of members. docs/team-growth.md
// quotes it.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTeam } from '../../src/share/keys/make-team.ts';
import type { TeamFile, TeamStore } from '../../src/share/keys/team-store.ts';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import type { Message } from '../../src/share/log/shared-log.ts';
import { natsProgram, startNats, type TestServer } from '../../tests/share/servers.ts';
import { option } from '../harness/report.ts';

const isSmall = process.argv.includes('--small');
const MESSAGES = isSmall ? 2_000 : 60_000;
const BATCH = 256;
const PLAIN_BYTES = 2_048;
/** Taken in, in a second, by one machine: the result of `npm run bench share/exchange`. */
const IN_PER_SECOND = Number(option('in') ?? 12_000);

const MACHINES = 1_000;
const PROJECTS_EACH = 10;
/** Events and statements of each project, and records. */
const SUBJECTS = MACHINES * (2 * PROJECTS_EACH + 1);
const EVENTS = 1e9;
const EVENTS_A_DAY = 1e6;
/** Of all events, those of the projects of one machine, if it read only these. */
const OWN_SHARE = 0.01;

if (natsProgram === null) console.log('nats-server is not installed: nothing is measured.');
else await bench();

async function bench(): Promise<void> {
  const sealedBytes = await sizeOfSealed();
  const few = await filled(() => 'origin', sealedBytes);
  const many = await filled((number) => `origin${number}`, sealedBytes);
  const perMessage = (few.memory - few.before) / MESSAGES;
  const perSubject = (many.memory - many.before - (few.memory - few.before)) / MESSAGES;
  const rows: readonly (readonly [string, string])[] = [
    [`an event of ${PLAIN_BYTES} bytes, sealed`, `${sealedBytes} bytes`],
    ['on the disk of the server', `${Math.round(few.disk / MESSAGES)} bytes`],
    ['memory of the server for a message of the last ten minutes', `${Math.round(perMessage)} bytes`],
    ['memory of the server for a subject', `${Math.round(perSubject)} bytes`],
    [`${MACHINES} machines, ${PROJECTS_EACH} projects each: subjects`, count(SUBJECTS)],
    ['- memory for them', `${mega(SUBJECTS * perSubject)} MB`],
    [`- the same with a subject for each of ${count(EVENTS)} events`, `${mega(EVENTS * perSubject)} MB`],
    [`${count(EVENTS)} events: disk of the server`, `${tera(EVENTS * (few.disk / MESSAGES))} TB`],
    [`${count(EVENTS_A_DAY)} events a day: to the server`, `${giga(EVENTS_A_DAY * sealedBytes)} GB a day`],
    ['- from the server, all machines', `${tera(EVENTS_A_DAY * sealedBytes * (MACHINES - 1))} TB a day`],
    ['- to each machine', `${giga(EVENTS_A_DAY * sealedBytes)} GB a day`],
    ['- work of each machine', `${Math.round(EVENTS_A_DAY / IN_PER_SECOND)} s a day`],
    [`a new machine, all ${count(EVENTS)} events`, `${Math.round(EVENTS / IN_PER_SECOND / 3_600)} hours`],
    [
      `- only ${OWN_SHARE * 100} % of them`,
      `${Math.round((EVENTS * OWN_SHARE) / IN_PER_SECOND / 60)} minutes, ${giga(EVENTS * OWN_SHARE * sealedBytes)} GB`,
    ],
  ];
  for (const [what, value] of rows) console.log(`  ${what.padEnd(72)} ${value.padStart(18)}`);
}

async function sizeOfSealed(): Promise<number> {
  const files = new Map<TeamFile, string>();
  const store: TeamStore = {
    read: (name) => files.get(name) ?? null,
    replace: async (name, text) => void files.set(name, text),
    append: async (name, text) => void files.set(name, (files.get(name) ?? '') + text),
    remove: async () => files.clear(),
  };
  const { team } = await createTeam({ name: 'a', server: '' }, store, { now: () => Date.now(), randomBytes });
  const items = Array.from({ length: BATCH }, () => ({
    project: 'repo:github.com/acme/app',
    plain: randomBytes(PLAIN_BYTES),
  }));
  return (await team.seal(items))[0]!.length;
}

/** A server with messages, before and after. */
async function filled(origin: (number: number) => string, bytes: number) {
  const server = await startNats();
  const log = await openSharedLog({ url: server.url, team: 'growth', create: true });
  try {
    const before = memoryOf(server);
    for (let at = 0; at < MESSAGES; at += BATCH)
      await log.append(
        Array.from(
          { length: Math.min(BATCH, MESSAGES - at) },
          (_, index): Message => ({
            ...{ id: randomBytes(16).toString('hex'), kind: 'event', project: 'p'.repeat(32) },
            ...{ origin: origin(at + index).padEnd(32, 'o'), bytes: randomBytes(bytes) },
          }),
        ),
      );
    return { before, memory: memoryOf(server), disk: bytesBelow(server.folder) };
  } finally {
    await log.close();
    await server.end();
  }
}

/** Of the process that runs with the configuration of this server. */
function memoryOf({ folder }: TestServer): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) continue;
      return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024;
    } catch {
      // It ended meanwhile.
    }
  throw new Error('The server is not there.');
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function mega(bytes: number): string {
  return count(Math.round(bytes / 1e6));
}

function giga(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}

function tera(bytes: number): string {
  return (bytes / 1e12).toFixed(1);
}
