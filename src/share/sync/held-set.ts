// A set of ids as a digest: their number and their sum. It depends on no order, an id can be added at any time, and two sets
// with the same digest are the same: ids are hashes of 128 bits. The sums of parts, by the first byte of an id, say where
// two sets differ.
const MODULUS = 1n << 128n;
const DIGITS = 32;
const PARTS = 256;
/** Of the sum of a part: six bytes, which are exact as numbers. */
const PART_BYTES = 6;
const PART_MODULUS = 2 ** (8 * PART_BYTES);
/** So many ids are one part. */
const IDS_IN_PART = 64;

export interface HeldSetRow {
  readonly count: number;
  /** Hexadecimal. */
  readonly sum: string;
  /** base64. */
  readonly parts: string;
}

export class HeldSet {
  #count = 0;
  #sum = 0n;
  readonly #parts = new Float64Array(PARTS);

  static of(ids: Iterable<string>): HeldSet {
    const set = new HeldSet();
    for (const id of ids) set.add(id);
    return set;
  }

  static from({ count, sum, parts }: HeldSetRow): HeldSet {
    const set = new HeldSet();
    set.#count = count;
    set.#sum = BigInt(`0x${sum}`);
    for (const [index, value] of sumsIn(parts).entries()) set.#parts[index] = value;
    return set;
  }

  /** @param id 32 hex digits */
  add(id: string): void {
    this.#count += 1;
    this.#sum = (this.#sum + BigInt(`0x${id}`)) % MODULUS;
    const part = partOf(id, PARTS);
    const value = Number.parseInt(id.slice(-2 * PART_BYTES), 16);
    this.#parts[part] = (this.#parts[part]! + value) % PART_MODULUS;
  }

  get count(): number {
    return this.#count;
  }

  /** 32 hex digits. */
  get digest(): string {
    return this.#sum.toString(16).padStart(DIGITS, '0');
  }

  /** As many as a set of this size needs. */
  get partsCount(): number {
    let parts = 1;
    while (parts < PARTS && parts * IDS_IN_PART < this.#count) parts *= 2;
    return parts;
  }

  /** The sums of its parts, as base64. @param count a power of two, at most 256 */
  parts(count: number): string {
    const bytes = Buffer.alloc(count * PART_BYTES);
    const each = PARTS / count;
    for (let part = 0; part < count; part++) {
      let sum = 0;
      for (let from = part * each; from < (part + 1) * each; from++)
        sum = (sum + this.#parts[from]!) % PART_MODULUS;
      bytes.writeUIntBE(sum, part * PART_BYTES, PART_BYTES);
    }
    return bytes.toString('base64');
  }

  row(): HeldSetRow {
    return { count: this.#count, sum: this.digest, parts: this.parts(PARTS) };
  }
}

/** @param parts a power of two, at most 256 */
export function partOf(id: string, parts: number): number {
  return Math.floor((Number.parseInt(id.slice(0, 2), 16) * parts) / PARTS);
}

/** The parts of two sets that differ. Null if they are not cut alike. */
export function differentParts(one: string, other: string): readonly number[] | null {
  const [ours, theirs] = [sumsIn(one), sumsIn(other)];
  if (ours.length !== theirs.length) return null;
  return ours.flatMap((sum, part) => (sum === theirs[part] ? [] : [part]));
}

/** How many parts there are; null if this is no list of sums. */
export function countOfParts(parts: string): number | null {
  const count = Buffer.from(parts, 'base64').length / PART_BYTES;
  return Number.isInteger(Math.log2(count)) && count <= PARTS ? count : null;
}

function sumsIn(parts: string): number[] {
  const bytes = Buffer.from(parts, 'base64');
  return Array.from({ length: Math.floor(bytes.length / PART_BYTES) }, (_, part) =>
    bytes.readUIntBE(part * PART_BYTES, PART_BYTES),
  );
}
