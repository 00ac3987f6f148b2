// Random documents and numbers, reproducible by seed.
import type { MemoryDocument } from '../../../projections/documents/document.ts';
import { document } from './documents-in-memory.ts';

const WORDS =
  'alpha beta gamma delta parse parsing parser getUserName user_name error failed build index search fuzzy 保留 café'.split(
    ' ',
  );

export function randomDocument(id: string, random: () => number): MemoryDocument {
  const words = (most: number) =>
    Array.from(
      { length: Math.floor(random() * most) },
      () => WORDS[Math.floor(random() * WORDS.length)]!,
    ).join(' ');
  return document({
    id,
    title: words(6),
    body: words(60),
    files: random() < 0.3 ? [`src/${words(2)}.ts`] : [],
    neighbours: [words(4), words(4)],
    workdir: random() < 0.7 ? '/home/u/one' : '/home/u/two',
  });
}

/** Mulberry32: equal seeds give equal numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
