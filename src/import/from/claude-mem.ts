// Reads the database of claude-mem (~/.claude-mem/claude-mem.db): its observations, session summaries and prompts. Written
// against version 13; tables and columns that an older version lacks are absent in what is read.
//
// claude-mem names a project by the last part of its folder. The folder itself is in `tool_uses` (and `pending_messages`),
// so a memory gets the folder of its session's first tool use, and only the name where the session has none.
import { hash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../../log/index.ts';
import { reasonOf } from '../../capture/transcripts/discover.ts';
import { FilesChanging } from '../../platform/file-copies.ts';
import { type Finding, type FoundMemory, textsIn, timeIn } from './found-memory.ts';
import { NotDatabase, type OpenTables, openTables, type Row, reasonIn, type Tables } from './sqlite.ts';

const TOOL = 'claude-mem';
const DATABASE = 'claude-mem.db';

/** Its names of agents that are not ours. */
const AGENTS: ReadonlyMap<string, string> = new Map([
  ['claude', 'claude-code'],
  ['gemini', 'gemini-cli'],
]);

interface Session {
  /** The agent's id of the session. */
  readonly id: string | null;
  readonly agent: string | null;
  readonly project: string | null;
  readonly cwd: string | null;
}

const NO_SESSION: Session = { id: null, agent: null, project: null, cwd: null };

interface Sessions {
  readonly byMemorySession: ReadonlyMap<string, Session>;
  readonly byId: ReadonlyMap<string, Session>;
}

/** @param path the database, or the folder that holds it */
export async function* readClaudeMem(path: string): AsyncGenerator<Finding> {
  let file = path;
  let tables: OpenTables;
  try {
    file = await realpath((await stat(path)).isDirectory() ? join(path, DATABASE) : path);
    tables = await openTables(file);
  } catch (error) {
    yield { unreadable: { path: file, reason: refusal(error) } };
    return;
  }
  try {
    yield* findingsIn(tables, file);
  } finally {
    await tables.close();
  }
}

function refusal(error: unknown): string {
  if (error instanceof NotDatabase) return error.message;
  if (error instanceof FilesChanging)
    return 'changes all the time: claude-mem is writing to it; try again, or stop claude-mem first';
  return reasonOf(error);
}

interface Reading {
  readonly file: string;
  readonly installation: string;
  readonly sessions: Sessions;
}

function* findingsIn(tables: Tables, file: string): Generator<Finding> {
  if (!Object.keys(KINDS).some((table) => tables.has(table))) {
    const reason = `is not claude-mem's: it has none of the tables ${Object.keys(KINDS).join(', ')}`;
    yield { unreadable: { path: file, reason } };
    return;
  }
  yield { file };
  const problems: Finding[] = [];
  const rowsOf = function* (table: string, columns: readonly string[], order = 'id'): Generator<Row> {
    if (!tables.has(table)) return;
    let read = 0;
    try {
      for (const row of tables.rows(table, columns, order)) {
        read += 1;
        yield row;
      }
    } catch (error) {
      const reason = `is damaged: of the table ${table} only ${read} rows could be read (${reasonIn(error)})`;
      problems.push({ unreadable: { path: file, reason } });
    }
  };
  const reading: Reading = {
    file,
    installation: installationOf(rowsOf, file),
    sessions: sessionsIn(rowsOf),
  };
  for (const [table, { columns, memoryOf }] of Object.entries(KINDS))
    for (const row of rowsOf(table, columns)) yield { memory: memoryOf(row, reading) };
  yield* problems;
}

type RowsOf = (table: string, columns: readonly string[], order?: string) => Generator<Row>;

/** The times at which claude-mem made its tables name a database: they never change, and move with it. */
function installationOf(rowsOf: RowsOf, file: string): string {
  const [first] = rowsOf('schema_versions', ['version', 'applied_at']);
  const [session] = first === undefined ? rowsOf('sdk_sessions', ['content_session_id', 'started_at']) : [];
  return hash('sha256', JSON.stringify(first ?? session ?? { file })).slice(0, 16);
}

function sessionsIn(rowsOf: RowsOf): Sessions {
  const folders = new Map<string, string>();
  for (const table of ['tool_uses', 'pending_messages'])
    for (const row of rowsOf(table, ['content_session_id', 'cwd'])) {
      const [id, cwd] = [textOf(row.content_session_id), textOf(row.cwd)];
      if (id !== null && cwd !== null && !folders.has(id)) folders.set(id, cwd);
    }
  const byMemorySession = new Map<string, Session>();
  const byId = new Map<string, Session>();
  const columns = ['content_session_id', 'memory_session_id', 'project', 'platform_source'];
  for (const row of rowsOf('sdk_sessions', columns)) {
    const id = textOf(row.content_session_id);
    const memorySession = textOf(row.memory_session_id);
    const platform = textOf(row.platform_source) ?? 'claude';
    const session = {
      id,
      agent: AGENTS.get(platform) ?? platform,
      project: textOf(row.project),
      cwd: id === null ? null : (folders.get(id) ?? null),
    };
    if (id !== null) byId.set(id, session);
    if (memorySession !== null) byMemorySession.set(memorySession, session);
  }
  return { byMemorySession, byId };
}

interface KindOfRow {
  readonly columns: readonly string[];
  readonly memoryOf: (row: Row, reading: Reading) => FoundMemory;
}

const COMMON = ['id', 'memory_session_id', 'project', 'prompt_number', 'created_at', 'created_at_epoch'];

/** The tables that hold memories. */
const KINDS: Readonly<Record<string, KindOfRow>> = {
  observations: {
    columns: [
      ...COMMON,
      'text',
      'type',
      'title',
      'subtitle',
      'facts',
      'narrative',
      'concepts',
      'files_read',
      'files_modified',
      'generated_by_model',
      'agent_type',
    ],
    memoryOf: (row, reading) => ({
      ...baseOf(row, 'observation', reading),
      type: textOf(row.type),
      title: textOf(row.title),
      text: textOf(row.narrative) ?? textOf(row.text),
      parts: partsOf({ subtitle: row.subtitle, fact: row.facts }),
      concepts: textsIn(row.concepts),
      files: [...textsIn(row.files_modified), ...textsIn(row.files_read)],
      metadata: metadataOf({
        promptNumber: row.prompt_number,
        model: row.generated_by_model,
        agentType: row.agent_type,
      }),
    }),
  },
  session_summaries: {
    columns: [
      ...COMMON,
      'request',
      'investigated',
      'learned',
      'completed',
      'next_steps',
      'notes',
      'files_read',
      'files_edited',
    ],
    memoryOf: (row, reading) => ({
      ...baseOf(row, 'summary', reading),
      title: textOf(row.request),
      parts: partsOf({
        investigated: row.investigated,
        learned: row.learned,
        completed: row.completed,
        'next steps': row.next_steps,
        notes: row.notes,
      }),
      files: [...textsIn(row.files_edited), ...textsIn(row.files_read)],
      metadata: metadataOf({ promptNumber: row.prompt_number }),
    }),
  },
  user_prompts: {
    columns: ['id', 'content_session_id', 'prompt_number', 'prompt_text', 'created_at', 'created_at_epoch'],
    memoryOf: (row, reading) => ({
      ...baseOf(row, 'prompt', reading),
      author: 'user',
      text: textOf(row.prompt_text),
      metadata: metadataOf({ promptNumber: row.prompt_number }),
    }),
  },
};

function baseOf(row: Row, kind: FoundMemory['kind'], { file, installation, sessions }: Reading): FoundMemory {
  const own = textOf(row.content_session_id);
  const session =
    (own === null
      ? sessions.byMemorySession.get(textOf(row.memory_session_id) ?? '')
      : sessions.byId.get(own)) ?? NO_SESSION;
  return {
    tool: TOOL,
    installation,
    originalId: String(row.id),
    kind,
    author: 'agent',
    file,
    session: session.id ?? own,
    sessionAgent: session.agent,
    project: textOf(row.project) ?? session.project,
    cwd: session.cwd,
    at: timeIn(row.created_at_epoch) ?? timeIn(row.created_at),
  };
}

/** A field with several texts makes several parts. */
function partsOf(fields: Readonly<Record<string, unknown>>): readonly { name: string; text: string }[] {
  return Object.entries(fields).flatMap(([name, value]) => textsIn(value).map((text) => ({ name, text })));
}

function metadataOf(fields: Readonly<Record<string, Row[string] | undefined>>): Json {
  const known = Object.entries(fields).filter(
    (field): field is [string, string | number] =>
      typeof field[1] === 'number' || textOf(field[1] ?? null) !== null,
  );
  return known.length === 0 ? null : Object.fromEntries(known);
}

/** A database may hold anything in any column. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
