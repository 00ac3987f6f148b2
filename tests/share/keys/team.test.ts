// A team from its first machine to its recovery: who reads, who writes, who is refused.
import { Encrypter } from 'age-encryption';
import { describe, expect, test } from 'vitest';
import { depart, invite, makeCredential, removeMember } from '../../../src/share/keys/acts.ts';
import { hashTree, leafHash } from '../../../src/share/keys/hash-tree.ts';
import { recoverTeam } from '../../../src/share/keys/make-team.ts';
import { headIn } from '../../../src/share/keys/sealed-event.ts';
import { SealError } from '../../../src/share/keys/sealer.ts';
import { Team } from '../../../src/share/keys/team.ts';
import { memoryStore } from './memory-store.ts';
import { bytesOf, HOUR_MS, TeamScene, textOf } from './team-world.ts';

const PROJECT = 'repo:example.org/birdfeeder';
const OTHER = 'repo:example.org/greenhouse';

async function sealed(team: Team, text: string, project = PROJECT): Promise<Uint8Array> {
  const [bytes] = await team.seal([{ project, plain: bytesOf(text) }]);
  return bytes!;
}

async function opened(team: Team, bytes: Uint8Array): Promise<string | null> {
  const event = await team.open(bytes);
  return event === null ? null : textOf(event.plain)!;
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was refused',
    (error) => {
      if (error instanceof SealError) return error.reason;
      throw error;
    },
  );
}

describe('a team', () => {
  test('every member opens what any member sealed, with project and author', async () => {
    const { scene, admin } = await TeamScene.of();
    const ben = await scene.member(admin, 'ben');
    const fromBen = await sealed(ben, 'the seed hopper jams');
    await scene.exchange();
    expect(await admin.open(fromBen)).toMatchObject({ project: PROJECT, author: ben.machine });
    expect(await opened(admin, fromBen)).toBe('the seed hopper jams');
    expect(await opened(ben, await sealed(admin, 'use the larger bearing'))).toBe('use the larger bearing');
  });

  test('a batch of any size opens message by message, in any order', async () => {
    const { scene, admin } = await TeamScene.of();
    const ben = await scene.member(admin, 'ben');
    for (const size of [1, 2, 3, 7]) {
      const texts = Array.from({ length: size }, (_, index) => `${size} ${index}`);
      const items = texts.map((text, index) => ({
        project: index % 2 ? PROJECT : OTHER,
        plain: bytesOf(text),
      }));
      const messages = await admin.seal(items);
      await scene.exchange();
      for (const [index, message] of [...messages.entries()].reverse())
        expect(await opened(ben, message)).toBe(texts[index]);
    }
    expect(await admin.seal([])).toEqual([]);
  });

  test('one who joins later reads what was sealed before', async () => {
    const { scene, admin } = await TeamScene.of();
    const early = await sealed(admin, 'from before');
    const ben = await scene.member(admin, 'ben');
    expect(await opened(ben, early)).toBe('from before');
  });

  test('before the key or the author is known, a message waits', async () => {
    const { scene, admin } = await TeamScene.of();
    const ben = await scene.member(admin, 'ben');
    const message = await sealed(admin, 'with a key that is not there yet');
    expect(await ben.open(message)).toBeNull();
    await scene.exchange();
    expect(await opened(ben, message)).toBe('with a key that is not there yet');
  });

  test('is the same after a restart, and after a crash in the middle of a line', async () => {
    const { scene, admin } = await TeamScene.of();
    const message = await sealed(admin, 'kept');
    const { store } = scene.machines[0]!;
    await store.append('records.jsonl', '{"made":"QU5SA');
    const again = Team.open(store, scene.world)!;
    expect(again.pending().map(({ id }) => id)).toEqual(admin.pending().map(({ id }) => id));
    expect(await opened(again, message)).toBe('kept');
    await again.acknowledged(again.pending().map(({ id }) => id));
    expect(Team.open(store, scene.world)!.pending()).toEqual([]);
  });

  test('a home without a team has none', () => {
    expect(Team.open(memoryStore(), new TeamScene().world)).toBeNull();
  });
});

