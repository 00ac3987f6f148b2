// The table's vocabulary: 29,156 tokens, one per line. A command that searches once looks up a few dozen pieces, and
// building a map of all tokens would take longer than the rest of the command. So the first lookups search the bytes, and
// the map is built only after many lookups.
import type { Vocabulary } from './word-pieces.ts';

/** About this many lookups in the bytes take as long as building the map. */
const LOOKUPS_MAX = 200;
const LINE_END = 0x0a;

/** `bytes`: UTF-8, tokens in row order, LF after each, then zero bytes. */
export function openVocabulary(bytes: Uint8Array): Vocabulary {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rowAt = rowFinder(lines);
  const cached = new Map<string, number | undefined>();
  let all: ReadonlyMap<string, number> | null = null;
  return {
    rowOf(piece) {
      if (all !== null) return all.get(piece);
      if (cached.has(piece)) return cached.get(piece);
      if (cached.size === LOOKUPS_MAX) {
        all = rowsOf(lines);
        return all.get(piece);
      }
      const row = rowAt(piece);
      cached.set(piece, row);
      return row;
    },
  };
}

function rowsOf(lines: Buffer): Map<string, number> {
  const tokens = lines.toString('utf8').split('\n');
  return new Map(tokens.slice(0, -1).map((token, row) => [token, row]));
}

/** Finds rows in the bytes. Line ends are counted only as far as a token was found: frequent tokens come first. */
function rowFinder(lines: Buffer): (piece: string) => number | undefined {
  /** Offsets of the line ends before `counted`. */
  const ends: number[] = [];
  let counted = 0;
  return (piece) => {
    const wanted = Buffer.from(`\n${piece}\n`);
    // The first token has no line end before it.
    if (lines.subarray(0, wanted.length - 1).equals(wanted.subarray(1))) return 0;
    const before = lines.indexOf(wanted);
    if (before < 0) return undefined;
    for (; counted <= before; counted += 1) if (lines[counted] === LINE_END) ends.push(counted);
    return firstFrom(ends, before) + 1;
  };
}

/** The index of the first number that is not less than `least`; the numbers ascend. */
function firstFrom(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
