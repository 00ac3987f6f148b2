// The set of letters of a term as 32 bits. One edit adds at most one letter and removes at most one, so two terms a few
// edits apart differ in few bits. Letters may share a bit; that only causes false positives.

/** Bits of a term with characters outside of ASCII: it may be near any term. */
export const ANY_LETTERS = 0xffff_ffff;

export function letterBits(term: string): number {
  let letters = 0;
  for (let at = 0; at < term.length; at += 1) {
    const code = term.charCodeAt(at);
    if (code > 0x7f) return ANY_LETTERS;
    letters |= 1 << (code & 31);
  }
  return letters >>> 0;
}

/** Letter bits of each term of a table. `offsets`: start of each term and the end of the last. */
export function letterBitsOfEach(bytes: Uint8Array, offsets: Uint32Array): Uint32Array {
  const letters = new Uint32Array(offsets.length - 1);
  for (let number = 0; number < letters.length; number += 1)
    letters[number] = lettersIn(bytes, offsets[number]!, offsets[number + 1]!);
  return letters;
}

function lettersIn(bytes: Uint8Array, from: number, to: number): number {
  let letters = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at]!;
    if (byte > 0x7f) return ANY_LETTERS;
    letters |= 1 << (byte & 31);
  }
  return letters >>> 0;
}

export function mayBeNear(letters: number, others: number, edits: number): boolean {
  if (letters === ANY_LETTERS || others === ANY_LETTERS) return true;
  return areAtMost(letters & ~others, edits) && areAtMost(others & ~letters, edits);
}

/** Whether at most `most` bits are set. */
function areAtMost(bits: number, most: number): boolean {
  let rest = bits;
  for (let taken = 0; taken < most; taken += 1) rest &= rest - 1;
  return rest === 0;
}