describe('an invitation', () => {
  test('admits one machine, and only until it expires', async () => {
    const { scene, admin } = await TeamScene.of();
    const invited = { name: 'ben', role: 'member', projects: null, until: null, server: '' } as const;
    const text = await invite({ ...invited, expiresAt: scene.time + HOUR_MS }, admin, scene.world);
    const late = await invite({ ...invited, expiresAt: scene.time + 5 }, admin, scene.world);
    const first = await scene.joined(text);
    await scene.exchange();
    const second = await scene.joined(text);
    scene.time += 5;
    const third = await scene.joined(late);
    await scene.exchange();
    expect([first, second, third].map((team) => team.self()?.role ?? null)).toEqual(['member', null, null]);
    expect(await reasonOf(sealed(second, 'let me in'))).toBe('waiting');
  });

  test('does not admit a machine that did not have it', async () => {
    const { scene, admin } = await TeamScene.of();
    const invited = { name: 'ben', role: 'member', projects: null, until: null, server: '' } as const;
    await invite({ ...invited, expiresAt: scene.time + HOUR_MS }, admin, scene.world);
    const other = await TeamScene.of('eve');
    const theirs = await invite(
      { ...invited, expiresAt: scene.time + HOUR_MS },
      other.admin,
      other.scene.world,
    );
    const eve = await scene.joined(theirs);
    await scene.send(eve);
    const { added, refused } = await admin.accept([...scene.log.values()]);
    expect([added, refused.map(({ error }) => error.reason)]).toEqual([0, ['team']]);
    await admin.settle();
    expect(admin.members().size).toBe(1);
  });
});

