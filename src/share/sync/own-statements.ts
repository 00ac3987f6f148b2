// Whether another home speaks under the name of this machine: one whose folder was copied, or this one before it was put
// back from a copy. A machine numbers its statements, and its home remembers the last ones.
import { hash } from 'node:crypto';
import { type Rows, syncKeys } from '../rows/sync-rows.ts';

/** Statements that are remembered; of earlier ones nobody asks. */
const REMEMBERED = 64;
const DIGITS = 16;

interface SpokenRow {
  /** Of the last statement. */
  readonly number: number;
  /** Digests of the last statements, newest last. */
  readonly last: readonly string[];
}

const NOTHING: SpokenRow = { number: 0, last: [] };

/** The number of the next statement. */
export function nextNumber(rows: Rows): number {
  return spoken(rows).number + 1;
}

/** Must be on disk before the statement is sent. @param plain a statement with the next number */
export function noteSpoken(plain: Uint8Array, rows: Rows): void {
  const { number, last } = spoken(rows);
  const row: SpokenRow = { number: number + 1, last: [...last, digestOf(plain)].slice(-REMEMBERED) };
  rows.set(syncKeys.spoken, row);
}

/** Looks at a statement under the name of this machine. @param at when it was sealed, Unix ms */
export function noteOwnStatement(
  number: number | undefined,
  plain: Uint8Array,
  at: number,
  rows: Rows,
): void {
  const { number: newest, last } = spoken(rows);
  if (number === undefined) return;
  const known = last.at(number - newest - 1);
  if (number <= newest && (newest - number >= last.length || known === digestOf(plain))) return;
  rows.set(syncKeys.copied, Math.max(at, rows.get<number>(syncKeys.copied) ?? 0));
  // Numbers are not given twice, also after a home was put back.
  if (number > newest) rows.set(syncKeys.spoken, { number, last: [] } satisfies SpokenRow);
}

function spoken(rows: Rows): SpokenRow {
  return rows.get<SpokenRow>(syncKeys.spoken) ?? NOTHING;
}

function digestOf(plain: Uint8Array): string {
  return hash('sha256', plain).slice(0, DIGITS);
}
