// Reads an export: a folder with a manifest and segments. Before anything is imported, every segment is checked against
// the manifest and every line against its chain, so that an error names the segment and the line, and a damaged export
// is never partly imported.
import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import {
  AnnalsError,
  chainBefore,
  ExportCheck,
  type ExportedEvent,
  isManifest,
  linkProblem,
  loadCatalog,
  MANIFEST,
  MANIFEST_BYTES_MAX,
  type Manifest,
  parseExportedLine,
  parseManifest,
  type Segment,
} from '../../log/index.ts';
import type { Passphrase } from '../api.ts';
import { stat } from '../platform/disk-files.ts';
import { type RegularFile, readRegularChunks, readRegularFile } from '../platform/regular-file.ts';
import {
  damaged as damagedFile,
  decryptBytes,
  ENCRYPTED,
  type ExportKey,
  openExportKey,
} from './export-encryption.ts';

const EVENTS_PER_READ = 1_000;
const BYTES_PER_READ = 4 * 1024 * 1024;
/** Far above any event that is written; a longer line is not ours, and might not fit into a string. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
/** What encryption adds to `bytes`: a header, and a tag for each 64 KiB. */
const encryptionBytesMax = (bytes: number) => 1024 + bytes / 1024;

export interface ExportFolder {
  /** Absolute. */
  readonly path: string;
  readonly manifest: Manifest;
  /** The key of an encrypted export; null if it is not encrypted. */
  readonly exportKey: ExportKey | null;
}

