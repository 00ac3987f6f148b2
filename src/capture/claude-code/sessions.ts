// A session's beginnings, its titles, where it goes on, and how a turn broke off.
import {
  factOf,
  lineFields,
  placeFields,
  programFields,
  subagentFields,
  told,
  toldByPlace,
} from './fields.ts';
import { idOf, type JsonObject, objectOf, parseLine, stringOf, wholeOf } from './line.ts';
import type { Reading } from './reading.ts';
import { sanitizeText } from './sanitize.ts';
import { lineKey } from './standing.ts';

/** The first line with a uuid of each session in the file, and each compaction. A sub-agent starts no session. */
export function tellStart(reading: Reading): void {
  const { line, session, uuid, standing } = reading;
  const compaction = line.type === 'system' && line.subtype === 'compact_boundary';
  if (uuid === null || reading.agentId !== null) return;
  if (standing.started.has(session) && !compaction) return;
  standing.started.add(session);
  reading.tell({
    ...told(reading),
    type: 'session.started',
    fact: `start:${uuid}`,
    body: {
      source: compaction ? 'compact' : null,
      tokensBefore: compaction ? wholeOf(objectOf(line.compactMetadata)?.preTokens) : null,
      permissionMode: idOf(line.permissionMode),
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
    },
  });
}

type TitleLine = 'custom-title' | 'ai-title' | 'summary';

/** A title line. It is repeated all the time: told only when it differs from the last one of its source. */
export function tellTitle(reading: Reading, type: TitleLine): void {
  const { line, standing, offset, length } = reading;
  // The program may write an ai-title before the line of the prompt that it was made of. A title in front of the
  // first line with a time is dated by that line.
  if (type === 'ai-title' || (type === 'custom-title' && standing.time === null)) {
    standing.holdSummary(type, [offset, length]);
    return;
  }
  if (type !== 'summary') {
    tellTitleOf(reading, line, type, [offset, length]);
    return;
  }
  const leaf = idOf(line.leafUuid);
  if (leaf === null) return;
  // A summary may speak of another session: it is ours once the line it names has been read here.
  if (standing.window.has(lineKey(leaf))) tellTitleOf(reading, line, type, [offset, length]);
  else standing.holdSummary(lineKey(leaf), [offset, length]);
}

/** The title of this kind that was waiting. Among the summaries that wait for a line no uuid looks like its key. */
export function tellHeldTitle(reading: Reading, type: 'ai-title' | 'custom-title'): void {
  tellHeld(reading, type, type);
}

/** The summary that was waiting for this line. */
export function tellSummaryOf(reading: Reading, leaf: string): void {
  tellHeld(reading, leaf, 'summary');
}

function tellHeld(reading: Reading, key: string, type: TitleLine): void {
  const place = reading.standing.summaries.get(key);
  if (place === undefined) return;
  reading.standing.summaries.delete(key);
  const bytes = reading.world.lineAt(...place);
  const line = bytes === null ? null : parseLine(bytes);
  if (line !== null) tellTitleOf(reading, line, type, place);
}

function tellTitleOf(
  reading: Reading,
  line: JsonObject,
  type: TitleLine,
  place: readonly [number, number],
): void {
  const { standing, session, world } = reading;
  const title = titleOf(line);
  // Titles that a model wrote may repeat a private turn's words, and a name that was given may be a model's too.
  if (title === null || standing.anyPrivate) return;
  const source = type === 'custom-title' ? 'custom' : type === 'ai-title' ? 'ai' : 'summary';
  const key = `${session} ${source}`;
  const before = standing.titles.get(key);
  if (before !== undefined) {
    const bytes = world.lineAt(...before);
    if (bytes !== null && titleOf(parseLine(bytes) ?? {}) === title) return;
  }
  standing.titles.set(key, place);
  const clean = sanitizeText(world.sanitizer, title, type === 'custom-title' ? 'person' : 'agent');
  if (clean === '') return;
  reading.tell({
    ...toldByPlace(reading),
    type: 'session.titled',
    fact: `${source}:${place[0]}`,
    body: { source, title: clean, offset: place[0] },
  });
}

function titleOf(line: JsonObject): string | null {
  return stringOf(line.customTitle) ?? stringOf(line.aiTitle) ?? stringOf(line.summary);
}

export function tellContinuation(reading: Reading): void {
  const into = idOf(reading.line.continuedInSessionId);
  if (into === null || into === reading.session) return;
  reading.tell({
    ...toldByPlace(reading),
    type: 'session.continued',
    fact: into,
    body: { into, offset: reading.offset },
  });
}

/** A turn that broke off: by the person, or by an error of the API. The error is never an answer. */
export function tellStopped(reading: Reading, reason: 'interrupted' | 'error', error: string | null): void {
  if (reading.private) return;
  reading.tell({
    ...told(reading),
    type: 'agent.stopped',
    fact: factOf(reading),
    body: {
      reason,
      error: error === null ? null : sanitizeText(reading.world.sanitizer, error, 'tool'),
      ...placeFields(reading),
      ...lineFields(reading),
      ...subagentFields(reading),
    },
  });
}