describe('refused', () => {
  test('what a reader writes, also with a client that does not keep to it', async () => {
    const { scene, admin } = await TeamScene.of();
    const reader = await scene.member(admin, 'ci', { role: 'reader' });
    const message = await sealed(admin, 'for all');
    await scene.exchange();
    expect(await opened(reader, message)).toBe('for all');
    expect(await reasonOf(sealed(reader, 'by a reader'))).toBe('reader');
    const members = reader.members();
    (reader as { members: () => typeof members }).members = () =>
      new Map([...members].map(([id, member]) => [id, { ...member, role: 'member' }]));
    const forced = await sealed(reader, 'by a reader');
    expect(await reasonOf(admin.open(forced))).toBe('reader');
  });

  test('a removed member: what it writes, and reading what is sealed afterwards', async () => {
    const { scene, admin } = await TeamScene.of();
    const ben = await scene.member(admin, 'ben');
    const before = await sealed(ben, 'before');
    await scene.exchange();
    scene.time += 10;
    const { rotated } = await removeMember('ben', admin, scene.world);
    expect(rotated).toEqual([PROJECT]);
    scene.time += 10;
    const unaware = await sealed(ben, 'after, without knowing');
    await scene.exchange();
    const after = await sealed(admin, 'after');
    await scene.exchange();
    expect(await opened(admin, before)).toBe('before');
    expect(await reasonOf(admin.open(unaware))).toBe('removed');
    expect(await reasonOf(sealed(ben, 'after'))).toBe('removed');
    expect(await opened(ben, after)).toBeNull();
    expect(await opened(ben, before)).toBe('before');
  });

  test('a member whose time has ended', async () => {
    const { scene, admin } = await TeamScene.of();
    const guest = await scene.member(admin, 'guest', { until: scene.time + HOUR_MS });
    const before = await sealed(guest, 'in time');
    await scene.exchange();
    scene.time += 2 * HOUR_MS;
    expect(await reasonOf(sealed(guest, 'too late'))).toBe('expired');
    expect(await reasonOf(guest.open(before))).toBe('expired');
    const after = await sealed(admin, 'with a new key');
    await scene.exchange();
    scene.time -= 2 * HOUR_MS;
    expect(await opened(guest, after)).toBeNull();
    expect(await opened(admin, before)).toBe('in time');
  });

  test('a project that a member was not invited to', async () => {
    const { scene, admin } = await TeamScene.of();
    const own = await sealed(admin, 'secret', OTHER);
    const ben = await scene.member(admin, 'ben', { projects: [PROJECT] });
    expect(await ben.projects()).toEqual([]);
    expect(await reasonOf(ben.open(own))).toBe('hidden');
    expect(await reasonOf(sealed(ben, 'not mine', OTHER))).toBe('project');
    await sealed(ben, 'mine');
    expect(await ben.projects()).toEqual([PROJECT]);
  });

  test('a false key under the name of a real one', async () => {
    const { scene, admin } = await TeamScene.of();
    const mal = await scene.member(admin, 'mal');
    const ben = await scene.member(admin, 'ben');
    const message = await sealed(admin, 'for ben');
    await mal.accept(admin.pending().map(({ bytes }) => bytes));
    const key = headIn(message).key;
    const encrypter = new Encrypter();
    encrypter.addRecipient(ben.self()!.recipient);
    const file = await encrypter.encrypt(Buffer.concat([Buffer.alloc(32, 7), Buffer.from(PROJECT)]));
    const wraps = { [ben.machine]: Buffer.from(file).toString('base64') };
    await mal.sign([{ kind: 'wraps', at: scene.time, project: mal.nameOf(PROJECT), key, wraps }]);
    await ben.accept(mal.pending().map(({ bytes }) => bytes));
    expect(await ben.open(message)).toBeNull();
    await scene.exchange();
    expect(await opened(ben, message)).toBe('for ben');
  });

  test('a message of another team, and one that was changed, cut off, or put together', async () => {
    const { scene, admin } = await TeamScene.of();
    const [one, two] = (await admin.seal([
      { project: PROJECT, plain: bytesOf('one') },
      { project: OTHER, plain: bytesOf('two') },
    ])) as [Uint8Array, Uint8Array];
    const foreign = await TeamScene.of('eve');
    expect(await reasonOf(foreign.admin.open(one))).toBe('team');
    expect(await opened(admin, one)).toBe('one');
    for (let at = 0; at < one.length; at++) {
      const flipped = Uint8Array.from(one);
      flipped[at]! ^= 1;
      expect(await reasonOf(admin.open(flipped)), `byte ${at}`).toMatch(
        /* The leaf begins at byte 103, with its mark. The author is bytes 152 to 167: nobody knows another one yet. */
        at < 3
          ? 'damaged'
          : at < 4
            ? 'version'
            : at > 103 && at < 120
              ? 'team'
              : at >= 152 && at < 168
                ? 'nothing'
                : /forged|damaged/,
      );
      expect(await reasonOf(admin.open(one.subarray(0, at)))).toMatch(/damaged|forged/);
    }
    const swapped = Buffer.concat([one.subarray(0, 188), two.subarray(188)]);
    expect(await reasonOf(admin.open(swapped))).toBe('forged');
    await scene.exchange();
  });
});

