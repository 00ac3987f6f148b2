// Values for secrets, generated at run time from a number: always the same, and never literally in a file, so that
// secret scanners do not report these tests.

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

function drawn(alphabet: string, length: number, seed: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  let made = '';
  while (made.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    made += alphabet[(state >>> 16) % alphabet.length];
  }
  return made;
}

/** With a digit, a capital and a small letter at fixed positions, as in any random value of some length. */
export function mixed(length: number, seed: number, alphabet = LOWER + LOWER.toUpperCase() + DIGITS): string {
  return `q7R${drawn(alphabet, length, seed)}`.slice(0, length);
}

export const lower = (length: number, seed: number) =>
  `k4${drawn(LOWER + DIGITS, length, seed)}`.slice(0, length);
export const upper = (length: number, seed: number) =>
  `K4${drawn(LOWER.toUpperCase() + DIGITS, length, seed)}`.slice(0, length);
export const hex = (length: number, seed: number) =>
  `a9${drawn('0123456789abcdef', length, seed)}`.slice(0, length);
export const digits = (length: number, seed: number) => `7${drawn(DIGITS, length, seed)}`.slice(0, length);
export const letters = (length: number, seed: number) => drawn(LOWER, length, seed);
export const base64 = (length: number, seed: number) =>
  mixed(length, seed, `${LOWER + LOWER.toUpperCase() + DIGITS}+/`);
export function uuid(seed: number): string {
  const from = hex(32, seed);
  return [from.slice(0, 8), from.slice(8, 12), from.slice(12, 16), from.slice(16, 20), from.slice(20)].join(
    '-',
  );
}
