// Sealing and opening events, and what a large team costs: membership, a new key, the records of a new machine.
import { randomBytes } from 'node:crypto';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { createTeam } from '../../src/share/keys/make-team.ts';
import type { RecordBody } from '../../src/share/keys/record.ts';
import { Team } from '../../src/share/keys/team.ts';
import type { TeamFile, TeamStore } from '../../src/share/keys/team-store.ts';

const EVENT_BYTES = 2_048;
const BATCHES = [1, 16, 256];
const EVENTS = 8_192;
const TEAMS = [10, 100, 1_000];
const world = { now: () => Date.UTC(2026, 10, 1), randomBytes };

function store(files = new Map<TeamFile, string>()): TeamStore {
  return {
    read: (name) => files.get(name) ?? null,
    replace: async (name, text) => void files.set(name, text),
    append: async (name, text) => void files.set(name, (files.get(name) ?? '') + text),
    remove: async () => files.clear(),
  };
}

/** Milliseconds of processor time, which other work on the machine does not lengthen. */
async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const started = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(started);
  return { result, ms: (user + system) / 1_000 };
}

const { team } = await createTeam({ name: 'a', server: '' }, store(), world);
const plain = randomBytes(EVENT_BYTES);
await team.seal([{ project: 'p', plain }]);
// Warm.
for (let turn = 0; turn < 20; turn++)
  for (const message of await team.seal(Array.from({ length: 64 }, () => ({ project: 'p', plain }))))
    await team.open(message);
console.log('Per second of processor time:');
for (const batch of BATCHES) {
  const count = batch === 1 ? EVENTS / 8 : EVENTS;
  const items = Array.from({ length: batch }, () => ({ project: 'p', plain }));
  const sealing = await timed(async () => {
    const sealed: Uint8Array[] = [];
    for (let at = 0; at < count; at += batch) sealed.push(...(await team.seal(items)));
    return sealed;
  });
  const opening = await timed(async () => {
    for (const message of sealing.result) await team.open(message);
  });
  const perSecond = (ms: number) => Math.round((count / ms) * 1_000).toLocaleString('en');
  console.log(
    `batch of ${batch}: ${perSecond(sealing.ms)} sealed/s, ${perSecond(opening.ms)} opened/s, ` +
      `${sealing.result[0]!.length - EVENT_BYTES} bytes more than an event of ${EVENT_BYTES}`,
  );
}

for (const size of TEAMS) {
  const files = new Map<TeamFile, string>();
  const large = (await createTeam({ name: 'a', server: '' }, store(files), world)).team;
  const bodies: RecordBody[] = [];
  for (let machine = 1; machine < size; machine++) {
    const recipient = await identityToRecipient(await generateX25519Identity());
    const keys = { publicKey: randomBytes(32).toString('base64'), recipient };
    bodies.push({
      ...{ kind: 'member', at: 1, machine: keys, name: `m${machine}` },
      ...{ role: 'member', projects: null, until: null },
    });
  }
  await large.sign(bodies);
  const bytes = () => large.all().reduce((sum, one) => sum + one.bytes.length, 0);
  const before = bytes();
  const members = await timed(async () => large.members().size);
  const key = await timed(() => large.rotate(['p']));
  const again = await timed(async () => Team.open(store(files), world)!.members().size);
  console.log(
    `${size} machines: ${before.toLocaleString('en')} bytes of members, membership ${members.ms.toFixed(1)} ms, ` +
      `a new key ${key.ms.toFixed(0)} ms and ${(bytes() - before).toLocaleString('en')} bytes, read at start ${again.ms.toFixed(0)} ms`,
  );
}
