// Exports the log into a folder as lines of JSON that can be read without Annals. Segments are written first, each to a
// temporary file that is then renamed; the manifest that names them is replaced last. So at every moment the folder is an
// export, either the earlier or the later one. An existing export is kept and continued, unless something was forgotten
// since then: in that case all segments are written again, because the old ones hold the forgotten text. Only one export at
// a time is written into a folder: of this process they wait for each other, another process finds the lock.
import { join } from 'node:path';
import {
  AnnalsError,
  type ChainPosition,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  exportedLine,
  isAnnalsError,
  isDiskFull,
  type Log,
  MANIFEST,
  MANIFEST_BYTES_MAX,
  type Manifest,
  Mutex,
  manifestText,
} from '../../log/index.ts';
import type { ExportOptions, ExportReport } from '../api.ts';
import type { Home } from '../home/home.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { list, makeFolder, remove } from '../platform/disk-files.ts';
import { givenPath } from '../platform/path-inside.ts';
import { type ProcessLock, takeLock } from '../platform/process-lock.ts';
import { ENCRYPTED, type ExportKey, encryptBytes, KEY_FILE, newExportKey } from './export-encryption.ts';
import { LOCK, OWN_FILE, partsOf, writeSegment } from './export-segments.ts';
import { type ExportStart, earlierExport, hasFolder, refuseInHome, startOf } from './export-start.ts';

/** Those of this process, by folder. */
const running = new Map<string, Mutex>();

export async function exportLog(
  folder: string,
  options: ExportOptions,
  home: Pick<Home, 'log' | 'now' | 'paths'>,
): Promise<ExportReport> {
  const path = givenPath(folder);
  refuseInHome(path, home.paths.home);
  const mutex = running.get(path) ?? new Mutex();
  running.set(path, mutex);
  return mutex.run(async () => {
    try {
      // A passphrase that is asked for may be refused: then there is no folder either.
      const newKey = (await hasFolder(path)) ? null : await keyFor(options);
      await makeFolder(path);
      const lock = takeLock(join(path, LOCK));
      if (lock === null) throw locked(path);
      try {
        return await exportLocked({ path, lock, newKey }, options, home);
      } finally {
        lock.release();
      }
    } catch (error) {
      throw fileError(error, path);
    }
  });
}

/** Null without a passphrase. */
async function keyFor({ passphrase }: ExportOptions): Promise<ExportKey | null> {
  return passphrase === undefined ? null : newExportKey(passphrase);
}

interface OwnFolder {
  readonly path: string;
  readonly lock: ProcessLock;
  /** Of a folder that was not there. */
  readonly newKey: ExportKey | null;
}

async function exportLocked(
  { path, lock, newKey }: OwnFolder,
  options: ExportOptions,
  { log, now }: Pick<Home, 'log' | 'now'>,
): Promise<ExportReport> {
  const began = now();
  const earlier = await earlierExport(path, options);
  const start = await startOf(earlier?.manifest ?? null, options.since, path, log);
  const exportKey = earlier?.exportKey ?? newKey ?? (await keyFor(options));
  const written = await writeExport({ path, lock, exportKey }, start, log, { now, ...options });
  return { folder: path, ...written, ms: now() - began };
}

interface LockedFolder {
  readonly path: string;
  readonly lock: ProcessLock;
  readonly exportKey: ExportKey | null;
}

