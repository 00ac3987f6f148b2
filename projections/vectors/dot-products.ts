// Dot products of many rows of int8 with one row of floats. JavaScript multiplies one pair at a time; processors do
// two of doubles, and WebAssembly is how to ask them to. The program is some sixty instructions, written out below as
// the bytes they are: no compiler, nothing to download. Rows are handed to it piece by piece through a small memory
// of its own, which costs a tenth and leaves everybody else's arrays where they are. Both ways add doubles in the same
// order, so that they come to the same bits on every machine.

/** The query, 8 bytes a number. */
const QUERY_BYTES = 16_384;
const VALUES_BYTES = 262_144;
const VALUES_AT = QUERY_BYTES;
const PRODUCTS_AT = QUERY_BYTES + VALUES_BYTES;
/** Values that one round of the program multiplies; a row holds at least two rounds. */
const LANES = 8;
/** 64 KiB each: the query, the values, 8 bytes for the product of each row. */
const MEMORY_PAGES = 7;

/** The products of each row of `values` with the query, of `dim` numbers each, a multiple of four. */
export function dotProducts(values: Int8Array, dim: number, query: Float32Array): Float64Array {
  program ??= instantiated();
  if (program === 'none' || dim % LANES !== 0 || dim < 2 * LANES || 8 * dim > QUERY_BYTES)
    return inPlace(values, dim, query);
  const { memory, multiply } = program;
  const products = new Float64Array(values.length / dim);
  const rowsAtOnce = Math.floor(VALUES_BYTES / dim);
  new Float64Array(memory.buffer, 0, dim).set(query);
  const room = new Int8Array(memory.buffer, VALUES_AT, VALUES_BYTES);
  for (let row = 0; row < products.length; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, products.length - row);
    room.set(values.subarray(row * dim, (row + rows) * dim));
    multiply(rows, dim, VALUES_AT, PRODUCTS_AT);
    products.set(new Float64Array(memory.buffer, PRODUCTS_AT, rows), row);
  }
  return products;
}

/** The same without WebAssembly. Exported for the test that holds both ways against each other. */
export function inPlace(values: Int8Array, dim: number, query: Float32Array): Float64Array {
  const products = new Float64Array(values.length / dim);
  for (let row = 0, at = 0; row < products.length; row += 1) {
    // Four sums at a time: the processor need not wait for one addition before the next.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let column = 0; column < dim; column += 4, at += 4) {
      a += query[column]! * values[at]!;
      b += query[column + 1]! * values[at + 1]!;
      c += query[column + 2]! * values[at + 2]!;
      d += query[column + 3]! * values[at + 3]!;
    }
    products[row] = a + b + c + d;
  }
  return products;
}

interface Program {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly multiply: (rows: number, dim: number, valuesAt: number, productsAt: number) => void;
}

/** The part of the global that is used here; types for it come only with those of browsers. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Program };
}

let program: Program | 'none' | null = null;

/** 'none' where WebAssembly is switched off, or the processor cannot do it. */
function instantiated(): Program | 'none' {
  try {
    const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly;
    return new Instance(new Module(Uint8Array.from(PROGRAM))).exports;
  } catch {
    return 'none';
  }
}

/** Parameters, then the local variables. */
const [ROWS, DIM, AT, OUT, QUERY, AB, CD, WHOLE] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const NO_RESULT = 0x40;
const ADD_I32 = 0x6a;
const ADD_F64 = 0xa0;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const number = (value: number) => [0x41, value];
const increase = (local: number, by: number) => [...get(local), ...number(by), ADD_I32, ...set(local)];
const TWO_ZEROS = [...number(0), 0xfd, 0x11];
const loadVector = (offset: number) => [0xfd, 0x00, 0x00, offset];
/** Eight int8 as int16. */
const LOAD_EIGHT = [0xfd, 0x01, 0x00, 0x00];
const LOW_FOUR_AS_INT32 = [0xfd, 0xa7, 0x01];
const HIGH_FOUR_AS_INT32 = [0xfd, 0xa8, 0x01];
/** Of four int32 the first two. */
const LOW_TWO_AS_F64 = [0xfd, 0xfe, 0x01];
/** The last two of four int32 first. */
const swapped = (local: number) => [
  ...[...get(local), ...get(local), 0xfd, 0x0d],
  ...[8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7],
];
const MULTIPLY = [0xfd, 0xf2, 0x01];
const ADD = [0xfd, 0xf0, 0x01];
const lane = (local: number, index: number) => [...get(local), 0xfd, 0x21, index];

/** Two of WHOLE's four numbers times the two of the query at `offset`, added to a pair of sums. */
const addTo = (sums: number, pair: readonly number[], offset: number) => [
  ...get(sums),
  ...[...pair, ...LOW_TWO_AS_F64],
  ...[...get(QUERY), ...loadVector(offset)],
  ...[...MULTIPLY, ...ADD],
  ...set(sums),
];

/** Four of the row's numbers. */
const addFour = (four: readonly number[], offset: number) => [
  ...[...get(AT), ...LOAD_EIGHT, ...four, ...set(WHOLE)],
  ...addTo(AB, get(WHOLE), offset),
  ...addTo(CD, swapped(WHOLE), offset + 16),
];

/** `multiply(rows, dim, at, out)`. */
const BODY = [
  2,
  ...[1, I32],
  ...[3, V128], // locals: query; ab, cd and whole
  ...[0x02, NO_RESULT], // block
  ...[0x03, NO_RESULT], // loop over rows
  ...[...get(ROWS), 0x45],
  ...[0x0d, 1], // leave the block when no row is left
  ...[...TWO_ZEROS, ...set(AB)],
  ...[...TWO_ZEROS, ...set(CD)],
  ...[...number(0), ...set(QUERY)],
  ...[0x03, NO_RESULT], // loop over eight values at a time
  ...addFour(LOW_FOUR_AS_INT32, 0),
  ...addFour(HIGH_FOUR_AS_INT32, 32),
  ...increase(AT, 8),
  ...[...get(QUERY), 0x41, 0xc0, 0x00, ADD_I32, ...set(QUERY)], // query += 64
  ...[...get(QUERY), ...get(DIM), ...number(3), 0x74, 0x49],
  ...[0x0d, 0], // again while query < 8 × dim
  END,
  ...get(OUT),
  ...[...lane(AB, 0), ...lane(AB, 1), ADD_F64],
  ...[...lane(CD, 0), ADD_F64, ...lane(CD, 1), ADD_F64],
  ...[0x39, 0x03, 0x00], // store
  ...increase(OUT, 8),
  ...[...get(ROWS), ...number(1), 0x6b, ...set(ROWS)],
  ...[0x0c, 0], // next row
  ...[END, END, END],
];

const name = (text: string) => [text.length, ...Buffer.from(text)];
/** A part of the program with its length before it, in seven bits a byte. */
const sized = (bytes: readonly number[]) => [
  ...(bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]),
  ...bytes,
];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];

/** Exported for the test that processors take it: a program that none takes would only be slow. */
export const PROGRAM: readonly number[] = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]), // one type of function
  ...section(3, [1, 0]), // one function of it
  ...section(5, [1, 0, MEMORY_PAGES]),
  ...section(7, [2, ...name('memory'), 2, 0, ...name('multiply'), 0, 0]),
  ...section(10, [1, ...sized(BODY)]),
];
