// Reads the tables of another program's SQLite database, from a copy, so that nothing is written beside the original: a
// database in WAL mode cannot even be read without writing. The copy includes the write-ahead file. The library is
// SQLite itself, compiled to WebAssembly, loaded only here (docs/adr/0005-dependencies.md).
import type { Database, SQLiteValue } from 'node-sqlite3-wasm';
import { copyFiles } from '../../platform/file-copies.ts';
import { readHeadInPlace } from '../../platform/regular-file.ts';

export type Row = Readonly<Record<string, SQLiteValue>>;

export interface Tables {
  /** Whether it exists and is a table: a view of a hostile database can compute without end. */
  has(table: string): boolean;
  /**
   * The rows, with those of the wanted columns that the table has. `order` is a column of the table.
   * @throws Error in a damaged table, after the rows before the damage
   */
  rows(table: string, columns: readonly string[], order: string): Generator<Row>;
}

/** It is no SQLite database; `message` completes the sentence "it …". */
export class NotDatabase extends Error {}

const MAGIC = 'SQLite format 3\0';

export interface OpenTables extends Tables {
  close(): Promise<void>;
}

/** @throws NotDatabase, FilesChanging, NotRegular, and what the file system throws */
export async function openTables(path: string): Promise<OpenTables> {
  const head = readHeadInPlace(path, MAGIC.length).toString('latin1');
  if (head !== MAGIC)
    throw new NotDatabase(head === '' ? 'is empty' : 'is not a SQLite database, or it is encrypted');
  const copy = await copyFiles(path, [`${path}-wal`]);
  let database: Database | null = null;
  try {
    const sqlite = (await import('node-sqlite3-wasm')).default;
    database = new sqlite.Database(copy.path);
    const opened = database;
    // Without shared memory, only an exclusive lock makes SQLite read the write-ahead file.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA trusted_schema = OFF');
    return {
      ...tablesOf(opened),
      async close() {
        opened.close();
        await copy.remove();
      },
    };
  } catch (error) {
    database?.close();
    await copy.remove();
    throw error instanceof NotDatabase ? error : unreadable(error);
  }
}

function unreadable(error: unknown): NotDatabase {
  return new NotDatabase(`cannot be read as a SQLite database (${reasonIn(error)})`);
}

function tablesOf(database: Database): Tables {
  const found = database.all("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
  const names = new Set(found.map(({ name }) => String(name)));
  return {
    has: (table) => names.has(table),
    *rows(table, columns, order) {
      const known = new Set(database.all(`PRAGMA table_info(${quoted(table)})`).map(({ name }) => name));
      const wanted = columns.filter((column) => known.has(column)).map(quoted);
      const by = known.has(order) ? ` ORDER BY ${quoted(order)}` : '';
      const statement = database.prepare(`SELECT ${wanted.join(', ') || '1'} FROM ${quoted(table)}${by}`);
      try {
        yield* statement.iterate() as Iterable<Row>;
      } finally {
        statement.finalize();
      }
    },
  };
}

/** SQLite's own words, without anything of the database's content. */
export function reasonIn(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'an unknown error';
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
