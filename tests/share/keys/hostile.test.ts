// Sealed events and records that somebody made up, changed or cut: each is refused with a reason, quickly.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeRecord, type RecordBody } from '../../../src/share/keys/record.ts';
import { SealError } from '../../../src/share/keys/sealer.ts';
import { signerOf } from '../../../src/share/keys/signing.ts';
import { type Chance, chance } from '../../helpers/chance.ts';
import { bytesOf, TeamScene } from './team-world.ts';

const CASES = Number(process.env.ANNALS_TEST_HOSTILE_SEALS ?? 300);
const PROJECT = 'birdfeeder';

/** Bytes made of real ones. */
function mutated(samples: readonly Uint8Array[], random: Chance): Uint8Array {
  const sample = Buffer.from(samples[random.below(samples.length)]!);
  const other = samples[random.below(samples.length)]!;
  const at = random.below(sample.length);
  switch (random.below(6)) {
    case 0:
      sample[at]! ^= 1 << random.below(8);
      return sample;
    case 1:
      return sample.subarray(0, at);
    case 2:
      return Buffer.concat([sample.subarray(0, at), other.subarray(Math.min(at, other.length))]);
    case 3:
      return Buffer.concat([sample, randomBytes(1 + random.below(2_000))]);
    case 4:
      return randomBytes(random.below(3_000));
    default: {
      const [from, to] = [random.below(sample.length), random.below(sample.length)];
      sample.copy(sample, to, from, Math.min(sample.length, from + random.below(64)));
      return sample;
    }
  }
}

test('a time that is no date is refused: nothing could show it', async () => {
  const { scene, admin } = await TeamScene.of();
  const ben = await scene.member(admin, 'ben');
  await admin.seal([{ project: PROJECT, plain: bytesOf('one') }]);
  await scene.exchange();
  const before = scene.time;
  scene.time = 8.7e15;
  const [event] = await ben.seal([{ project: PROJECT, plain: bytesOf('two') }]);
  await ben.sign([{ kind: 'removal', at: scene.time, machine: ben.machine, keeps: [] }]);
  scene.time = before;
  await expect(admin.open(event!)).rejects.toMatchObject({ reason: 'damaged' });
  expect(await admin.accept(ben.pending().map(({ bytes }) => bytes))).toMatchObject({ added: 0 });
});

test(`${CASES} events and records that were changed are refused, or mean what they meant`, async () => {
  const { scene, admin } = await TeamScene.of();
  await scene.member(admin, 'ben');
  const texts = ['one', 'two', 'three'];
  const events = await admin.seal(texts.map((text) => ({ project: PROJECT, plain: bytesOf(text) })));
  await scene.exchange();
  const records = [...scene.log.values()];
  const before = JSON.stringify([...admin.members()]);
  const known = admin.all().length;
  const random = chance(20);
  for (let at = 0; at < CASES; at++) {
    const event = mutated(events, random);
    try {
      const opened = await admin.open(event);
      // Only what proves nothing (an unknown author, a place that has no meaning) may be changed.
      if (opened !== null) expect(texts).toContain(Buffer.from(opened.plain).toString());
    } catch (error) {
      expect(error).toBeInstanceOf(SealError);
    }
    const { added } = await admin.accept([mutated(records, random)]);
    expect(added).toBe(0);
  }
  expect(admin.all()).toHaveLength(known);
  expect(JSON.stringify([...admin.members()])).toBe(before);
});

test('what is larger than a message is refused before it is read', async () => {
  const { admin } = await TeamScene.of();
  const huge = new Uint8Array(50_000_000);
  huge.set((await admin.seal([{ project: PROJECT, plain: bytesOf('x') }]))[0]!);
  await expect(admin.open(huge)).rejects.toMatchObject({ reason: 'size' });
  expect((await admin.accept([huge])).refused[0]?.error.reason).toBe('size');
  await expect(admin.seal([{ project: PROJECT, plain: huge }])).rejects.toMatchObject({ reason: 'size' });
  await expect(admin.seal([{ project: 'x'.repeat(5_000), plain: bytesOf('x') }])).rejects.toMatchObject({
    reason: 'size',
  });
});

test('records of somebody who has the key of the team but no place in it change nothing', async () => {
  const { scene, admin } = await TeamScene.of();
  const ben = await scene.member(admin, 'ben');
  await admin.seal([{ project: PROJECT, plain: bytesOf('x') }]);
  await scene.exchange();
  const teamKey = Buffer.from(admin.identity.teamKey, 'base64');
  const stranger = signerOf(randomBytes(32));
  const project = admin.nameOf(PROJECT);
  const machine = {
    publicKey: Buffer.from(stranger.publicKey).toString('base64'),
    recipient: `age1${'q'.repeat(58)}`,
  };
  const key = randomBytes(16).toString('hex');
  const bodies: RecordBody[] = [
    { kind: 'member', at: 1, machine, name: 'eve', role: 'admin', projects: null, until: null },
    { kind: 'removal', at: 1, machine: admin.machine, keeps: [] },
    { kind: 'key', at: 1, project, key, generation: 1e9, without: [], wraps: { [ben.machine]: 'AAAA' } },
    { kind: 'wraps', at: 1, project, key, wraps: { [ben.machine]: 'AAAA' } },
    { kind: 'joining', at: 1, machine, invitation: key, invitationKey: 'AAAA', proof: 'AAAA' },
  ];
  const made = bodies.map((body) =>
    encodeRecord(body, { team: admin.id, teamKey, signer: stranger, nonce: randomBytes(12) }),
  );
  const members = [...ben.members().keys()];
  await ben.accept(made.map(({ bytes }) => bytes));
  expect([...ben.members().keys()]).toEqual(members);
  const [sealed] = await ben.seal([{ project: PROJECT, plain: bytesOf('still') }]);
  expect(ben.pending()).toEqual([]);
  expect(Buffer.from((await admin.open(sealed!))!.plain).toString()).toBe('still');
});

test('a member whose recipient is none keeps nobody from making keys', async () => {
  const { scene, admin } = await TeamScene.of();
  const machine = { publicKey: randomBytes(32).toString('base64'), recipient: `age1${'q'.repeat(58)}` };
  await admin.sign([
    { kind: 'member', at: 1, machine, name: 'odd', role: 'member', projects: null, until: null },
  ]);
  const ben = await scene.member(admin, 'ben');
  const [sealed] = await admin.seal([{ project: PROJECT, plain: bytesOf('x') }]);
  await scene.exchange();
  expect(await ben.open(sealed!)).not.toBeNull();
});