export interface ReadingOptions {
  /** Bytes read, and bytes to read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Whether a folder is an export, even a damaged one. */
export async function isExport(path: string): Promise<boolean> {
  const { read, encrypted } = readManifest(path);
  return 'bytes' in read && (encrypted || isManifest(read.bytes.toString('utf8')));
}

/** An encrypted manifest wins, so that a readable one beside it cannot take its place. */
function readManifest(folder: string): { file: string; encrypted: boolean; read: RegularFile } {
  const file = join(folder, MANIFEST);
  const options = { bytesMax: MANIFEST_BYTES_MAX };
  const read = readRegularFile(`${file}${ENCRYPTED}`, options);
  if ('why' in read && isMissing(read))
    return { file, encrypted: false, read: readRegularFile(file, options) };
  return { file: `${file}${ENCRYPTED}`, encrypted: true, read };
}

function isMissing({ code }: { readonly code: string }): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** @throws AnnalsError INPUT_UNREADABLE (not an export), PASSPHRASE_WRONG, EXPORT_DAMAGED, LOG_TOO_NEW */
export async function openExport(path: string, passphrase?: Passphrase): Promise<ExportFolder> {
  const { file, encrypted, read } = readManifest(path);
  if ('why' in read) {
    const why = isMissing(read) ? `it holds no ${MANIFEST}` : `its ${basename(file)} ${read.why}`;
    throw new AnnalsError('INPUT_UNREADABLE', `${path} is not an export: ${why}.`, {
      hint: '`annals export <folder>` makes one.',
      facts: { path },
    });
  }
  const exportKey = encrypted ? await openExportKey(path, passphrase) : null;
  const bytes = exportKey === null ? read.bytes : await decryptBytes(read.bytes, exportKey);
  if (bytes === null) throw damagedFile(file, 'its encrypted content was changed');
  return { path: resolve(path), manifest: parseManifest(bytes.toString('utf8'), file), exportKey };
}

/**
 * Checks every segment against the manifest, and the format of every line. Returns what only the whole export shows:
 * what was forgotten, and whether each missing body was forgotten.
 * @throws AnnalsError EXPORT_DAMAGED with the segment and, if known, the line; LOG_TOO_NEW
 */
export async function checkExport(
  folder: ExportFolder,
  { onProgress }: ReadingOptions = {},
): Promise<ExportCheck> {
  const total = bytesOf(folder);
  const check = new ExportCheck(await loadCatalog());
  for (const [index, line] of (folder.manifest.earlier ?? []).entries()) {
    const problem = earlierProblem(line, check);
    if (problem !== null)
      throw damaged({ name: MANIFEST }, null, `earlier forgetting ${index + 1}: ${problem}`);
  }
  let done = 0;
  for (const segment of folder.manifest.segments) {
    const found = await stat(join(folder.path, segment.name));
    if (found?.kind !== 'file')
      throw damaged(segment, null, found === null ? 'it is missing' : 'it is not a file');
    const hash = createHash('sha256');
    let bytes = 0;
    const onChunk = (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      done += chunk.length;
      onProgress?.(done, total);
    };
    // Check lines before the hash: the number of a bad line says more than that some byte differs.
    for await (const page of segmentEvents(folder, segment, onChunk))
      for (const event of page) {
        const problem = check.problemOf(event, event);
        if (problem !== null) throw damaged(segment, event.position - segment.first + 1, problem);
      }
    if (bytes !== segment.bytes || hash.digest('hex') !== segment.sha256)
      throw damaged(segment, null, `its ${bytes} bytes differ from the ${segment.bytes} bytes written`);
  }
  return check;
}

/** Checks an event of before the export. Its chain cannot be checked without the line before it; its id and body can. */
function earlierProblem(line: string, check: ExportCheck): string | null {
  const event = parseExportedLine(line);
  if (typeof event === 'string') return event;
  return (
    check.problemOf(event, event) ??
    (check.forgettings.at(-1) === event ? null : 'it is not a memory.forgotten event')
  );
}

/** For a log that must be complete by itself. @throws AnnalsError EXPORT_DAMAGED: a body is missing and was not forgotten */
export function refuseUnnamed({ manifest }: ExportFolder, check: ExportCheck): void {
  const position = check.firstUnnamed();
  if (position === null) return;
  const segment = manifest.segments.find(({ last }) => last >= position)!;
  throw damaged(
    segment,
    position - segment.first + 1,
    'its body is missing, and no event says that it was forgotten',
  );
}

/**
 * All events in order, in pages, each line checked.
 * @throws AnnalsError EXPORT_DAMAGED
 */
export async function* eventsOfExport(
  folder: ExportFolder,
  { onProgress }: ReadingOptions = {},
): AsyncGenerator<readonly ExportedEvent[]> {
  const total = bytesOf(folder);
  let done = 0;
  const onChunk = ({ length }: Buffer) => {
    done += length;
    onProgress?.(done, total);
  };
  for (const segment of folder.manifest.segments) yield* segmentEvents(folder, segment, onChunk);
}

async function* segmentEvents(
  folder: ExportFolder,
  segment: Segment,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<readonly ExportedEvent[]> {
  let events: ExportedEvent[] = [];
  let line = 0;
  let pageBytes = 0;
  let chain = chainBefore(folder.manifest, segment);
  for await (const text of lines(folder, segment, onChunk)) {
    line += 1;
    const event = parseExportedLine(text);
    if (typeof event === 'string') throw damaged(segment, line, event);
    if (event.position !== segment.first + line - 1)
      throw damaged(
        segment,
        line,
        `event ${event.position} is in the place of event ${segment.first + line - 1}`,
      );
    const problem = linkProblem(event, chain);
    if (problem !== null) throw damaged(segment, line, problem);
    chain = event.chain;
    events.push(event);
    pageBytes += text.length;
    if (events.length < EVENTS_PER_READ && pageBytes < BYTES_PER_READ) continue;
    yield events;
    events = [];
    pageBytes = 0;
  }
  if (line !== segment.events)
    throw damaged(segment, line + 1, `it ends after ${line} of ${segment.events} events`);
  if (events.length > 0) yield events;
}

/** Lines without their line ends; a last line without an end counts. @throws AnnalsError EXPORT_DAMAGED */
async function* lines(
  folder: ExportFolder,
  segment: Segment,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<string> {
  // Joined once, at the end of the line: a long line comes in many chunks.
  let parts: Buffer[] = [];
  let bytes = 0;
  let line = 1;
  const takeLine = (): string => {
    const text = parts.length === 1 ? parts[0]!.toString('utf8') : Buffer.concat(parts).toString('utf8');
    parts = [];
    bytes = 0;
    line += 1;
    return text;
  };
  const take = (part: Buffer): void => {
    parts.push(part);
    bytes += part.length;
    if (bytes > LINE_BYTES_MAX)
      throw damaged(segment, line, `the line is longer than ${LINE_BYTES_MAX} bytes`);
  };
  for await (const chunk of contentOf(folder, segment)) {
    onChunk(chunk);
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      yield takeLine();
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (bytes > 0) yield takeLine();
}

/** The content of a segment. An encrypted one is decrypted completely before any of it is used. @throws AnnalsError EXPORT_DAMAGED */
async function* contentOf({ path, exportKey }: ExportFolder, segment: Segment): AsyncIterable<Buffer> {
  const file = join(path, segment.name);
  if (exportKey === null) return yield* readRegularChunks(file);
  const encrypted = readRegularFile(file, { bytesMax: segment.bytes + encryptionBytesMax(segment.bytes) });
  const decrypted = 'bytes' in encrypted ? await decryptBytes(encrypted.bytes, exportKey) : null;
  if (decrypted === null) throw damaged(segment, null, 'its encrypted content was changed');
  yield decrypted;
}

function bytesOf({ manifest }: ExportFolder): number {
  return manifest.segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

function damaged(segment: Pick<Segment, 'name'>, line: number | null, what: string): AnnalsError {
  const where = line === null ? segment.name : `${segment.name}, line ${line}`;
  return new AnnalsError('EXPORT_DAMAGED', `The export is damaged: ${where}: ${what}.`, {
    hint: 'Nothing was imported from it. Use another copy of the export.',
    facts: { segment: segment.name, line },
  });
}
