// Dot products of many int8 rows with one int16 row. JavaScript multiplies one pair at a time, WebAssembly SIMD sixteen.
// The program is forty instructions, written below as bytes, so it needs no compiler and no download. Rows are copied
// block by block into its own small memory, so that the callers' arrays stay where they are: of 100,000 rows the copy takes
// 1 ms and the multiplication 1.2. Sums are integers, so SIMD and plain JavaScript give the same bits.

const QUERY_BYTES = 8_192;
const VALUES_BYTES = 262_144;
const VALUES_AT = QUERY_BYTES;
const PRODUCTS_AT = QUERY_BYTES + VALUES_BYTES;
/** Values multiplied per SIMD step. */
const LANES = 16;
/** 64 KiB each: the query, the values, a product for each row of at least 16 values. */
const MEMORY_PAGES = 6;

/** Takes the products of consecutive rows, from row `first` on. The array is used again for the next block. */
export type TakeProducts = (products: Int32Array, first: number) => void;

/** The dot product of each row of `values` (`dim` numbers) with the query, in blocks. Products must fit into 32 bits. */
export function dotProducts(values: Int8Array, dim: number, query: Int16Array, take: TakeProducts): void {
  program ??= instantiated();
  if (program === 'none' || dim % LANES !== 0 || 2 * dim > QUERY_BYTES) {
    take(plainDotProducts(values, dim, query), 0);
    return;
  }
  const { memory, multiply } = program;
  const all = values.length / dim;
  const rowsAtOnce = Math.floor(VALUES_BYTES / dim);
  new Int16Array(memory.buffer, 0, dim).set(query);
  const room = new Int8Array(memory.buffer, VALUES_AT, VALUES_BYTES);
  for (let row = 0; row < all; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, all - row);
    room.set(values.subarray(row * dim, (row + rows) * dim));
    multiply(rows, dim, VALUES_AT, PRODUCTS_AT);
    take(new Int32Array(memory.buffer, PRODUCTS_AT, rows), row);
  }
}

interface Program {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly multiply: (rows: number, dim: number, valuesAt: number, productsAt: number) => void;
}

/** The part of the `WebAssembly` global used here; its types come only with the DOM types. */
interface Assembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Program };
}

let program: Program | 'none' | null = null;

/** The plain JavaScript implementation. Also used by the test that compares both. */
export function plainDotProducts(values: Int8Array, dim: number, query: Int16Array): Int32Array {
  const products = new Int32Array(values.length / dim);
  for (let row = 0, at = 0; row < products.length; row += 1) {
    let sum = 0;
    for (let column = 0; column < dim; column += 1, at += 1)
      sum = (sum + Math.imul(query[column]!, values[at]!)) | 0;
    products[row] = sum;
  }
  return products;
}

/** 'none' when WebAssembly is disabled or SIMD is not supported. */
function instantiated(): Program | 'none' {
  try {
    const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Assembly }).WebAssembly;
    return new Instance(new Module(Uint8Array.from(PROGRAM))).exports;
  } catch {
    return 'none';
  }
}

const [ROWS, DIM, AT, OUT, QUERY, SUM, VALUES] = [0, 1, 2, 3, 4, 5, 6] as const;
const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const NO_RESULT = 0x40;
const ADD_I32 = 0x6a;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const number = (value: number) => [0x41, value];
const loadVector = (offset: number) => [0xfd, 0x00, 0x00, offset];
const LOW_HALF = [0xfd, 0x87, 0x01];
const HIGH_HALF = [0xfd, 0x88, 0x01];
const MULTIPLY_AND_ADD_PAIRS = [0xfd, 0xba, 0x01];
const ADD_VECTORS = [0xfd, 0xae, 0x01];
const lane = (index: number) => [0xfd, 0x1b, index];
const increase = (local: number, by: number) => [...get(local), ...number(by), ADD_I32, ...set(local)];

/** `multiply(rows, dim, at, out)`. */
const BODY = [
  2,
  ...[1, I32],
  ...[2, V128], // locals: query; sum and values
  ...[0x02, NO_RESULT], // block
  ...[0x03, NO_RESULT], // loop over rows
  ...get(ROWS),
  0x45,
  ...[0x0d, 1], // leave the block when no row is left
  ...number(0),
  ...[0xfd, 0x11],
  ...set(SUM), // four sums of 0
  ...number(0),
  ...set(QUERY),
  ...[0x03, NO_RESULT], // loop over sixteen values at a time
  ...get(SUM),
  ...get(AT),
  ...loadVector(0),
  ...[0x22, VALUES],
  ...LOW_HALF,
  ...get(QUERY),
  ...loadVector(0),
  ...MULTIPLY_AND_ADD_PAIRS,
  ...ADD_VECTORS,
  ...get(VALUES),
  ...HIGH_HALF,
  ...get(QUERY),
  ...loadVector(16),
  ...MULTIPLY_AND_ADD_PAIRS,
  ...ADD_VECTORS,
  ...set(SUM),
  ...increase(AT, 16),
  ...increase(QUERY, 32),
  ...get(QUERY),
  ...get(DIM),
  ...number(1),
  0x74,
  0x49,
  ...[0x0d, 0], // again while query < 2 × dim
  END,
  ...get(OUT),
  ...get(SUM),
  ...lane(0),
  ...get(SUM),
  ...lane(1),
  ADD_I32,
  ...get(SUM),
  ...lane(2),
  ADD_I32,
  ...get(SUM),
  ...lane(3),
  ADD_I32,
  ...[0x36, 0x02, 0x00], // store
  ...increase(OUT, 4),
  ...get(ROWS),
  ...number(1),
  0x6b,
  ...set(ROWS),
  ...[0x0c, 0], // next row
  END,
  END,
  END,
];

const name = (text: string) => [text.length, ...Buffer.from(text)];
/** A part of the program, prefixed by its length in LEB128. */
const sized = (bytes: readonly number[]) => [
  ...(bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]),
  ...bytes,
];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];

const PROGRAM = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]), // one function type
  ...section(3, [1, 0]), // one function of that type
  ...section(5, [1, 0, MEMORY_PAGES]),
  ...section(7, [2, ...name('memory'), 2, 0, ...name('multiply'), 0, 0]),
  ...section(10, [1, ...sized(BODY)]),
];
