// Joins each tool_use with its tool_result, whichever comes first. The side seen first is remembered by its location in
// the file and read again when the other comes. So a cursor holds no text, and a half-written file emits nothing that
// would have to be taken back.
import type { Json } from '../../../log/index.ts';
import {
  contentBlocks,
  idOf,
  type JsonObject,
  objectOf,
  parseTranscriptLine,
  stringOf,
  timeOf,
  usageOf,
  wholeOf,
} from '../common/json-fields.ts';
import { sanitizeTranscriptText } from '../common/sanitizer.ts';
import { detailOf } from '../common/tool-detail.ts';
import { agentReport, launchedTasks, resultText } from '../common/tool-result.ts';
import { embeddedLine } from './agent-progress.ts';
import { namesPrivateTask } from './agent-run.ts';
import { eventHeader, lineFields, programFields, subagentFields, workdirFields } from './event-fields.ts';
import type { OpenSide } from './reader-state.ts';
import type { LineReading } from './reading.ts';

/** The result's side of a tool use. */
interface ResultLine {
  readonly line: JsonObject;
  readonly block: JsonObject;
  readonly offset: number;
}

/** Tools that ask the person a question. Their use becomes an event at once, not only when it is answered. */
const ASKS_PERSON = new Set(['AskUserQuestion', 'ExitPlanMode']);

export function takeUses(reading: LineReading): void {
  for (const block of contentBlocks(objectOf(reading.line.message))) {
    const id = block.type === 'tool_use' ? idOf(block.id) : null;
    if (id === null) continue;
    const waiting = reading.readerState.open.get(id);
    if (waiting?.side === 'use') continue;
    const use = sideOf(reading, id, 'use', readsPrivateTask(reading, block));
    if (waiting === undefined) {
      const asks = use.main && !use.private && ASKS_PERSON.has(stringOf(block.name) ?? '');
      reading.readerState.hold({ ...use, reported: asks });
      // An answer may never come, and then the session stopped at this question.
      if (asks) emitOpen(reading, block, id);
      continue;
    }
    reading.readerState.open.delete(id);
    const line = lineAgain(reading, waiting);
    const result =
      line === null ? undefined : contentBlocks(objectOf(line.message)).find((one) => one.tool_use_id === id);
    if (line !== null && result !== undefined)
      close(reading, use, block, { line, block: result, offset: waiting.offset });
  }
}

export function takeResults(reading: LineReading): void {
  for (const block of contentBlocks(objectOf(reading.line.message))) {
    const id = block.type === 'tool_result' ? idOf(block.tool_use_id) : null;
    if (id === null) continue;
    const waiting = reading.readerState.open.get(id);
    if (waiting?.side !== 'use') {
      if (waiting === undefined) reading.readerState.hold(sideOf(reading, id, 'result'));
      continue;
    }
    reading.readerState.open.delete(id);
    const use = useAgain(reading, waiting);
    if (use === null) continue;
    close({ ...reading, line: use.line, ...locationOf(waiting, use.line) }, waiting, use.block, {
      line: reading.line,
      block,
      offset: reading.offset,
    });
  }
}

/** The person went on while tool uses of the main thread had no result. Emitted once for each. */
export function emitUnanswered(reading: LineReading): void {
  for (const side of reading.readerState.open.values()) {
    if (side.side !== 'use' || !side.main || side.reported || side.session !== reading.session) continue;
    reading.readerState.open.set(side.id, { ...side, reported: true });
    const use = side.private ? null : useAgain(reading, side);
    if (use === null) continue;
    const at = { ...reading, line: use.line, ...locationOf(side, use.line) };
    emitOpen(at, use.block, side.id);
  }
}

function emitOpen(reading: LineReading, block: JsonObject, id: string): void {
  reading.emit({
    ...eventHeader(reading),
    type: 'tool.unanswered',
    dedupeKey: id,
    body: useFields(reading, block),
  });
}

