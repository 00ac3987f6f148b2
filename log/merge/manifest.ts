// The manifest of an export: `manifest.json` beside its segments, replaced atomically after they are on disk. A reader
// checks all of it against the segments.
//
//   {"format":"annals-export","version":1,"logId","after":{"position","chain"},"head":{"position","chain"},
//    "events","blanked","forgettings","earlier"?,"writtenAt","segments":[{"name","first","last","events","bytes","sha256","chain"}]}
//
// `earlier` holds the lines of forgettings from before `after` that blanked some of the export's events.
// `after` is the point where the export begins: position 0 for a whole log. A segment's `chain` is that after its last event.
import { AnnalsError } from '../errors.ts';
import { type BinaryHash, fromHex, genesis, hexOf } from '../format/record.ts';
import { EVENT_JSON_LIMITS, parseJson } from '../parse-json.ts';

export const MANIFEST = 'manifest.json';
/** About 115,000 segments. An export refuses to write a larger one, which nobody would read. */
export const MANIFEST_BYTES_MAX = 32 * 1024 * 1024;
export const EXPORT_FORMAT = 'annals-export';
/** Raised when older versions can no longer read an export. */
export const EXPORT_VERSION = 1;

export interface Segment {
  /** Name of the file beside the manifest. */
  readonly name: string;
  /** Positions. */
  readonly first: number;
  readonly last: number;
  readonly events: number;
  readonly bytes: number;
  /** Hex, over the file's bytes. */
  readonly sha256: string;
  /** Hex, after the last event. */
  readonly chain: string;
}

export interface ChainPosition {
  readonly position: number;
  /** Hex. */
  readonly chain: string;
}

export interface Manifest {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: number;
  readonly logId: string;
  readonly after: ChainPosition;
  readonly head: ChainPosition;
  readonly events: number;
  /** How many of the events were forgotten: their bodies are gone. */
  readonly blanked: number;
  /** How many of the events are `memory.forgotten`. */
  readonly forgettings: number;
  /** Lines of forgettings from before the beginning of the export that explain some of its blanked events. */
  readonly earlier?: readonly string[];
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly segments: readonly Segment[];
}

/** Whether a text is the manifest of an export, even a damaged one. */
export function isManifest(text: string): boolean {
  return text.includes(`"${EXPORT_FORMAT}"`);
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** The chain before a segment's first event. */
export function chainBefore({ after, segments }: Manifest, { first }: Segment): BinaryHash {
  return fromHex(segments.find(({ last }) => last === first - 1)?.chain ?? after.chain);
}

/** @throws AnnalsError EXPORT_DAMAGED, LOG_TOO_NEW */
export function parseManifest(text: string, path: string): Manifest {
  const manifest = parse(text);
  if (manifest === null) throw damaged(path, 'it is not the manifest of an export');
  const { version } = manifest;
  if (typeof version === 'number' && version > EXPORT_VERSION)
    throw new AnnalsError(
      'LOG_TOO_NEW',
      `The export has version ${version}; this version of annals reads exports up to ${EXPORT_VERSION}.`,
      { hint: 'Update annals.', facts: { version, reader: EXPORT_VERSION } },
    );
  const problem = problemOf(manifest);
  if (problem !== null) throw damaged(path, problem);
  return manifest as unknown as Manifest;
}

function problemOf(manifest: Readonly<Record<string, unknown>>): string | null {
  const { format, version, logId, after, head, events, blanked, forgettings, segments } = manifest;
  if (format !== EXPORT_FORMAT || version !== EXPORT_VERSION) return 'it is not the manifest of an export';
  if (
    typeof logId !== 'string' ||
    !isChainPosition(after) ||
    !isChainPosition(head) ||
    ![events, blanked, forgettings].every(isCount)
  )
    return 'a field is missing or has the wrong form';
  if (!Array.isArray(segments) || !segments.every(isSegment))
    return 'the description of a segment has the wrong form';
  const { earlier = [] } = manifest;
  if (!Array.isArray(earlier) || !earlier.every((line) => typeof line === 'string'))
    return 'a field is missing or has the wrong form';
  if (after.position === 0 && earlier.length > 0)
    return 'it names events from before the beginning of the log';
  if (after.position === 0 && after.chain !== hexOf(genesis(logId)))
    return 'its chain does not begin with the chain of its log';
  let position = after.position;
  let chain = after.chain;
  for (const segment of segments) {
    if (segment.first !== position + 1 || segment.last < segment.first)
      return `${segment.name} does not follow the segment before it`;
    if (segment.events !== segment.last - segment.first + 1)
      return `${segment.name} has a wrong count of events`;
    position = segment.last;
    chain = segment.chain;
  }
  if (position !== head.position || chain !== head.chain) return 'its segments do not end at its head';
  return events === head.position - after.position
    ? null
    : 'its segments do not contain the stated number of events';
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = parseJson(text, EVENT_JSON_LIMITS);
  if ('problem' in parsed) return null;
  const { value } = parsed;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function isSegment(value: unknown): value is Segment {
  if (typeof value !== 'object' || value === null) return false;
  const { name, first, last, events, bytes, sha256, chain } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    /^[\w-]+(\.[\w-]+)*$/.test(name) &&
    [first, last, events, bytes].every(isCount) &&
    typeof sha256 === 'string' &&
    typeof chain === 'string'
  );
}

function isChainPosition(value: unknown): value is ChainPosition {
  if (typeof value !== 'object' || value === null) return false;
  const { position, chain } = value as Record<string, unknown>;
  return isCount(position) && typeof chain === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function damaged(path: string, what: string): AnnalsError {
  return new AnnalsError('EXPORT_DAMAGED', `The export is damaged: ${path}: ${what}.`, {
    hint: 'Nothing was imported. Use another copy of the export.',
    facts: { path },
  });
}
