// Writing the log into a folder, event by event, as lines of JSON that need nothing of ours to be read. Segments
// are written first, each aside and renamed; the manifest that names them is replaced last: so the folder is at
// every moment an export, the earlier one or the later one. What is there already is kept and continued, unless
// something was forgotten since: then all is written anew, because the old segments hold what must be gone.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  AnnalsError,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  isAnnalsError,
  type Log,
  lineOf,
  MANIFEST,
  type Manifest,
  manifestText,
  type Place,
  type Segment,
} from '../../log/index.ts';
import type { ExportOptions, ExportReport } from '../api.ts';
import { writeAtomically } from '../platform/atomic-file.ts';
import { list, makeFolder, remove, stat } from '../platform/files.ts';
import { type ExportFolder, isExport, openExport } from './export-folder.ts';
import { newSeal, type Seal, sealBytes, sealedManifest } from './export-seal.ts';
import type { Opened } from './opened.ts';

/** A segment ends behind the line that brings it here. */
const SEGMENT_BYTES = 8 * 1024 * 1024;
/** The type of event with which bodies go. */
const FORGETTING = 'memory.forgotten';

export async function exportLog(
  folder: string,
  options: ExportOptions,
  { log, now }: Pick<Opened, 'log' | 'now'>,
): Promise<ExportReport> {
  const began = now();
  const path = resolve(folder);
  try {
    const earlier = await earlierExport(path, options);
    const start = await startOf(earlier?.manifest ?? null, options.since, path, log);
    const { passphrase } = options;
    const seal = earlier?.seal ?? (passphrase === undefined ? null : await newSeal(passphrase));
    const written = await writeExport(path, start, log, { now, ...options }, seal);
    return { folder: path, ...written, ms: now() - began };
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Where this call begins to write, and what of the folder is kept. */
interface Start {
  readonly after: Place;
  readonly from: Place;
  readonly kept: readonly Segment[];
  readonly blanked: number;
  readonly forgettings: number;
  readonly earlier: readonly string[];
}

/** What the folder holds; null where it is empty or missing. @throws AnnalsError INPUT_INVALID, PASSPHRASE_WRONG, USAGE */
async function earlierExport(
  path: string,
  { passphrase }: Pick<ExportOptions, 'passphrase'>,
): Promise<ExportFolder | null> {
  const found = await stat(path);
  if (found !== null && found.kind !== 'folder')
    throw new AnnalsError('INPUT_INVALID', `${path} is no folder.`, { facts: { path } });
  if (await isExport(path)) {
    const earlier = await openExport(path, passphrase);
    if (earlier.seal !== null || passphrase === undefined) return earlier;
    throw new AnnalsError('USAGE', `${path} holds an export that is not encrypted.`, {
      hint: 'Name a new folder for one that is, and remove this one when it is there.',
      facts: { path },
    });
  }
  // Segments without a manifest were left by a first export that was stopped.
  if ((await list(path)).every((name) => OWN_FILE.test(name))) return null;
  throw new AnnalsError('INPUT_INVALID', `${path} holds something else than an export.`, {
    hint: 'Name a new folder, an empty one, or an export of this log: that one is continued.',
    facts: { path },
  });
}

async function startOf(
  earlier: Manifest | null,
  since: number | undefined,
  path: string,
  log: Log,
): Promise<Start> {
  if (earlier === null) {
    const place = await placeAt(since ?? 0, log);
    return { after: place, from: place, kept: [], blanked: 0, forgettings: 0, earlier: [] };
  }
  const { logId, after, head, segments, blanked, forgettings } = earlier;
  const lines = earlier.earlier ?? [];
  if (logId !== log.logId || (await log.standing({ logId, ...head })) !== 'held')
    throw new AnnalsError(
      'USAGE',
      `${path} holds the export of another log, or of another course of this one.`,
      {
        hint: 'Name a new folder.',
        facts: { path },
      },
    );
  if (since !== undefined && since > head.position)
    throw new AnnalsError(
      'USAGE',
      `${path} ends at position ${head.position}; events after ${since} would leave a gap.`,
      { hint: `Leave --since out, or give at most ${head.position}.`, facts: { head: head.position, since } },
    );
  if (await isForgetting(head.position, log))
    return { after, from: after, kept: [], blanked: 0, forgettings: 0, earlier: [] };
  return { after, from: head, kept: segments, blanked, forgettings, earlier: lines };
}

/** @throws AnnalsError USAGE when the log does not reach there */
async function placeAt(position: number, log: Log): Promise<Place> {
  const { chain } = (await log.carry({ after: position, limit: 0 })).end;
  return { position, chain };
}

/** Whether something was forgotten after a position. */
async function isForgetting(after: number, log: Log): Promise<boolean> {
  for (let position = after; ; ) {
    const { events, end } = await log.carry({ after: position });
    if (events.length === 0) return false;
    if (events.some(({ header }) => header.type === FORGETTING)) return true;
    position = end.position;
  }
}

async function writeExport(
  path: string,
  start: Start,
  log: Log,
  { now, onProgress }: Pick<Opened, 'now'> & Pick<ExportOptions, 'onProgress'>,
  seal: Seal | null,
): Promise<Omit<ExportReport, 'folder' | 'ms'>> {
  await makeFolder(path);
  const end = log.head().position;
  const total = end - start.from.position;
  const segments = [...start.kept];
  let { blanked, forgettings } = start;
  let head = start.from;
  const blank = new Set<string>();
  onProgress?.(0, total);
  for await (const part of partsOf(start.from, end, log)) {
    segments.push(await writeSegment(path, part, seal));
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
  const said = manifestText(manifest);
  await writeAtomically(join(path, MANIFEST), seal === null ? said : sealedManifest(said, seal));
  await clearOthers(path, segments);
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

/** Lines of what stands before the export and blanked events in it: a log that took the forgetting first has such. */
async function earlierForgettings(after: Place, blank: ReadonlySet<string>, log: Log): Promise<string[]> {
  if (after.position === 0 || blank.size === 0) return [];
  const lines: string[] = [];
  for (const { position, body } of await log.forgettings()) {
    if (position > after.position || !body.events.some(({ ids }) => ids.some((id) => blank.has(id))))
      continue;
    const { events } = await log.carry({ after: position - 1, limit: 1 });
    lines.push(...events.map(lineOf));
  }
  return lines;
}

/** What one segment is to hold. */
interface Part {
  readonly first: number;
  readonly head: Place;
  /** Ids of the events without a body. */
  readonly blank: readonly string[];
  readonly forgettings: number;
  readonly text: string;
}

async function* partsOf(from: Place, end: number, log: Log): AsyncGenerator<Part> {
  let lines: string[] = [];
  let bytes = 0;
  let blank: string[] = [];
  let forgettings = 0;
  let head = from;
  const part = (): Part => {
    const whole = {
      first: head.position - lines.length + 1,
      head,
      blank,
      forgettings,
      text: `${lines.join('\n')}\n`,
    };
    lines = [];
    bytes = 0;
    blank = [];
    forgettings = 0;
    return whole;
  };
  while (head.position < end) {
    const { events } = await log.carry({ after: head.position, limit: Math.min(1_000, end - head.position) });
    for (const event of events) {
      const line = lineOf(event);
      lines.push(line);
      bytes += Buffer.byteLength(line) + 1;
      if (event.body.salt === null) blank.push(event.header.id);
      if (event.header.type === FORGETTING) forgettings += 1;
      head = { position: event.position, chain: Buffer.from(event.chain, 'latin1').toString('hex') };
      if (bytes >= SEGMENT_BYTES) yield part();
    }
  }
  if (lines.length > 0) yield part();
}

/** The name holds the beginning of the hash: a segment that is written anew never takes an older one's place. */
async function writeSegment(path: string, { first, head, text }: Part, seal: Seal | null): Promise<Segment> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const content = seal === null ? text : sealBytes(Buffer.from(text), 'segment', seal);
  // Of an encrypted one the hash of what stands there: that of the text would tell whether it is a text one knows.
  const shown = seal === null ? sha256 : createHash('sha256').update(content).digest('hex');
  const name = `events-${String(first).padStart(12, '0')}-${shown.slice(0, 8)}.jsonl${seal === null ? '' : '.sealed'}`;
  await writeAtomically(join(path, name), content);
  return {
    name,
    first,
    last: head.position,
    events: head.position - first + 1,
    bytes: Buffer.byteLength(text),
    sha256,
    chain: head.chain,
  };
}

/** What the manifest does not name was left by an export that was stopped, or held what was forgotten since. */
async function clearOthers(path: string, segments: readonly Segment[]): Promise<void> {
  const named = new Set(segments.map(({ name }) => name));
  for (const name of await list(path))
    if (OWN_FILE.test(name) && name !== MANIFEST && !named.has(name)) await remove(join(path, name));
}

const OWN_FILE = /^(events-\d{12}-[0-9a-f]{8}\.jsonl(\.sealed)?|manifest\.json)(\.[0-9a-f]{12}\.tmp)?$/;

/** What the file system says, as an error of ours. */
function fileError(error: unknown, path: string): unknown {
  if (isAnnalsError(error) || !(error instanceof Error) || !('code' in error)) return error;
  const full = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  return new AnnalsError(
    full ? 'DISK_FULL' : 'HOME_UNWRITABLE',
    `The export could not be written to ${path}: ${full ? 'the disk is full' : String(error.code)}.`,
    {
      hint: 'What stood there before still stands. Name another folder, or make room.',
      facts: { path, system: String(error.code) },
      cause: error,
    },
  );
}
