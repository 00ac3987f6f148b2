// Exports the log into a folder as lines of JSON that can be read without Annals. Segments are written first, each to a
// temporary file that is then renamed; the manifest that names them is replaced last. So at every moment the folder is an
// export, either the earlier or the later one. An existing export is kept and continued, unless something was forgotten
// since then: in that case all segments are written again, because the old ones hold the forgotten text.
import { join, resolve } from 'node:path';
import {
  AnnalsError,
  type ChainPosition,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  exportedLine,
  isAnnalsError,
  type Log,
  MANIFEST,
  type Manifest,
  manifestText,
} from '../../log/index.ts';
import type { ExportOptions, ExportReport } from '../api.ts';
import type { Home } from '../home/home.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { list, makeFolder, remove } from '../platform/disk-files.ts';
import { ENCRYPTED, type ExportKey, encryptBytes, KEY_FILE, newExportKey } from './export-encryption.ts';
import { OWN_FILE, partsOf, writeSegment } from './export-segments.ts';
import { type ExportStart, earlierExport, startOf } from './export-start.ts';

export async function exportLog(
  folder: string,
  options: ExportOptions,
  { log, now }: Pick<Home, 'log' | 'now'>,
): Promise<ExportReport> {
  const began = now();
  const path = resolve(folder);
  try {
    const earlier = await earlierExport(path, options);
    const start = await startOf(earlier?.manifest ?? null, options.since, path, log);
    const { passphrase } = options;
    const exportKey =
      earlier?.exportKey ?? (passphrase === undefined ? null : await newExportKey(passphrase));
    const written = await writeExport(path, start, log, { now, ...options }, exportKey);
    return { folder: path, ...written, ms: now() - began };
  } catch (error) {
    throw fileError(error, path);
  }
}

async function writeExport(
  path: string,
  start: ExportStart,
  log: Log,
  { now, onProgress }: Pick<Home, 'now'> & Pick<ExportOptions, 'onProgress'>,
  exportKey: ExportKey | null,
): Promise<Omit<ExportReport, 'folder' | 'ms'>> {
  await makeFolder(path);
  if (exportKey !== null) await writeAtomically(join(path, KEY_FILE), exportKey.file);
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
  const text = manifestText(manifest);
  const manifestName = exportKey === null ? MANIFEST : `${MANIFEST}${ENCRYPTED}`;
  const content = exportKey === null ? text : await encryptBytes(Buffer.from(text), exportKey);
  await writeAtomically(join(path, manifestName), content);
  await clearOthers(path, [
    manifestName,
    ...(exportKey === null ? [] : [KEY_FILE]),
    ...segments.map(({ name }) => name),
  ]);
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

/** Removes files that are not part of the export: an interrupted one left them, or they hold forgotten text. */
async function clearOthers(path: string, names: readonly string[]): Promise<void> {
  const kept = new Set(names);
  for (const name of await list(path))
    if (OWN_FILE.test(name) && !kept.has(name)) await remove(join(path, name));
}

/** Turns an error of the file system into an AnnalsError. */
function fileError(error: unknown, path: string): unknown {
  if (isAnnalsError(error) || !(error instanceof Error) || !('code' in error)) return error;
  const full = error.code === 'ENOSPC' || error.code === 'EDQUOT';
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
