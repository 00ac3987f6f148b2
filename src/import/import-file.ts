// Imports one transcript into the log page by page, each page's cursor in the same batch as its events, so that an
// import can be interrupted at any time and continue later. A file that is not a transcript, or that belongs to a
// private turn or an excluded folder, gets a reason why it was not read.
import type { FileHandle } from 'node:fs/promises';
import { type AppendOptions, isAnnalsError, type Log, type NewEvent } from '../../log/index.ts';
import type { Agent } from '../agents/common/agent.ts';
import {
  NO_COUNTS,
  type ParkedPiece,
  type Speaker,
  type TranscriptRun,
  type TranscriptState,
} from '../agents/common/transcript-reader.ts';
import { agentOfFile, openerOf, startOfFile } from '../agents/index.ts';
import { hasMark, type MarkedSession, pendingMark } from '../capture/private/private-marks.ts';
import { privatePromptCursor, privatePromptNames } from '../capture/private/private-prompts.ts';
import { type Unreadable, unreadableAt } from '../capture/transcripts/discover.ts';
import { cursorWrites, findResumePoint } from '../capture/transcripts/file-cursor.ts';
import { firstFolder } from '../capture/transcripts/first-folder.ts';
import { openRegularFile } from '../platform/regular-file.ts';

/** Options for every file of a run. */
export interface FileImport {
  readonly log: Pick<Log, 'append' | 'cursor' | 'cursors' | 'pageBySession' | 'scan' | 'forgettings'>;
  /** Whether a folder is excluded. A file whose first folder is excluded is not read at all. */
  readonly excluded?: (cwd: string) => boolean;
  /** Stops after the current page; what was appended stays. */
  readonly signal?: AbortSignal;
  /** Opens a transcript for reading. Tests inject one that fails. */
  readonly openFile?: (path: string) => Promise<FileHandle>;
}

export interface FileRun extends FileImport, TranscriptRun {
  readonly agents: readonly Agent[];
  readonly log: FileImport['log'];
}

/** One file after this run. Includes what an earlier run read of it. */
export interface ImportedFile {
  readonly path: string;
  /** Whose transcript it is. */
  readonly agent: string;
  /** Sessions and sub-agents in the file, each with the folders it worked in, first seen first. */
  readonly sessions: readonly Speaker[];
  /** In this run. */
  readonly appended: number;
  readonly duplicates: number;
  readonly forgotten: number;
  /** All parked lines of the file; the first 100 with location and reason. */
  readonly parked: number;
  readonly parkedLines: readonly ParkedPiece[];
  /** tool_use ids without a result so far. */
  readonly openToolUses: readonly string[];
  /** The number of lines and attachments of unknown kinds, by name. */
  readonly unknownLines: { readonly [name: string]: number };
  readonly unknownSubtypes: { readonly [name: string]: number };
  readonly unknownAttachments: { readonly [name: string]: number };
  /** Texts in a person's place that no person wrote, by reason. */
  readonly notPrompts: { readonly [reason: string]: number };
  /** Bytes of an incomplete last line, which is read once it is complete. */
  readonly tornBytes: number;
  /** Why the file was not read, such as a private turn's sub-agent. */
  readonly heldBack: string | null;
}

/**
 * Null for a file that is not read before the files of sessions have been.
 * @throws AnnalsError of the log (DISK_FULL, LOG_CLOSED); never because of what the file holds
 */
