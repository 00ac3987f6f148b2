// Opens a transcript whose agent has a format of records. A file that is compressed, or that its agent rewrites, is read
// as a whole whenever it has changed: its events have ids of their own, so those that are known are stored once.
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { type LogEvent, pagesAfter } from '../../../log/index.ts';
import { hasMark } from '../../capture/private/private-marks.ts';
import type { PrivatePrompts } from '../../capture/private/private-prompts.ts';
import { redactText } from '../../capture/redact/index.ts';
import { Unusable } from '../../capture/transcripts/discover.ts';
import { type LinePage, lineIn, linePages } from '../../capture/transcripts/line-pages.ts';
import { type Line, linesOf } from '../../capture/transcripts/line-splitter.ts';
import { parseTranscriptLine } from './json-fields.ts';
import { readRecords } from './record-reader.ts';
import { freshState, type RecordState } from './record-state.ts';
import type { SessionRecord, TranscriptFormat } from './records.ts';
import type {
  OpenedTranscript,
  OpenTranscript,
  TranscriptReader,
  TranscriptRun,
} from './transcript-reader.ts';

type RunLog = TranscriptRun['log'];

/** 256 MiB. Decompressed rollouts of days of work have 50. */
const WHOLE_BYTES_MAX = 256 * 1024 * 1024;
/** The first lines hold the first session record. */
const HEAD_BYTES = 1024 * 1024;

/** @throws the file's error; Unusable for a file that is too large or cannot be decoded */
export function openRecords(agent: string, format: TranscriptFormat): OpenTranscript {
  return async (path, file, run): Promise<OpenedTranscript> => {
    const isWhole = format.form === 'document' || format.decode !== undefined;
    const whole = isWhole ? await readWhole(file, format) : null;
    const head = whole?.lines ?? (await firstLines(file));
    const start = startIn(head, format, path);
    const launcher = start?.parentSession ?? null;
    const mainSessionOf = (session: string) => run.subagents.mainSessionOf(agent, session);
    if (start !== null && launcher !== null) {
      run.subagents.add(agent, start);
      if (!run.subagents.areDue) return { heldBack: 'the files of sessions come first', isPostponed: true };
      const session = mainSessionOf(launcher);
      if (!(await isKnown(agent, session, run.log)))
        return { heldBack: 'its session is not known, and a private turn may have launched it' };
      if (await hasPrivateTurn(agent, session, run.log, run.privatePrompts))
        return {
          heldBack: 'its session has a private turn, and nothing shows that a public turn launched it',
        };
    }
    const fallbackSession = redactText(basename(path).replace(/\.jsonl?(?:\.zst)?$/, '')) || null;
    if (format.unlessHooked === true && (await areHooked(agent, fallbackSession, run.log)))
      return { heldBack: 'hooks reported its session, and nothing shows which of its lines they reported' };
    const fresh = freshState(format);
    const size = Number((await file.stat({ bigint: true })).size);
    const world = {
      agent,
      format,
      path,
      sanitizer: run.sanitizer,
      fallbackSession,
      mainSessionOf,
      privatePrompts: run.privatePrompts,
      lineAt:
        whole === null
          ? lineIn(file)
          : (offset: number) => whole.lines.find((line) => line.offset === offset)?.bytes ?? null,
    };
    const reader: TranscriptReader<RecordState> = {
      fresh: { ...fresh, whole: whole?.version ?? null },
      isOutdated: (state) => state.whole !== (whole?.version ?? null),
      pages: (state) =>
        whole === null
          ? linePages(file, state.offset, size)
          : onePage(state === reader.fresh ? whole.lines : [], size),
      read: (state, lines) => {
        const read = readRecords(state, lines, world);
        return whole === null ? read : { ...read, state: { ...read.state, offset: size, tail: null } };
      },
      openToolUses: ({ open }) =>
        open.flatMap((one) => (one.side === 'call' && !one.private ? [one.id] : [])),
      ended: () => undefined,
    };
    return { reader: reader as unknown as TranscriptReader };
  };
}

async function* onePage(lines: readonly Line[], readTo: number): AsyncGenerator<LinePage> {
  yield { lines, readTo };
}

interface Whole {
  readonly lines: readonly Line[];
  /** Names the bytes that were read. */
  readonly version: string;
}

async function readWhole(file: FileHandle, format: TranscriptFormat): Promise<Whole> {
  const { size, mtimeNs } = await file.stat({ bigint: true });
  if (size > WHOLE_BYTES_MAX) throw new Unusable(`is larger than ${WHOLE_BYTES_MAX / 2 ** 20} MiB`);
  const bytes = Buffer.alloc(Number(size));
  await file.read(bytes, 0, bytes.length, 0);
  let text: Uint8Array = bytes;
  try {
    text = format.decode?.(bytes) ?? bytes;
  } catch {
    throw new Unusable('could not be decoded');
  }
  const lines =
    format.form === 'document'
      ? [{ offset: 0, length: text.length, bytes: text, ended: true }]
      : linesOf(text);
  return { lines, version: `${size} ${mtimeNs}` };
}

async function firstLines(file: FileHandle): Promise<readonly Line[]> {
  for await (const { lines } of linePages(file, 0, HEAD_BYTES)) return lines;
  return [];
}

function startIn(lines: readonly Line[], format: TranscriptFormat, path: string): SessionRecord | null {
  let { memory } = format;
  for (const { bytes, offset } of lines.slice(0, 20)) {
    const parsed = bytes === null ? null : parseTranscriptLine(bytes);
    if (parsed === null) continue;
    const read = format.records(parsed, memory, { offset, path });
    memory = read.memory;
    const session = read.records.find((one): one is SessionRecord => one.kind === 'session');
    if (session !== undefined) return session;
  }
  return null;
}

/** Whether an event of the session came from a hook. */
async function areHooked(agent: string, session: string | null, log: RunLog): Promise<boolean> {
  return session !== null && (await hasEvent(agent, session, log, ({ channel }) => channel === 'hook'));
}

/** Whether the log has the session itself, and not only what its sub-agents did. */
function isKnown(agent: string, session: string, log: RunLog): Promise<boolean> {
  return hasEvent(
    agent,
    session,
    log,
    ({ type }) => type === 'session.started' || type === 'prompt.submitted',
  );
}

async function hasEvent(
  agent: string,
  session: string,
  log: RunLog,
  isWanted: (event: LogEvent) => boolean,
): Promise<boolean> {
  for await (const { events } of pagesAfter(0, (after) => log.pageBySession({ agent, session, after })))
    if (events.some((event) => 'channel' in event && isWanted(event))) return true;
  return false;
}

async function hasPrivateTurn(
  agent: string,
  session: string,
  log: RunLog,
  known: PrivatePrompts,
): Promise<boolean> {
  return known.firstOf(agent, session) !== null || (await hasMark(log, { agent, session }));
}
