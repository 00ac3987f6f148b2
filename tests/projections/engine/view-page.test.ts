import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Projector } from '../../../projections/engine/contract/projector.ts';
import { Generation, type GenerationViews } from '../../../projections/engine/store/generation.ts';
import { compareKeys, key, keyParts, prefixEnd } from '../../../projections/engine/store/row-keys.ts';
import { counts } from '../../helpers/toy-projectors.ts';
import { memoryGenerations } from '../../helpers/views.ts';

const views: GenerationViews = { projectors: [{ ...counts, name: 'toy' }], isFed: () => true };
const COMMIT = { log: { logId: 'log', position: 1, chain: '' }, deadLetters: [], keepsFeed: true };

async function emptyGeneration(): Promise<Generation> {
  return Generation.create(views, 'rows-1', await memoryGenerations().open('rows-1'), 'id');
}
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
          const generation = await emptyGeneration();
          const view = generation.reader('toy');
          const model = new Map<string, number>();
          for (const page of pages) {
            const whole = generation.page();
            const buffer = whole.view('toy');
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
            buffer.seal();
            await generation.commit(whole, COMMIT);
          }
          expect((await view.range('')).map(([rowKey]) => rowKey).sort()).toEqual([...model.keys()].sort());
          // The feed names every row.
          const { keys } = await generation.still((snapshot) => snapshot.changes('toy', 0, 1_000));
          expect([...model.keys()].filter((rowKey) => !keys.includes(rowKey))).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('changes nothing where a row was read and changed but not put', async () => {
    const generation = await emptyGeneration();
    const first = generation.page();
    first.view('toy').put('a', { list: [1] });
    first.view('toy').seal();
    await generation.commit(first, COMMIT);
    const second = generation.page();
    const page = second.view('toy');
    (await page.get<{ list: number[] }>('a'))!.list.push(2);
    expect(await page.get('a')).toEqual({ list: [1] });
    page.seal();
    await generation.commit(second, COMMIT);
    expect(await generation.reader('toy').get('a')).toEqual({ list: [1] });
  });
});

describe('the rows that a page writes without reading them', () => {
  it.each<[string, Partial<Projector>, string[]]>([
    ['are looked up if followers see rows before a change', {}, ['a/1', 'b/1']],
    ['are not looked up where nobody follows them', { followedRows: ['a/'] }, ['a/1']],
    ['are not looked up if followers see keys only', { changes: 'keys' }, []],
  ])('%s', async (_, shown, expected) => {
    const store = await memoryGenerations().open('rows-1');
    const projectors = [{ ...counts, ...shown, name: 'toy' } as Projector];
    const generation = await Generation.create({ projectors, isFed: () => false }, 'rows-1', store, 'id');
    const looked: string[] = [];
    const [getSync, getMany] = [store.getSync.bind(store), store.getMany.bind(store)];
    Object.assign(store, {
      getSync: (rowKey: string) => {
        looked.push(rowKey);
        return getSync(rowKey);
      },
      getMany: (rowKeys: string[]) => {
        looked.push(...rowKeys);
        return getMany(rowKeys);
      },
    });
    const page = generation.page();
    for (const rowKey of ['a/1', 'b/1']) page.view('toy').put(rowKey, { row: 1 });
    page.view('toy').seal();
    await generation.commit(page, COMMIT);
    expect(looked).toEqual(expected.map((rowKey) => `r/toy/${rowKey}`));
    const rows = await generation.reader('toy').range('');
    expect(rows.map(([rowKey]) => rowKey)).toEqual(['a/1', 'b/1']);
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