export async function importFile(
  run: FileRun,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<ImportedFile | Unreadable | null> {
  let file: FileHandle;
  try {
    file = await (run.openFile ?? openRegularFile)(path);
  } catch (error) {
    return unreadableAt(path, error);
  }
  try {
    return await readInto(run, path, file, onBytes);
  } catch (error) {
    if (!isFileError(error)) throw error;
    return unreadableAt(path, error);
  } finally {
    await file.close();
  }
}

async function readInto(
  run: FileRun,
  path: string,
  file: FileHandle,
  onBytes: (bytes: number) => void,
): Promise<ImportedFile | Unreadable | null> {
  const { log, privatePrompts, signal } = run;
  const { excluded = () => false } = run;
  const start = await startOfFile(path, file);
  const agent = agentOfFile(start, run.agents);
  const folder = await firstFolder(file, start.text);
  if (folder !== null && excluded(folder)) return heldBack(path, agent, 'its folder is excluded');
  const { transcripts, name } = agent;
  if (transcripts === null) return { path, reason: `transcripts of ${agent.title} cannot be read` };
  const opened = await openerOf(agent, transcripts, start)(path, file, run);
  if ('heldBack' in opened)
    return opened.isPostponed === true ? null : heldBack(path, agent, opened.heldBack);
  const { reader } = opened;
  const resumePoint = await findResumePoint(log, name, path, file, reader.fresh);
  const stored = resumePoint.state;
  // A hook may have reported a private prompt after its part of the file was read.
  const isOutdated = reader.isOutdated(stored) || privateHooks(stored, name, run) !== stored.privateHooks;
  let state = isOutdated ? reader.fresh : stored;
  let saved = state;
  let readTo = state.offset;
  const counts = { appended: 0, duplicate: 0, forgotten: 0 };
  // One append runs while the next page is read: the queue keeps their order, and memory stays bounded.
  let writing = Promise.resolve();
  const refused: ParkedPiece[] = [];
  const append = async (events: readonly NewEvent[], options: AppendOptions) => {
    try {
      for (const { outcome } of await log.append(events, options)) counts[outcome] += 1;
    } catch (error) {
      if (!isAnnalsError(error) || error.code !== 'INPUT_INVALID') throw error;
      // One event that the log refuses must not keep the others out.
      if (events.length === 1) refused.push(pieceOf(events[0]!));
      else for (const event of events) await append([event], {});
      await log.append([], options);
    }
  };
  const save = async (events: readonly NewEvent[]) => {
    await writing;
    const withHooks = { ...state, privateHooks: privateHooks(state, name, run) };
    const cursors = await cursorWrites(name, path, file, resumePoint, withHooks);
    const names = privatePromptNames(events);
    privatePrompts.add(names);
    const marks = (await sessionsToMark(events, log)).map(pendingMark);
    const marking =
      marks.length === 0
        ? Promise.resolve()
        : append([], { cursors: [...names.map(privatePromptCursor), ...marks] });
    // The log writes the cursor after all events that it covers.
    writing = marking.then(() => append(events, { cursors }));
    writing.catch(() => undefined);
    saved = state;
  };
  try {
    for await (const page of reader.pages(state)) {
      const before = state;
      const { state: after, events } = await privatePrompts.publicPrompts.decide(log, () =>
        reader.read(before, page.lines),
      );
      state = after;
      readTo = page.readTo;
      const kept = events.filter((event) => !isInExcludedFolder(event, state, excluded));
      if (events.length > 0) await save(kept);
      onBytes(readTo);
      if (signal?.aborted === true) break;
    }
  } finally {
    // Its failure comes first: after a full disk, the file is read again.
    await writing;
  }
  if (state.counts.lines > 0 && state.counts.known === 0) {
    const reason = `not a transcript of a known agent: none of its lines (${state.counts.lines}) has a known type`;
    return { path, reason };
  }
  if (state.offset === 0 && /^\s*[^\s{]/.test(start.text.slice(0, 1024)) && state.counts.lines === 0)
    return {
      path,
      reason: 'not a transcript of a known agent: it does not begin with a JSON object',
    };
  if (state.offset !== saved.offset || resumePoint.movedFrom !== null) await save([]);
  await writing;
  reader.ended(state);
  return reportOf(path, agent, state, {
    openToolUses: reader.openToolUses(state),
    appended: counts.appended,
    duplicates: counts.duplicate,
    forgotten: counts.forgotten,
    tornBytes: readTo - state.offset,
    parked: state.counts.parked + refused.length,
    parkedLines: [...state.parked, ...refused],
  });
}

/** How many private prompts are known from hooks, up to the time that was read. */
function privateHooks(
  { session, time }: TranscriptState,
  agent: string,
  { privatePrompts }: FileRun,
): number {
  return session === null || time === null ? 0 : privatePrompts.countFromHooks(agent, session, time);
}

/** Sessions of these events with a private prompt, in these events or already in the log. */
async function sessionsToMark(
  events: readonly NewEvent[],
  log: FileImport['log'],
): Promise<readonly MarkedSession[]> {
  const sessions = new Map<string, MarkedSession>();
  const toMark = new Set<string>();
  for (const { type, body, agent, session } of events) {
    if (session === null) continue;
    sessions.set(session, { agent, session });
    if (type === 'prompt.submitted' && 'private' in body && body.private === true) toMark.add(session);
  }
  for (const [name, session] of sessions)
    if (!toMark.has(name) && (await hasMark(log, session))) toMark.add(name);
  return [...toMark].map((name) => sessions.get(name)!);
}

function pieceOf({ body }: NewEvent): ParkedPiece {
  const offset = 'offset' in body && typeof body.offset === 'number' ? body.offset : 0;
  return { offset, length: 0, reason: 'the log refused its event' };
}

/**
 * A session may move into an excluded folder and out again. Events in that folder are not kept, and, once it was there, none that
 * names no folder: titles, queued prompts.
 */
function isInExcludedFolder(
  { session, body }: NewEvent,
  { speakers }: TranscriptState,
  excluded: (cwd: string) => boolean,
): boolean {
  if ('cwd' in body && typeof body.cwd === 'string') return excluded(body.cwd);
  return speakers.some((one) => one.session === session && one.cwds.some(excluded));
}

function heldBack(path: string, agent: Agent, reason: string): ImportedFile {
  return reportOf(path, agent, NOTHING_READ, { heldBack: reason });
}

const NOTHING_READ = { speakers: [], counts: NO_COUNTS, parked: [] };

function reportOf(
  path: string,
  agent: Agent,
  state: Pick<TranscriptState, 'speakers' | 'counts' | 'parked'>,
  ofThisRun: Partial<ImportedFile>,
): ImportedFile {
  return {
    path,
    agent: agent.name,
    sessions: state.speakers,
    appended: 0,
    duplicates: 0,
    forgotten: 0,
    parked: state.counts.parked,
    parkedLines: state.parked,
    openToolUses: [],
    unknownLines: state.counts.unknownLines,
    unknownSubtypes: state.counts.unknownSubtypes,
    unknownAttachments: state.counts.unknownAttachments,
    notPrompts: state.counts.refused,
    tornBytes: 0,
    heldBack: null,
    ...ofThisRun,
  };
}

/** Errors from reading a file have a system call. Errors of the log end the import. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