function close(reading: LineReading, use: OpenSide, block: JsonObject, result: ResultLine): void {
  const structured = result.line.toolUseResult ?? null;
  const launched = idOf(objectOf(structured)?.agentId);
  for (const task of launchedTasks(structured)) reading.readerState.launched(task, use.private);
  if (use.private) return;
  const { sanitizer } = reading.world;
  const shown = agentReport(structured) ?? resultText(result.block);
  const outcome = outcomeOf(result, structured, shown);
  const input = block.input ?? null;
  const clean = shown === null ? null : sanitizeTranscriptText(sanitizer, shown, 'tool');
  reading.emit({
    ...eventHeader(reading),
    type: 'tool.used',
    dedupeKey: use.id,
    body: {
      ...useFields(reading, block),
      outcome,
      result: clean,
      detail: sanitizer.value(detailOf(structured, input, shown), 'tool'),
      error: outcome === 'ok' ? null : clean,
      durationMs: wholeOf(objectOf(structured)?.durationMs ?? objectOf(structured)?.totalDurationMs),
      launchedAgentId: launched,
      resultUuid: idOf(result.line.uuid),
      resultOffset: result.offset,
      endedAt: timeOf(result.line.timestamp),
    },
  });
}

function useFields(reading: LineReading, block: JsonObject) {
  const message = objectOf(reading.line.message);
  return {
    toolUseId: idOf(block.id) ?? '',
    name: reading.name(block.name) ?? '',
    input: reading.world.sanitizer.value(block.input ?? null, 'tool') as Json,
    messageId: idOf(message?.id),
    model: idOf(message?.model),
    usage: usageOf(message?.usage),
    ...workdirFields(reading),
    ...programFields(reading),
    ...lineFields(reading),
    ...subagentFields(reading),
  };
}

function outcomeOf(
  result: ResultLine,
  structured: Json,
  shown: string | null,
): 'ok' | 'failed' | 'cancelled' {
  const words = shown ?? '';
  if (typeof result.line.toolDenialKind === 'string') return 'cancelled';
  if (words.startsWith("The user doesn't want to ") || words.startsWith('[Request interrupted by user'))
    return 'cancelled';
  if (objectOf(structured)?.interrupted === true) return 'cancelled';
  return result.block.is_error === true ? 'failed' : 'ok';
}

/** The use reads the output of a private turn's task, which may appear in the rest of its run. */
function readsPrivateTask({ readerState }: LineReading, block: JsonObject): boolean {
  if (
    !readerState.anyPrivate ||
    !namesPrivateTask(readerState.launchedTasks, JSON.stringify(block.input ?? null))
  )
    return false;
  readerState.hideRun();
  return true;
}

function sideOf(reading: LineReading, id: string, side: OpenSide['side'], hidden = false): OpenSide {
  const { offset, length, session, agentId, main, promptUuid } = reading;
  return {
    id,
    side,
    offset,
    length,
    session,
    agentId,
    main,
    promptUuid,
    private: hidden || reading.private,
    reported: false,
  };
}

/** Where an open use was written, for the events that are made of it now. */
function locationOf(side: OpenSide, line: JsonObject) {
  return {
    offset: side.offset,
    length: side.length,
    session: side.session,
    uuid: idOf(line.uuid),
    agentId: side.agentId,
    sidechain: line.isSidechain === true,
    main: side.main,
    promptUuid: side.promptUuid,
    private: side.private,
  };
}

function useAgain(reading: LineReading, side: OpenSide): { line: JsonObject; block: JsonObject } | null {
  const line = lineAgain(reading, side);
  const block =
    line === null ? undefined : contentBlocks(objectOf(line.message)).find((one) => one.id === side.id);
  return line === null || block === undefined ? null : { line, block };
}

function lineAgain(reading: LineReading, side: OpenSide): JsonObject | null {
  const bytes = reading.world.lineAt(side.offset, side.length);
  const parsed = bytes === null ? null : parseTranscriptLine(bytes);
  const line = parsed === null ? null : (embeddedLine(parsed) ?? parsed);
  if (line === null) {
    const reason = 'an open tool use could not be read again';
    reading.readerState.park({ offset: side.offset, length: side.length, reason });
  }
  return line;
}
