// The ids that people and agents see: a letter for the kind and twelve base32 letters of a hash of the fact,
// so the same thing has the same id on every machine and after every rebuild.
import { hash } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;

/** `itemId('p', agent, session, fact)` → `p-4t0w8m2k9qza`. 60 bits: a collision is not expected below 10⁸ items. */
export function itemId(letter: string, ...parts: readonly (string | null)[]): string {
  const bytes = hash('sha256', JSON.stringify(parts), 'buffer');
  let id = '';
  for (let index = 0; index < LENGTH; index++) {
    const bit = index * 5;
    const word = ((bytes[bit >> 3]! << 8) | bytes[(bit >> 3) + 1]!) >> (11 - (bit & 7));
    id += ALPHABET[word & 31];
  }
  return `${letter}-${id}`;
}
