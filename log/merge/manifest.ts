// What an export says about itself: `manifest.json` beside its segments, replaced as a whole after they are on
// disk. A reader believes nothing that the segments do not bear out.
//
//   {"format":"annals-export","version":1,"logId","after":{"position","chain"},"head":{"position","chain"},
//    "events","blanked","forgettings","earlier"?,"writtenAt","segments":[{"name","first","last","events","bytes","sha256","chain"}]}
//
// `earlier` holds the lines of forgettings from before `after` that blanked some of its events.
// `after` is where the export begins: position 0 for a whole log. Each segment's `chain` stands after its last event.
import { AnnalsError } from '../errors.ts';
import { type BinaryHash, fromHex, genesis, hexOf } from '../format/record.ts';
import { EVENT_JSON_LIMITS, parseJson } from '../parse-json.ts';

export const MANIFEST = 'manifest.json';
export const EXPORT_FORMAT = 'annals-export';
/** Raised when an older version could not read an export any more. */
export const EXPORT_VERSION = 1;

export interface Segment {
  /** Name of the file beside the manifest. */
  readonly name: string;
  /** Positions. */
  readonly first: number;
  readonly last: number;
  readonly events: number;
  readonly bytes: number;
  /** Hex, over the file as it stands. */
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
  /** How many of them were forgotten: their bodies are gone. */
  readonly blanked: number;
  /** How many of them say that something was forgotten. */
  readonly forgettings: number;
  /** Lines of forgettings from before the export begins, without which its blanked events could not be told. */
  readonly earlier?: readonly string[];
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly segments: readonly Segment[];
}

/** Whether a text is the manifest of an export, however damaged the rest of it may be. */
export function isManifest(text: string): boolean {
  return text.includes(`"${EXPORT_FORMAT}"`);
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/** The chain that a segment's first event stands behind. */
export function chainBefore({ after, segments }: Manifest, { first }: Segment): BinaryHash {
  return fromHex(segments.find(({ last }) => last === first - 1)?.chain ?? after.chain);
}

/** @throws AnnalsError EXPORT_DAMAGED, LOG_TOO_NEW */
export function parseManifest(text: string, path: string): Manifest {
  const manifest = parse(text);
  if (manifest === null) throw damaged(path, 'it is no manifest of an export');
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
  if (format !== EXPORT_FORMAT || version !== EXPORT_VERSION) return 'it is no manifest of an export';
  if (
    typeof logId !== 'string' ||
    !isChainPosition(after) ||
    !isChainPosition(head) ||
    ![events, blanked, forgettings].every(isCount)
  )
    return 'a field is missing or has a wrong form';
  if (!Array.isArray(segments) || !segments.every(isSegment))
    return 'a segment is not described as it must be';
  const { earlier = [] } = manifest;
  if (!Array.isArray(earlier) || !earlier.every((line) => typeof line === 'string'))
    return 'a field is missing or has a wrong form';
  if (after.position === 0 && earlier.length > 0) return 'nothing stands before the beginning of a log';
  if (after.position === 0 && after.chain !== hexOf(genesis(logId)))
    return 'it does not begin where its log begins';
  let position = after.position;
  let chain = after.chain;
  for (const segment of segments) {
    if (segment.first !== position + 1 || segment.last < segment.first)
      return `${segment.name} does not follow the segment before it`;
    if (segment.events !== segment.last - segment.first + 1) return `${segment.name} is not counted right`;
    position = segment.last;
    chain = segment.chain;
  }
  if (position !== head.position || chain !== head.chain)
    return 'its segments do not end where it says it ends';
  return events === head.position - after.position
    ? null
    : 'its segments do not hold as many events as it says';
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
    hint: 'Nothing was taken from it. Use another copy of the export.',
    facts: { path },
  });
}
