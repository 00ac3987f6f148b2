// Events out and in through a real NATS server, beside the bare client with messages of the same size: the outbox seals
// and sends what a log on disk holds, the inbox of another machine opens and imports it. Starts nats-server itself.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamClient, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Log, openLog } from '../../log/index.ts';
import type { Home } from '../../src/home/home.ts';
import { invite } from '../../src/share/keys/acts.ts';
import { acceptInvitation, createTeam } from '../../src/share/keys/make-team.ts';
import { teamStoreAt } from '../../src/share/keys/team-store.ts';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import { Rows } from '../../src/share/rows/sync-rows.ts';
import { syncOnce } from '../../src/share/sync/sync.ts';
import { testFiles, testWorld } from '../../tests/helpers/world.ts';
import { PROJECT, reply, seen } from '../../tests/share/machines.ts';
import { natsProgram, startNats } from '../../tests/share/servers.ts';
import { median, type Sample, stopwatch } from '../harness/measure.ts';

const isSmall = process.argv.includes('--small');
const EVENTS = isSmall ? 2_000 : 60_000;
const ROUNDS = isSmall ? 1 : 3;
const BYTES = 2_048;
/** Of the bare client, in flight at once. */
const BATCH = 256;
const world = { now: () => Date.now(), randomBytes };
/** Of a message beside the event: signature, path in the batch, names. */
const SEALED_BYTES = 700;

type Phase = 'bare out' | 'sealed and sent' | 'sent again' | 'bare in' | 'opened and stored';

if (natsProgram === null) console.log('nats-server is not installed: nothing is measured.');
else await bench();

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-bench-share-'));
  const server = await startNats();
  const samples = new Map<Phase, Sample[]>();
  try {
    for (let round = 1; round <= ROUNDS; round++)
      await oneRound(join(folder, String(round)), server.url, (phase, sample) =>
        samples.set(phase, [...(samples.get(phase) ?? []), sample]),
      );
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${EVENTS} events of ${BYTES} bytes, median of ${ROUNDS} rounds`);
  const msOf = (phase: Phase) => median(samples.get(phase)!.map(({ ms }) => ms));
  for (const [phase, all] of samples) {
    const rate = (time: number) => Math.round((1_000 * EVENTS) / time).toLocaleString('en');
    const bare = phase === 'bare in' || phase === 'opened and stored' ? 'bare in' : 'bare out';
    console.log(
      `  ${phase.padEnd(18)} ${rate(msOf(phase)).padStart(8)} /s   ${(msOf(phase) / msOf(bare)).toFixed(2).padStart(6)} times the bare client   ` +
        `${rate(median(all.map(({ cpuMs }) => cpuMs))).padStart(8)} /s of processor time`,
    );
  }
}

async function oneRound(
  folder: string,
  url: string,
  note: (phase: Phase, sample: Sample) => void,
): Promise<void> {
  await bareClient(url, note);
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
  note('sealed and sent', watch());
  watch = stopwatch();
  const received = await syncOnce({ ...receiver, projects: [] });
  note('opened and stored', watch());
  watch = stopwatch();
  const again = await syncOnce({ ...sender, rows: new Rows([]), projects: [PROJECT] });
  note('sent again', watch());
  if (received.received !== sent.events || again.known !== again.events) throw new Error('Events were lost.');
  await shared.close();
  await from.close();
  await to.close();
}

async function bareClient(url: string, note: (phase: Phase, sample: Sample) => void): Promise<void> {
  const connection = await connect({ servers: [url.slice('nats://'.length)], noAsyncTraces: true });
  const name = `bare${Date.now()}`;
  await (await jetstreamManager(connection)).streams.add({ name, subjects: [`${name}.>`] });
  const client = jetstream(connection);
  note('bare out', await sendBare(client, name));
  note('bare in', await readBare(client, name));
  await connection.close();
}

async function sendBare(client: JetStreamClient, name: string): Promise<Sample> {
  const bytes = randomBytes(BYTES + SEALED_BYTES);
  const watch = stopwatch();
  for (let at = 0; at < EVENTS; at += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, EVENTS - at) }, (_, index) =>
        client.publish(`${name}.p.o`, bytes, { msgID: `m${at + index}` }),
      ),
    );
  return watch();
}

async function readBare(client: JetStreamClient, name: string): Promise<Sample> {
  const consumer = await client.consumers.get(name);
  const watch = stopwatch();
  const messages = await consumer.consume({ max_messages: 2 * BATCH });
  let left = EVENTS;
  for await (const _ of messages) if (--left === 0) break;
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
