// Events out and in through a real NATS server, beside its bare client with messages of the same size: the outbox seals and
// sends what a log on disk holds, the inbox of another machine opens and imports it. Starts nats-server itself.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, openLog } from '../../log/index.ts';
import type { Home } from '../../src/home/home.ts';
import { invite } from '../../src/share/keys/acts.ts';
import { acceptInvitation, createTeam } from '../../src/share/keys/make-team.ts';
import { teamStoreAt } from '../../src/share/keys/team-store.ts';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import type { SharedLog } from '../../src/share/log/shared-log.ts';
import { syncOnce } from '../../src/share/sync/sync.ts';
import { Rows } from '../../src/share/sync/sync-rows.ts';
import { testFiles, testWorld } from '../../tests/helpers/world.ts';
import { PROJECT, reply, seen } from '../../tests/share/machines.ts';
import { natsProgram, startNats } from '../../tests/share/servers.ts';
import { type Sample, stopwatch } from '../harness/measure.ts';

const EVENTS = process.argv.includes('--small') ? 2_000 : 20_000;
const BYTES = 2_048;
const BATCH = 256;
const ROUNDS = 3;
const world = { now: () => Date.now(), randomBytes };
/** Of a message beside the event: signature, path in the batch, names. */
const SEALED_BYTES = 700;

if (natsProgram === null) console.log('nats-server is not installed: nothing is measured.');
else await bench();

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-bench-share-'));
  const server = await startNats();
  console.log(`${EVENTS} events of ${BYTES} bytes, ${ROUNDS} rounds`);
  try {
    for (let round = 1; round <= ROUNDS; round++) await oneRound(join(folder, String(round)), server.url);
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function oneRound(folder: string, url: string): Promise<void> {
  const bare = await openSharedLog({ url, team: `bare${Date.now()}`, create: true });
  const bareOut = await sendBare(bare);
  const bareIn = await readBare(bare);
  await bare.close();

  const from = await logAt(join(folder, 'from'));
  await fill(from);
  const { team } = await createTeam({ name: 'from', server: url }, teamStoreAt(join(folder, 'a')), world);
  const expiresAt = Date.now() + 60_000;
  const about = { name: 'to', role: 'member', projects: null, until: null, server: url } as const;
  const invitation = await invite({ ...about, expiresAt }, team, world);
  const other = await acceptInvitation(invitation, teamStoreAt(join(folder, 'b')), world);
  const to = await logAt(join(folder, 'to'));
  const shared = await openSharedLog({ url, team: team.id, create: true });
  const given = { shared, lookAt: () => null };
  const sender = { ...given, home: { log: from } as Home, rows: await Rows.load(from), team };
  const receiver = { ...given, home: { log: to } as Home, rows: await Rows.load(to), team: other };
  await syncOnce({ ...receiver, projects: [] });
  await syncOnce({ ...sender, projects: [] });

  let watch = stopwatch();
  const sent = await syncOnce({ ...sender, projects: [PROJECT] });
  const out = watch();
  watch = stopwatch();
  const received = await syncOnce({ ...receiver, projects: [] });
  const taken = watch();
  watch = stopwatch();
  const again = await syncOnce({ ...sender, rows: new Rows([]), projects: [PROJECT] });
  const resent = watch();
  if (received.received !== sent.events || again.known !== again.events) throw new Error('Events were lost.');
  line('bare client, out', EVENTS, bareOut);
  line('sealed and sent', sent.events, out);
  line('the same again, recognised', again.events, resent);
  line('bare client, in', EVENTS, bareIn);
  line('opened and imported', received.received, taken);
  await shared.close();
  await from.close();
  await to.close();
}

async function sendBare(log: SharedLog): Promise<Sample> {
  const bytes = randomBytes(BYTES + SEALED_BYTES);
  const watch = stopwatch();
  for (let at = 0; at < EVENTS; at += BATCH)
    await log.append(
      Array.from({ length: Math.min(BATCH, EVENTS - at) }, (_, index) => ({
        ...{ id: `m${at + index}`, kind: 'event', project: 'p', origin: 'o', bytes },
      })),
    );
  return watch();
}

async function readBare(log: SharedLog): Promise<Sample> {
  const watch = stopwatch();
  for (let after = 0, count = 0; count < EVENTS; ) {
    const page = await log.page({ after });
    count += page.length;
    after = page.at(-1)!.position;
  }
  return watch();
}

async function fill(log: Log): Promise<void> {
  await log.append([seen('/app', 'github.com/acme/app')]);
  for (let at = 0; at < EVENTS; at += 1_000)
    await log.append(
      Array.from({ length: 1_000 }, (_, index) => {
        const event = reply(`session-${at}`, at + index, '/app');
        const text = Array.from(
          { length: BYTES / 16 },
          (__, word) => `word${(at + index * 7 + word) % 9_973}`,
        );
        return { ...event, body: { ...event.body, text: text.join(' ').slice(0, BYTES - 700) } };
      }),
    );
}

function logAt(folder: string): Promise<Log> {
  return openLog({
    ...{ directory: join(folder, 'log'), headFile: join(folder, 'head.json') },
    ...{ world: { ...testWorld(), randomBytes }, files: testFiles },
  });
}

function line(name: string, events: number, { ms, cpuMs }: Sample): void {
  const rate = (time: number) => Math.round((1_000 * events) / time).toLocaleString('en');
  console.log(
    `  ${name.padEnd(28)} ${rate(ms).padStart(8)} /s   ${rate(cpuMs).padStart(8)} /s of processor time`,
  );
}
