// Writes the next columns: blocks of rows of the current ones, and new rows between them.
import { StringColumn } from '../project-indexes/index.ts';
import { type Columns, type NameColumn, nameColumn, type VectorRow } from './columns.ts';
import { isQuestion } from './vector-recipe.ts';

const STEPS = 127;

/** @param changes in order of ids: the new row of a document, null for a removed one. @param clock stamps the new rows */
export function changedColumns(
  columns: Columns,
  changes: readonly (readonly [id: string, row: VectorRow | null])[],
  clock: number,
): Columns {
  const { ids } = columns;
  const fresh = changes.filter(([, row]) => row !== null).length;
  const known = changes.filter(([id]) => ids.find(id) >= 0).length;
  const writer = new ColumnsWriter(columns, ids.length - known + fresh, clock);
  // Copy the rows between two changes as one block.
  let from = 0;
  for (const [id, row] of changes) {
    const until = ids.firstFrom(id, from);
    writer.copy(from, until);
    from = until < ids.length && ids.at(until) === id ? until + 1 : until;
    if (row !== null) writer.put(row);
  }
  writer.copy(from, ids.length);
  return writer.columns();
}

class ColumnsWriter {
  readonly #columns: Columns;
  readonly #idBytes: Buffer[] = [];
  readonly #idOffsets: Uint32Array;
  readonly #sessions: NameWriter;
  readonly #agents: NameWriter;
  readonly #tokens: Uint32Array;
  readonly #isQuestion: Uint8Array;
  readonly #scales: Float32Array;
  readonly #values: Int8Array;
  readonly #stamps: Uint32Array;
  readonly #clock: number;
  /** The next row. */
  #row = 0;

  /** @param rows number of rows that will be written */
  constructor(columns: Columns, rows: number, clock: number) {
    this.#columns = columns;
    this.#clock = clock;
    this.#idOffsets = new Uint32Array(rows + 1);
    this.#sessions = new NameWriter(columns.sessions, rows);
    this.#agents = new NameWriter(columns.agents, rows);
    this.#tokens = new Uint32Array(rows);
    this.#isQuestion = new Uint8Array(rows);
    this.#scales = new Float32Array(rows);
    this.#values = new Int8Array(rows * columns.dim);
    this.#stamps = new Uint32Array(rows);
  }

  /** Copies the rows `from`…`to` of the current columns. */
  copy(from: number, to: number): void {
    const { dim, ids, tokens, isQuestion, scales, values, stamps } = this.#columns;
    const at = this.#row;
    this.#idBytes.push(ids.bytes.subarray(ids.offsets[from], ids.offsets[to]));
    const shift = this.#idOffsets[at]! - ids.offsets[from]!;
    for (let row = from; row < to; row += 1)
      this.#idOffsets[at + row - from + 1] = ids.offsets[row + 1]! + shift;
    this.#sessions.copy(from, to, at);
    this.#agents.copy(from, to, at);
    this.#tokens.set(tokens.subarray(from, to), at);
    this.#isQuestion.set(isQuestion.subarray(from, to), at);
    this.#scales.set(scales.subarray(from, to), at);
    this.#values.set(values.subarray(from * dim, to * dim), at * dim);
    this.#stamps.set(stamps.subarray(from, to), at);
    this.#row += to - from;
  }

  put({ document, vector }: VectorRow): void {
    const row = this.#row++;
    const id = Buffer.from(document.id);
    this.#idBytes.push(id);
    this.#idOffsets[row + 1] = this.#idOffsets[row]! + id.length;
    this.#sessions.put(document.session ?? document.id, row);
    this.#agents.put(document.agent, row);
    this.#tokens[row] = document.tokens;
    this.#isQuestion[row] = isQuestion(document) ? 1 : 0;
    this.#stamps[row] = this.#clock;
    const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    this.#scales[row] = largest / STEPS;
    const { dim } = this.#columns;
    if (largest > 0)
      for (let column = 0; column < dim; column += 1)
        this.#values[row * dim + column] = Math.round((vector[column]! / largest) * STEPS);
  }

  columns(): Columns {
    return {
      dim: this.#columns.dim,
      ids: new StringColumn(Buffer.concat(this.#idBytes), this.#idOffsets),
      sessions: this.#sessions.column(),
      agents: this.#agents.column(),
      tokens: this.#tokens,
      isQuestion: this.#isQuestion,
      scales: this.#scales,
      values: this.#values,
      stamps: this.#stamps,
    };
  }
}

class NameWriter {
  readonly #from: NameColumn;
  /** Those of the current column, then new ones. */
  readonly #names: string[];
  readonly #known: Map<string, number>;
  readonly #numbers: Uint32Array;

  constructor(from: NameColumn, rows: number) {
    this.#from = from;
    this.#names = [...from.names];
    this.#known = new Map(from.names.map((name, number) => [name, number]));
    this.#numbers = new Uint32Array(rows);
  }

  copy(from: number, to: number, at: number): void {
    this.#numbers.set(this.#from.numbers.subarray(from, to), at);
  }

  put(name: string, row: number): void {
    let number = this.#known.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#known.set(name, number);
    }
    this.#numbers[row] = number;
  }

  column(): NameColumn {
    return nameColumn(this.#names, this.#numbers);
  }
}
