import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KvView } from '../../../projections/engine/store/kv-view.ts';
import { compareKeys, key, keyParts, prefixEnd } from '../../../projections/engine/store/row-keys.ts';
import { memoryGenerations } from '../../helpers/views.ts';

const projector = { name: 'toy', version: 1, feed: 'rows' } as const;
const keys = fc.constantFrom('a', 'a/1', 'a/2', 'a/é', 'a/\ufb01', 'a/😀', 'a0', 'b/', 'b/1', 'b/\u0100');
const writes = fc.array(fc.tuple(keys, fc.option(fc.integer({ min: 0, max: 3 }))), { maxLength: 12 });

function write(page: { put(key: string, row: unknown): void; del(key: string): void }) {
  return ([rowKey, row]: [string, number | null]): void => {
    if (row === null) page.del(rowKey);
    else page.put(rowKey, { row });
  };
}

describe('a page of writes', () => {
  it('reads as if every write were already in the store', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writes, { maxLength: 4 }),
        fc.constantFrom('', 'a', 'a/', 'b/', 'c'),
        fc.record(
          { limit: fc.integer({ min: 1, max: 5 }), after: keys, reverse: fc.boolean() },
          { requiredKeys: [] },
        ),
        async (pages, prefix, options) => {
          const store = await memoryGenerations().open('toy', '1-1');
          const view = await KvView.open(projector, '1-1', store, 'generation');
          const model = new Map<string, number>();
          for (const page of pages) {
            const buffer = view.page();
            for (const one of page) {
              write(buffer)(one);
              if (one[1] === null) model.delete(one[0]);
              else model.set(one[0], one[1]);
              const rows = [...model].filter(([rowKey]) => rowKey.startsWith(prefix));
              rows.sort(([first], [second]) => Buffer.compare(Buffer.from(first), Buffer.from(second)));
              if (options.reverse) rows.reverse();
              const { after, limit } = options;
              const wanted = rows
                .filter(
                  ([rowKey]) =>
                    after === undefined || compareKeys(rowKey, after) * (options.reverse ? -1 : 1) > 0,
                )
                .slice(0, limit)
                .map(([rowKey, row]) => [rowKey, { row }]);
              expect(await buffer.range(prefix, options)).toEqual(wanted);
              expect(await buffer.get('a/1')).toEqual(
                model.has('a/1') ? { row: model.get('a/1') } : undefined,
              );
            }
            await buffer.seal();
            await view.commit(buffer, { log: null, upstream: null, followed: true });
          }
          expect((await view.range('')).map(([rowKey]) => rowKey).sort()).toEqual([...model.keys()].sort());
          // The feed retells how the rows came about.
          const told = new Map<string, unknown>();
          for (const { key: rowKey, after } of (await view.changes(0, 1_000)).changes)
            if (after === null) told.delete(rowKey);
            else told.set(rowKey, after);
          expect(told).toEqual(new Map([...model].map(([rowKey, row]) => [rowKey, { row }])));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('changes nothing where a row was read and changed but not put', async () => {
    const store = await memoryGenerations().open('toy', '1-1');
    const view = await KvView.open(projector, '1-1', store, 'generation');
    const first = view.page();
    first.put('a', { list: [1] });
    await first.seal();
    await view.commit(first, { log: null, upstream: null, followed: false });
    const second = view.page();
    (await second.get<{ list: number[] }>('a'))!.list.push(2);
    expect(await second.get('a')).toEqual({ list: [1] });
    await second.seal();
    await view.commit(second, { log: null, upstream: null, followed: false });
    expect(await view.get('a')).toEqual({ list: [1] });
  });
});

describe('row keys', () => {
  it('are compared as the store compares them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const stored = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(compareKeys(one, other))).toBe(stored);
      }),
    );
  });

  it('come apart into the parts they were made of', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (parts) => {
        expect(keyParts(key(...parts))).toEqual(parts);
      }),
    );
    expect(key('half \ud800 a pair')).toBe('half \ufffd a pair');
  });

  it('stand before the end of their prefix, and no other key does', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary' }),
        (prefix, rest) => {
          fc.pre(!/^\u{10ffff}*$/u.test(prefix));
          expect(compareKeys(prefix + rest, prefixEnd(prefix))).toBeLessThan(0);
          expect(compareKeys(rest, prefixEnd(prefix)) < 0 && compareKeys(rest, prefix) >= 0).toBe(
            rest.startsWith(prefix),
          );
        },
      ),
    );
  });
});
