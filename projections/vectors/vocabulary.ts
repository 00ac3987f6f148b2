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
  const cached = new Map<string, number | undefined>();
  let ends: Uint32Array | null = null;
  let all: ReadonlyMap<string, number> | null = null;
  return {
    rowOf(piece) {
      if (all !== null) return all.get(piece);
      if (cached.has(piece)) return cached.get(piece);
      if (cached.size === LOOKUPS_MAX) {
        all = rowsOf(lines);
        return all.get(piece);
      }
      ends ??= lineEnds(lines);
      const row = rowAt(lines, ends, piece);
      cached.set(piece, row);
      return row;
    },
  };
}

function rowsOf(lines: Buffer): Map<string, number> {
  const tokens = lines.toString('utf8').split('\n');
  return new Map(tokens.slice(0, -1).map((token, row) => [token, row]));
}

function rowAt(lines: Buffer, ends: Uint32Array, piece: string): number | undefined {
  const wanted = Buffer.from(`\n${piece}\n`);
  // The first token has no line end before it.
  if (lines.subarray(0, wanted.length - 1).equals(wanted.subarray(1))) return 0;
  const before = lines.indexOf(wanted);
  if (before < 0) return undefined;
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! < before) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

function lineEnds(lines: Buffer): Uint32Array {
  const ends: number[] = [];
  for (let at = 0; at < lines.length; at += 1) if (lines[at] === LINE_END) ends.push(at);
  return Uint32Array.from(ends);
}
