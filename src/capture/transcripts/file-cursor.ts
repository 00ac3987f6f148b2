// A reader's position in one file, written in the same log batch as the events it covers. The cursor's key is the
// file's real path (redacted, because a path may contain a secret). To follow a moved file, the inode maps to the key
// of the path it last had.
import type { FileHandle } from 'node:fs/promises';
import type { CursorWrite, Log } from '../../../log/index.ts';
import { redactText } from '../redact/index.ts';
import { type FileIdentity, identify, isContinuation, marksBefore } from './file-identity.ts';

/** `S` is the reader's own state; its `offset` is the next byte to read. */
export interface FileCursor<S> {
  readonly version: 2;
  readonly session: string | null;
  readonly identity: FileIdentity;
  /** `marksBefore` the state's offset. */
  readonly end: string;
  readonly state: S;
}

export interface ResumePoint<S> {
  readonly identity: FileIdentity;
  readonly state: S;
  /** The file's key before it moved. */
  readonly movedFrom: string | null;
}

type Resumable = { readonly version: number; readonly offset: number };

/** Where to continue reading a file: at its cursor, or at `fresh` when it is new, shrank or holds something else. */
export async function findResumePoint<S extends Resumable>(
  log: Pick<Log, 'cursor'>,
  agent: string,
  path: string,
  file: FileHandle,
  fresh: S,
): Promise<ResumePoint<S>> {
  const identity = await identify(file);
  const key = pathKey(agent, path);
  const known = await cursorAt(log, key, fresh);
  if (known !== null && (await continues(file, known)))
    return { identity, state: known.state, movedFrom: null };
  const before = await log.cursor(inodeKey(agent, identity.inode));
  if (typeof before === 'string' && before !== key) {
    const moved = await cursorAt(log, before, fresh);
    if (moved !== null && (await continues(file, moved)))
      return { identity, state: moved.state, movedFrom: before };
  }
  return { identity, state: fresh, movedFrom: null };
}

async function continues<S extends Resumable>(file: FileHandle, before: FileCursor<S>): Promise<boolean> {
  const { identity, state, end } = before;
  return (
    (await isContinuation(file, identity, state.offset)) && (await marksBefore(file, state.offset)) === end
  );
}

/** The cursor writes with which the next read continues at `state`. */
export async function cursorWrites<S extends Resumable & { readonly session: string | null }>(
  agent: string,
  path: string,
  file: FileHandle,
  resumePoint: Pick<ResumePoint<S>, 'identity' | 'movedFrom'>,
  state: S,
): Promise<CursorWrite[]> {
  const key = pathKey(agent, path);
  const { identity } = resumePoint;
  const end = await marksBefore(file, state.offset);
  const value: FileCursor<S> = { version: 2, session: state.session, identity, end, state };
  const writes: CursorWrite[] = [
    { key, value },
    { key: inodeKey(agent, resumePoint.identity.inode), value: key },
  ];
  return resumePoint.movedFrom === null ? writes : [...writes, { key: resumePoint.movedFrom, value: null }];
}

function pathKey(agent: string, path: string): string {
  return `${agent} file ${redactText(path)}`;
}

function inodeKey(agent: string, inode: string): string {
  return `${agent} inode ${inode}`;
}

/** Whether the key is of a cursor of a file, by its path or its inode. */
export function isFileCursor(key: string): boolean {
  return /^[^ ]+ (file|inode) /.test(key);
}

async function cursorAt<S extends Resumable>(
  log: Pick<Log, 'cursor'>,
  key: string,
  fresh: S,
): Promise<FileCursor<S> | null> {
  const value = (await log.cursor(key)) as FileCursor<S> | undefined;
  return value?.version === 2 && value.state.version === fresh.version ? value : null;
}
