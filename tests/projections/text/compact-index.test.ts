import { expect, test } from 'vitest';
import { compactContent } from '../../../projections/text/compact-index.ts';
import { EMPTY_COLUMNS } from '../../../projections/text/text-columns.ts';
import { TextContent } from '../../../projections/text/text-content.ts';
import { TEXT_KIND } from '../../../projections/text/text-kind.ts';
import { document } from './documents-in-memory.ts';
import { randomDocument, randomNumbers } from './random-documents.ts';

const atOnce = async () => undefined;

function contentOf(numbers: readonly number[], packed = EMPTY_COLUMNS): TextContent {
  const content = new TextContent(packed);
  const random = randomNumbers(7);
  const documents = numbers.map((number) => randomDocument(`d-${String(number).padStart(5, '0')}`, random));
  for (const one of documents) content.add(one);
  return content;
}

test('compacting twice, in any order, with removed documents, equals compacting the current documents once', async () => {
  const random = randomNumbers(3);
  const all = Array.from({ length: 600 }, (_, number) =>
    randomDocument(`d-${(number * 7919) % 600}`, random),
  );
  const first = new TextContent(EMPTY_COLUMNS);
  for (const one of all.slice(0, 350)) first.add(one);
  const second = new TextContent(await compactContent(first, atOnce));
  for (const one of all.slice(350)) second.add(one);
  for (const { id } of all.filter((_, index) => index % 5 === 0)) second.remove(id);
  const whole = new TextContent(EMPTY_COLUMNS);
  for (const one of all.filter((_, index) => index % 5 !== 0)) whole.add(one);
  const [packed, expected] = [await compactContent(second, atOnce), await compactContent(whole, atOnce)];
  expect(packed.documents.length).toBeGreaterThan(10_000);
  for (const part of ['ids', 'sessionOf', 'lengths', 'starts', 'documents', 'counts'] as const)
    expect([...packed[part]]).toEqual([...expected[part]]);
  expect(packed.terms.bytes.equals(expected.terms.bytes)).toBe(true);
});

test('a word that occurs in one document 255 times or more counts as 255', async () => {
  const content = new TextContent(EMPTY_COLUMNS);
  for (const [id, times] of [
    ['a', 254],
    ['b', 255],
    ['c', 256],
    ['d', 900],
  ] as const)
    content.add(document({ id, title: '', body: 'lantern '.repeat(times) }));
  expect(Array.from((await compactContent(content, atOnce)).counts)).toEqual([254, 255, 255, 255]);
});

test('added documents are compacted in more slices than the same number of stored ones', async () => {
  const pausesOf = async (content: TextContent) => {
    let pauses = 0;
    const packed = await compactContent(content, async () => {
      pauses++;
    });
    return { pauses, packed };
  };
  const many = Array.from({ length: 3_000 }, (_, number) => number);
  const came = await pausesOf(contentOf(many));
  const known = await pausesOf(contentOf([9_999], came.packed));
  expect(came.packed.documents.length).toBeGreaterThan(50_000);
  expect(came.pauses).toBeGreaterThan(4 * known.pauses);
});

test('an index of more documents than two bytes can number is written and read back', async () => {
  const content = new TextContent(EMPTY_COLUMNS);
  const first = 100_000;
  for (let number = first; number < first + 2 ** 16; number++)
    content.add(document({ id: `d-${number}`, session: 's', title: '', body: '' }));
  content.add(document({ id: 'e', session: 's', title: '', body: 'lantern' }));
  const compacted = await TEXT_KIND.compact(content, atOnce);
  const { head, arrays } = TEXT_KIND.write(compacted);
  const body = Buffer.concat(
    arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );
  const restored = TEXT_KIND.read(head, Buffer.from(new Uint8Array(body).buffer));
  expect(Array.from(restored.columns.documents)).toEqual([2 ** 16]);
  expect(restored.idOf(2 ** 16)).toBe('e');
  // One document less, and two bytes are enough.
  compacted.remove('d-100000');
  const { columns } = await TEXT_KIND.compact(compacted, atOnce);
  expect([columns.documents.BYTES_PER_ELEMENT, ...columns.documents]).toEqual([2, 2 ** 16 - 1]);
});