async function writeExport(
  folder: LockedFolder,
  start: ExportStart,
  log: Log,
  { now, onProgress }: Pick<Home, 'now'> & Pick<ExportOptions, 'onProgress'>,
): Promise<Omit<ExportReport, 'folder' | 'ms'>> {
  const { path, exportKey } = folder;
  const found = (await list(path)).filter((name) => OWN_FILE.test(name));
  const end = log.head().position;
  const total = end - start.from.position;
  const segments = [...start.kept];
  let { blanked, forgettings } = start;
  let head = start.from;
  const blank = new Set<string>();
  onProgress?.(0, total);
  for await (const part of partsOf(start.from, end, log)) {
    segments.push(await writeSegment(path, part, exportKey));
    blanked += part.blank.length;
    forgettings += part.forgettings;
    for (const id of part.blank) blank.add(id);
    head = part.head;
    onProgress?.(head.position - start.from.position, total);
  }
  const events = head.position - start.after.position;
  const earlier = [...new Set([...start.earlier, ...(await earlierForgettings(start.after, blank, log))])];
  const manifest: Manifest = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    logId: log.logId,
    after: start.after,
    head,
    events,
    blanked,
    forgettings,
    ...(earlier.length > 0 && { earlier }),
    writtenAt: new Date(now()).toISOString(),
    segments,
  };
  const names = segments.map(({ name }) => name);
  const content = await manifestContent(manifest, exportKey);
  if (content.length > MANIFEST_BYTES_MAX) {
    await removeAll(path, names, found);
    throw manifestTooLarge(path);
  }
  if (!folder.lock.isOurs()) throw locked(path);
  // The key comes with its manifest: another export may have begun when this one was held for dead.
  if (exportKey !== null) await writeAtomically(join(path, KEY_FILE), exportKey.file);
  const manifestName = exportKey === null ? MANIFEST : `${MANIFEST}${ENCRYPTED}`;
  await writeAtomically(join(path, manifestName), content);
  // An interrupted export left the others, or they hold forgotten text.
  await removeAll(path, found, [manifestName, ...(exportKey === null ? [] : [KEY_FILE]), ...names]);
  return {
    logId: log.logId,
    after: start.after.position,
    head: head.position,
    events,
    written: head.position - start.from.position,
    blanked,
    segments: segments.length,
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    chain: head.chain,
  };
}

/** `memory.forgotten` events from before the export that cover events in it: a merge can put them in this order. */
async function earlierForgettings(
  after: ChainPosition,
  blank: ReadonlySet<string>,
  log: Log,
): Promise<string[]> {
  if (after.position === 0 || blank.size === 0) return [];
  const lines: string[] = [];
  for (const { position, body } of await log.forgettings()) {
    if (position > after.position || !body.events.some(({ ids }) => ids.some((id) => blank.has(id))))
      continue;
    const { events } = await log.exportPage({ after: position - 1, limit: 1 });
    lines.push(...events.map(exportedLine));
  }
  return lines;
}

async function manifestContent(manifest: Manifest, exportKey: ExportKey | null): Promise<Uint8Array> {
  const bytes = Buffer.from(manifestText(manifest));
  return exportKey === null ? bytes : encryptBytes(bytes, exportKey);
}

async function removeAll(path: string, names: readonly string[], kept: readonly string[]): Promise<void> {
  const others = new Set(kept);
  for (const name of names) if (!others.has(name)) await remove(join(path, name));
}

function locked(path: string): AnnalsError {
  return new AnnalsError('EXPORT_LOCKED', `Another process exports into ${path}.`, {
    hint: `Try again when it is done. If no export runs, remove ${join(path, LOCK)}.`,
    facts: { path },
  });
}

function manifestTooLarge(path: string): AnnalsError {
  return new AnnalsError('USAGE', `The manifest of ${path} would be too large to be read.`, {
    hint: 'Name a new folder.',
    facts: { path },
  });
}

/** Turns an error of the file system into an AnnalsError. */
function fileError(error: unknown, path: string): unknown {
  if (isAnnalsError(error) || !(error instanceof Error) || !('code' in error)) return error;
  const full = isDiskFull(error);
  return new AnnalsError(
    full ? 'DISK_FULL' : 'HOME_UNWRITABLE',
    `The export could not be written to ${path}: ${full ? 'the disk is full' : String(error.code)}.`,
    {
      hint: 'The folder still holds what it held before. Name another folder, or make room.',
      facts: { path, system: String(error.code) },
      cause: error,
    },
  );
}
