// Vectors may arrive before their document, twice, from two machines, or for an earlier text of the document.
import { expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import {
  decodeVector,
  encodeVector,
  inputDigest,
  type MemoryDocument,
  memoryGenerations,
  memoryKeys,
  memoryProjector,
  openRunner,
  turnsProjector,
  vectorKeys,
} from '../../../projections/index.ts';
import { savedId } from '../../../projections/sessions/saved-row.ts';
import { vectorsEvent } from '../../../src/embed/embedders/vectors-event.ts';
import { randomBytes } from '../../../src/platform/random-bytes.ts';
import { openMemoryLog } from '../../helpers/logs.ts';

const RECIPE = 'remote hashes http://localhost/v1 3';

function saved(dedupeKey: string, text: string): NewEvent<'memory.saved'> {
  const body = { title: text, text, cwd: '/home/u/app' };
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: 's',
    dedupeKey,
    channel: 'api',
    occurredAt: 1,
    body,
  };
}

async function viewsOf(...batches: readonly (readonly NewEvent[])[]) {
  const log = await openMemoryLog();
  const projectors = [turnsProjector, memoryProjector];
  const runner = await openRunner({
    log,
    generations: memoryGenerations(),
    projectors,
    now: () => 0,
    randomBytes,
  });
  for (const batch of batches) {
    await log.append(batch);
    await runner.catchUp();
  }
  return { runner, memory: runner.view('memory'), digest: () => runner.digest('memory') };
}

const ONE = saved('1', 'the database refuses connections');
const ID = savedId(ONE);

/** Vectors of a document that is alone in its session. */
async function computedEvent(numbers: readonly number[], salt: string): Promise<NewEvent> {
  const { memory } = await viewsOf([ONE]);
  const document = (await memory.get<MemoryDocument>(memoryKeys.document(ID)))!;
  const vector = encodeVector(Float32Array.from(numbers))!;
  const documents = [{ id: ID, input: inputDigest(salt, document), vector }];
  return vectorsEvent({ agent: 'annals', session: 's' }, { recipe: RECIPE, dim: 3, salt, documents }, 5);
}

it('The rows are the same in whatever order documents and their vectors arrive', async () => {
  const [first, second] = [await computedEvent([1, 2, 3], 'aa'), await computedEvent([3, 2, 1], 'bb')];
  const ways = [
    await viewsOf([ONE], [first, second]),
    await viewsOf([second], [first], [ONE]),
    await viewsOf([first, second, ONE, first]),
  ];
  const digests = await Promise.all(ways.map(({ digest }) => digest()));
  expect(new Set(digests).size).toBe(1);
  expect(await ways[1]!.memory.get(vectorKeys.recipe(RECIPE))).toEqual({ dim: 3, documents: 1 });
  expect(await ways[1]!.memory.get(vectorKeys.vector(RECIPE, ID))).toMatchObject({
    vector: expect.any(String),
  });
});

it('A vector is detached when the text changes, and attached again when the text is restored', async () => {
  const vectors = await computedEvent([1, 2, 3], 'aa');
  const { memory, digest } = await viewsOf([ONE], [vectors], [saved('2', 'a second memory beside it')]);
  expect(await memory.get(vectorKeys.vector(RECIPE, ID))).toBeUndefined();
  expect(await memory.get(vectorKeys.recipe(RECIPE))).toBeUndefined();
  expect(await digest()).toBe(await (await viewsOf([saved('2', 'a second memory beside it'), ONE])).digest());
});

it('Encoding changes a vector by less than half a percent of its largest number', () => {
  const vector = Float32Array.from({ length: 384 }, (_, index) => Math.sin(index) / 14);
  const packed = encodeVector(vector)!;
  const back = decodeVector(packed, 384);
  const largest = Math.max(...vector.map(Math.abs));
  expect(Math.max(...vector.map((value, index) => Math.abs(value - back[index]!)))).toBeLessThan(
    largest / 200,
  );
  expect(encodeVector(back)).toBe(packed);
  expect(encodeVector(new Float32Array(3))).toBeNull();
  expect(decodeVector('AAAA', 2)).toEqual(new Float32Array(2));
});