describe('an admin', () => {
  test('admits others, and cannot remove one who was admitted earlier', async () => {
    const { scene, admin } = await TeamScene.of();
    const second = await scene.member(admin, 'bea', { role: 'admin' });
    const third = await scene.member(second, 'cid');
    expect(admin.members().get(third.machine)).toMatchObject({ name: 'cid', rank: 3, removedAt: null });
    await expect(removeMember('ada', second, scene.world)).rejects.toMatchObject({ code: 'SHARE_DENIED' });
    await expect(removeMember('ada', third, scene.world)).rejects.toMatchObject({ code: 'SHARE_DENIED' });
    await expect(removeMember('dan', admin, scene.world)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('who was removed admits nobody, whatever date it uses; those it admitted before stay', async () => {
    const { scene, admin } = await TeamScene.of();
    const bea = await scene.member(admin, 'bea', { role: 'admin' });
    const cid = await scene.member(bea, 'cid');
    scene.time += 10;
    await removeMember('bea', admin, scene.world);
    scene.time -= 10;
    const invited = { name: 'eve', role: 'member', projects: null, until: null, server: '' } as const;
    const eve = await scene.joined(
      await invite({ ...invited, expiresAt: scene.time + HOUR_MS }, bea, scene.world),
    );
    await scene.send(eve);
    await bea.accept([...scene.log.values()]);
    await bea.settle();
    expect(bea.members().has(eve.machine)).toBe(true);
    scene.time += 20;
    await scene.exchange();
    for (const team of [admin, cid, bea])
      expect([...team.members().values()].map(({ name, removedAt }) => [name, removedAt !== null])).toEqual(
        expect.arrayContaining([
          ['ada', false],
          ['bea', true],
          ['cid', false],
        ]),
      );
    expect(admin.members().has(eve.machine)).toBe(false);
  });

  test('a member who leaves is removed, and the next writer makes a new key', async () => {
    const { scene, admin } = await TeamScene.of();
    const ben = await scene.member(admin, 'ben');
    await sealed(ben, 'hello');
    await scene.exchange();
    await depart(ben, scene.world);
    await scene.exchange();
    const after = await sealed(admin, 'after');
    await scene.exchange();
    expect(await ben.open(after)).toBeNull();
  });

  test('two who make a key at the same time use one of them afterwards', async () => {
    const { scene, admin } = await TeamScene.of();
    const ben = await scene.member(admin, 'ben');
    const both = [await sealed(admin, 'a'), await sealed(ben, 'b')];
    await scene.exchange();
    for (const team of [admin, ben])
      expect(await Promise.all(both.map((message) => opened(team, message)))).toEqual(['a', 'b']);
    const keyOf = (message: Uint8Array) => headIn(message).key;
    expect(keyOf(await sealed(admin, 'c'))).toBe(keyOf(await sealed(ben, 'd')));
  });
});

test('a credential reads at once, writes nothing, and ends', async () => {
  const { scene, admin } = await TeamScene.of();
  const message = await sealed(admin, 'for CI');
  const text = await makeCredential(
    { name: 'ci', role: 'reader', projects: null, until: scene.time + HOUR_MS, server: '' },
    admin,
    scene.world,
  );
  await scene.send(admin);
  const runner = await scene.joined(text);
  expect(runner.pending()).toEqual([]);
  await runner.accept([...scene.log.values()]);
  expect(await opened(runner, message)).toBe('for CI');
  // A login that only reads is enough.
  expect([...runner.pending(), ...runner.all()]).toEqual([]);
  expect(await reasonOf(sealed(runner, 'by CI'))).toBe('reader');
  scene.time += 2 * HOUR_MS;
  expect(await reasonOf(runner.open(message))).toBe('expired');
});

test('the recovery key makes a new admin who reads everything, and removes the lost machine', async () => {
  const { scene, admin } = await TeamScene.of();
  const ben = await scene.member(admin, 'ben');
  const before = await sealed(ben, 'before');
  await scene.exchange();
  scene.time += 10;
  const store = memoryStore();
  const recovery = { recoveryKey: scene.recoveryKey, remove: ['ada'], name: 'ada 2', server: '' };
  const team = await recoverTeam(recovery, [...scene.log.values()], store, scene.world);
  scene.machines.push({ team, store });
  scene.time += 10;
  const stolen = await sealed(admin, 'from the stolen machine');
  await scene.exchange();
  expect(await opened(team, before)).toBe('before');
  expect(team.self()).toMatchObject({ role: 'admin', rank: 1 });
  expect(await reasonOf(ben.open(stolen))).toBe('removed');
  const after = await sealed(ben, 'after');
  await scene.exchange();
  expect(await opened(team, after)).toBe('after');
  expect(await admin.open(after)).toBeNull();
  const false_ = {
    ...recovery,
    recoveryKey: scene.recoveryKey.replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q')),
  };
  await expect(recoverTeam(false_, [...scene.log.values()], memoryStore(), scene.world)).rejects.toThrow();
});

test('no message can pass for a node of the tree over a batch', () => {
  const leaves = [leafHash(bytesOf('\0a')), leafHash(bytesOf('\0b'))];
  const bytes = leaves.map((leaf) => Buffer.from(leaf, 'latin1'));
  expect(leafHash(Buffer.concat([Buffer.of(0), ...bytes]))).not.toEqual(hashTree(leaves).root);
  // What the root is a hash of is no leaf.
  expect(() => leafHash(Buffer.concat([Buffer.of(1), ...bytes]))).toThrow();
});
