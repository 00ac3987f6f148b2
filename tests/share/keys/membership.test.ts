// Membership and keys follow from the set of records, in whatever order they come.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { membershipOf } from '../../../src/share/keys/membership.ts';
import type { RecordBody, SignedRecord } from '../../../src/share/keys/record.ts';
import { headIn } from '../../../src/share/keys/sealed-event.ts';
import { idOfKey } from '../../../src/share/keys/signing.ts';
import { Team } from '../../../src/share/keys/team.ts';
import { memoryStore } from './memory-store.ts';
import { bytesOf, TeamScene } from './team-world.ts';

const PEOPLE = 4;
const keyOf = (person: number) => Buffer.from(`person ${person}`);
const idOf = (person: number) => idOfKey(keyOf(person));
/** Person 0 holds the recovery key. */
const TEAM = idOf(0);

type Act =
  | { readonly kind: 'admit'; readonly by: number; readonly who: number; readonly role: 'admin' | 'member' }
  | { readonly kind: 'remove'; readonly by: number; readonly who: number; readonly keeps: number };

const person = fc.nat({ max: PEOPLE });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('admit' as const),
    by: person,
    who: person,
    role: fc.constantFrom('admin' as const, 'member' as const),
  }),
  fc.record({ kind: fc.constant('remove' as const), by: person, who: person, keeps: fc.nat() }),
);
const acts = fc.array(act, { maxLength: 25, size: 'max' });

/** A removal keeps some of the records before it. */
function recordsOf(list: readonly Act[]): SignedRecord[] {
  const idAt = (at: number) => at.toString(16).padStart(32, '0');
  return list.map((one, at) => {
    const body: RecordBody =
      one.kind === 'admit'
        ? {
            ...{ kind: 'member', at, name: `person ${one.who}`, role: one.role, projects: null, until: null },
            machine: { publicKey: keyOf(one.who).toString('base64'), recipient: '' },
          }
        : {
            ...{ kind: 'removal', at, machine: idOf(one.who) },
            keeps: list.flatMap((_, before) =>
              before < at && (one.keeps >> before) & 1 ? idAt(before) : [],
            ),
          };
    return { id: idAt(at), by: idOf(one.by), body };
  });
}

function shown(records: readonly SignedRecord[]): unknown {
  return [...membershipOf(TEAM, records).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe('membership', () => {
  test('does not depend on the order of records, nor on how often they come', () => {
    fc.assert(
      fc.property(acts, fc.infiniteStream(fc.nat()), (list, order) => {
        const records = recordsOf(list);
        const keyed = [...records, ...records.slice(0, 3)].map(
          (record) => [order.next().value, record] as const,
        );
        const shuffled = keyed.sort(([a], [b]) => a - b).map(([, record]) => record);
        const once = [...new Map(shuffled.map((record) => [record.id, record])).values()];
        expect(shown(once)).toEqual(shown(records));
      }),
      { numRuns: 60 },
    );
  });

  test('does not change by what somebody signs who never was an admin', () => {
    fc.assert(
      fc.property(acts, acts, (list, more) => {
        const records = recordsOf(list);
        const admins = new Set([
          TEAM,
          ...[...membershipOf(TEAM, records).values()]
            .filter(({ role }) => role === 'admin')
            .map(({ id }) => id),
        ]);
        const strangers = recordsOf([...list, ...more])
          .slice(list.length)
          .filter(({ by, body }) => !admins.has(by) && !(body.kind === 'removal' && body.machine === by));
        expect(shown([...records, ...strangers])).toEqual(shown(records));
      }),
      { numRuns: 60 },
    );
  });

  test('does not change by what a removed admin signs afterwards', () => {
    fc.assert(
      fc.property(acts, acts, (list, more) => {
        const first: Act = { kind: 'admit', by: 0, who: 1, role: 'admin' };
        const records = recordsOf([first, ...list, { kind: 'remove', by: 0, who: 1, keeps: -1 }]);
        const later = recordsOf([...list, ...more.map((one) => ({ ...one, by: 1 }))]).slice(list.length);
        const renamed = later.map((record) => ({ ...record, id: `f${record.id.slice(1)}` }));
        expect(shown([...renamed, ...records])).toEqual(shown(records));
      }),
      { numRuns: 60 },
    );
  });

  test('a machine that was removed by the recovery key is never back', () => {
    fc.assert(
      fc.property(acts, (list) => {
        const records = recordsOf([
          { kind: 'admit', by: 0, who: 2, role: 'member' },
          ...list,
          { kind: 'remove', by: 0, who: 2, keeps: 0 },
        ]);
        expect(membershipOf(TEAM, records).get(idOf(2))?.removedAt).not.toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  test('admins who were admitted by the same one cannot remove each other', () => {
    const records = recordsOf([
      { kind: 'admit', by: 0, who: 1, role: 'admin' },
      { kind: 'admit', by: 1, who: 2, role: 'admin' },
      { kind: 'admit', by: 1, who: 3, role: 'admin' },
      { kind: 'remove', by: 2, who: 3, keeps: 0 },
      { kind: 'remove', by: 3, who: 1, keeps: 0 },
    ]);
    expect([...membershipOf(TEAM, records).values()].map(({ removedAt }) => removedAt)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

test('machines that got the same records in any order seal with the same key', async () => {
  const { scene, admin } = await TeamScene.of();
  const ben = await scene.member(admin, 'ben');
  const items = [{ project: 'birdfeeder', plain: bytesOf('x') }];
  await Promise.all([admin.seal(items), ben.seal(items)]);
  await ben.rotate(['birdfeeder']);
  await admin.rotate(['birdfeeder']);
  await scene.exchange();
  const identity = scene.machines[1]!.store.files.get('identity.json')!;
  const records = [...scene.log.values()];
  const keys = new Set<string>();
  for (let turn = 0; turn < 3; turn++) {
    const store = memoryStore();
    await store.replace('identity.json', identity);
    const team = Team.open(store, scene.world)!;
    const order = records.map((_, at) => records[(at * 7 + turn * 3) % records.length]!);
    for (const record of order) await team.accept([record]);
    await team.accept(records);
    const [sealed] = await team.seal(items);
    keys.add(headIn(sealed!).key);
    expect(team.pending()).toEqual([]);
  }
  expect(keys.size).toBe(1);
});
