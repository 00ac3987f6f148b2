// Session starts, titles, continuations, and how a turn broke off.

import {
  idOf,
  type JsonObject,
  objectOf,
  parseTranscriptLine,
  stringOf,
  wholeOf,
} from '../common/json-fields.ts';
import { sanitizeTranscriptText } from '../common/sanitizer.ts';
import {
  eventHeader,
  lineDedupeKey,
  lineFields,
  programFields,
  subagentFields,
  untimedEventHeader,
  workdirFields,
} from './event-fields.ts';
import { shortUuid } from './live-reader-state.ts';
import type { LineReading } from './reading.ts';

/**
 * Emitted for the first line with a uuid of each session in the file, and for each compaction. A sub-agent starts no
 * session.
 */
export function emitStart(reading: LineReading): void {
  const { line, session, uuid, readerState } = reading;
  const compaction = line.type === 'system' && line.subtype === 'compact_boundary';
  if (uuid === null || reading.agentId !== null) return;
  if (readerState.started.has(session) && !compaction) return;
  readerState.started.add(session);
  reading.emit({
    ...eventHeader(reading),
    type: 'session.started',
    dedupeKey: `start:${uuid}`,
    body: {
      source: compaction ? 'compact' : null,
      tokensBefore: compaction ? wholeOf(objectOf(line.compactMetadata)?.preTokens) : null,
      permissionMode: idOf(line.permissionMode),
      ...workdirFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
    },
  });
}

type TitleLine = 'custom-title' | 'ai-title' | 'summary';

/** A title line. The program repeats it often: it is emitted only when it differs from the last one of its source. */
export function emitTitle(reading: LineReading, type: TitleLine): void {
  const { line, readerState, offset, length } = reading;
  // The program may write an ai-title before the line of the prompt it was made from. A title before the first line
  // with a time takes that line's time.
  if (type === 'ai-title' || (type === 'custom-title' && readerState.time === null)) {
    readerState.holdSummary(type, [offset, length]);
    return;
  }
  if (type !== 'summary') {
    emitTitleOf(reading, line, type, [offset, length]);
    return;
  }
  const leaf = idOf(line.leafUuid);
  if (leaf === null) return;
  // A summary may be about another session. It is ours once the line it names has been read here.
  if (readerState.window.has(shortUuid(leaf))) emitTitleOf(reading, line, type, [offset, length]);
  else readerState.holdSummary(shortUuid(leaf), [offset, length]);
}

/** Emits the waiting title of this kind. No uuid can equal its key among the waiting summaries. */
export function emitHeldTitle(reading: LineReading, type: 'ai-title' | 'custom-title'): void {
  emitHeld(reading, type, type);
}

/** Emits the summary that was waiting for this line. */
export function emitSummaryOf(reading: LineReading, leaf: string): void {
  emitHeld(reading, leaf, 'summary');
}

function emitHeld(reading: LineReading, key: string, type: TitleLine): void {
  const location = reading.readerState.summaries.get(key);
  if (location === undefined) return;
  reading.readerState.summaries.delete(key);
  const bytes = reading.world.lineAt(...location);
  const line = bytes === null ? null : parseTranscriptLine(bytes);
  if (line !== null) emitTitleOf(reading, line, type, location);
}

function emitTitleOf(
  reading: LineReading,
  line: JsonObject,
  type: TitleLine,
  location: readonly [number, number],
): void {
  const { readerState, session, world } = reading;
  const title = titleOf(line);
  // Titles that a model wrote may repeat a private turn's words, and even a custom title may be a model's.
  if (title === null || readerState.anyPrivate) return;
  const source = type === 'custom-title' ? 'custom' : type === 'ai-title' ? 'ai' : 'summary';
  const key = `${session} ${source}`;
  const before = readerState.titles.get(key);
  if (before !== undefined) {
    const bytes = world.lineAt(...before);
    if (bytes !== null && titleOf(parseTranscriptLine(bytes) ?? {}) === title) return;
  }
  readerState.titles.set(key, location);
  const clean = sanitizeTranscriptText(world.sanitizer, title, type === 'custom-title' ? 'person' : 'agent');
  if (clean === '') return;
  reading.emit({
    ...untimedEventHeader(reading),
    type: 'session.titled',
    dedupeKey: `${source}:${location[0]}`,
    body: { source, title: clean, offset: location[0] },
  });
}

function titleOf(line: JsonObject): string | null {
  return stringOf(line.customTitle) ?? stringOf(line.aiTitle) ?? stringOf(line.summary);
}

export function emitContinuation(reading: LineReading, into: string | null): void {
  if (into === null || into === reading.session) return;
  reading.emit({
    ...untimedEventHeader(reading),
    type: 'session.continued',
    dedupeKey: into,
    body: { into, offset: reading.offset },
  });
}

/** A turn that broke off, by the person or by an API error. The error is never an answer. */
export function emitStopped(
  reading: LineReading,
  reason: 'interrupted' | 'error',
  error: string | null,
): void {
  if (reading.private) return;
  reading.emit({
    ...eventHeader(reading),
    type: 'agent.stopped',
    dedupeKey: lineDedupeKey(reading),
    body: {
      reason,
      error: error === null ? null : sanitizeTranscriptText(reading.world.sanitizer, error, 'tool'),
      ...workdirFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading),
    },
  });
}
