// The ids that people and agents see: a letter for the kind and twelve base32 letters of a hash of the dedupe key.
// The same thing has the same id on every machine and after every rebuild.
import { hash } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Hex digits used of the hash: five of them make four letters. */
const HEX_DIGITS = 15;

/** The id of the observation of one part of a turn. */
export function observationId({ agent, session, id }: TurnName, part: number): string {
  return itemId('o', agent, session, id, String(part));
}

export function summaryId({ agent, session, id }: TurnName): string {
  return itemId('y', agent, session, id);
}

interface TurnName {
  readonly agent: string;
  readonly session: string;
  readonly id: string;
}

/** `itemId('p', agent, session, dedupeKey)` → `p-4t0w8m2k9qza`. 60 bits: no collision is expected below 10⁸ items. */
export function itemId(letter: string, ...parts: readonly (string | null)[]): string {
  const hex = hash('sha256', JSON.stringify(parts), 'hex');
  let id = `${letter}-`;
  for (let at = 0; at < HEX_DIGITS; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    id +=
      ALPHABET[bits >> 15]! +
      ALPHABET[(bits >> 10) & 31]! +
      ALPHABET[(bits >> 5) & 31]! +
      ALPHABET[bits & 31]!;
  }
  return id;
}
