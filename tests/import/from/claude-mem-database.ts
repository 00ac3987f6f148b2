// A database with the tables of claude-mem 13, made by the test.
import { createRequire } from 'node:module';
import type { Database } from 'node-sqlite3-wasm';

const sqlite = createRequire(import.meta.url)('node-sqlite3-wasm') as typeof import('node-sqlite3-wasm');

const TABLES = `
  CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
  CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE,
    project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', started_at TEXT NOT NULL);
  CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
    type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
    files_modified TEXT, prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
    generated_by_model TEXT, relevance_count INTEGER DEFAULT 0);
  CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
    investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
  CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER, content_session_id TEXT NOT NULL,
    prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
  CREATE TABLE tool_uses (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tool_use_id TEXT NOT NULL, content_session_id TEXT NOT NULL, cwd TEXT);
`;

export const AT = Date.parse('2026-03-04T05:06:07Z');
export const SESSION = '6f1d2c1e-0000-4000-8000-000000000001';
export const FOLDERLESS = '6f1d2c1e-0000-4000-8000-000000000002';
export const FOLDER = '/home/robin/birdfeeder';

/** Two sessions: one with a folder, the other with only a project name. */
export function claudeMemDatabase(path: string, count = 3): void {
  withDatabase(path, (database) => {
    database.exec(TABLES);
    database.run("INSERT INTO schema_versions (version, applied_at) VALUES (4, '2026-01-02T03:04:05.678Z')");
    for (const [session, memory] of [
      [SESSION, 'memory-1'],
      [FOLDERLESS, 'memory-2'],
    ])
      database.run(
        'INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at) VALUES (?, ?, ?, ?)',
        [session!, memory!, 'birdfeeder', '2026-03-04'],
      );
    database.run('INSERT INTO tool_uses (tool_use_id, content_session_id, cwd) VALUES (?, ?, ?)', [
      'toolu_1',
      SESSION,
      FOLDER,
    ]);
    for (let number = 1; number <= count; number++) {
      observation(database, number);
      database.run(
        `INSERT INTO session_summaries (memory_session_id, project, request, learned, next_steps, created_at, created_at_epoch)
         VALUES ('memory-1', 'birdfeeder', ?, ?, 'Ship it', '2026-03-04', ?)`,
        [`Mend the hopper${number}`, `The auger${number} jams in the cold`, AT + number],
      );
      database.run(
        `INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch)
         VALUES (?, ?, ?, '2026-03-04', ?)`,
        [number % 2 === 0 ? FOLDERLESS : SESSION, number, `Why does the starling${number} lie?`, AT + number],
      );
    }
  });
}

export function observation(database: Database, number: number): void {
  database.run(
    `INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read,
       files_modified, prompt_number, created_at, created_at_epoch, generated_by_model)
     VALUES (?, 'birdfeeder', 'discovery', ?, 'On the roof', ?, ?, '["gotcha"]', '["src/read.ts"]', '["src/clock.ts"]', 1,
       '2026-03-04', ?, 'a-model')`,
    [
      number % 2 === 0 ? 'memory-2' : 'memory-1',
      `The kestrel${number} clock drifts`,
      `["It drifts ${number} s a day", "It is of brass"]`,
      `The nuthatch${number} reads it twice.`,
      AT + number,
    ],
  );
}

export function withDatabase(path: string, work: (database: Database) => void): void {
  const database = new sqlite.Database(path);
  try {
    work(database);
  } finally {
    database.close();
  }
}
