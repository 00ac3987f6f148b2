// Joins each tool_use with its tool_result, in whichever order they come. The side seen first is held open by
// its place in the file and read again when the other comes: a cursor holds no text, and a file that is only
// half written tells nothing it would have to take back.
import type { Json } from '../../../log/index.ts';
import { embeddedLine } from './agent-progress.ts';
import { lineFields, placeFields, programFields, subagentFields, told } from './fields.ts';
import {
  blocksOf,
  idOf,
  type JsonObject,
  objectOf,
  parseLine,
  stringOf,
  timeOf,
  usageOf,
  wholeOf,
} from './line.ts';
import type { Reading } from './reading.ts';
import { namesPrivateTask } from './run.ts';
import { sanitizeText } from './sanitize.ts';
import type { OpenSide } from './state.ts';
import { agentReport, detailOf, launchedTasks, resultText } from './tool-result.ts';

/** The result's side of a tool use. */
interface ResultLine {
  readonly line: JsonObject;
  readonly block: JsonObject;
  readonly offset: number;
}

/** Tools that put a question to the person: told at once, not only when it is answered. */
const ASKS_PERSON = new Set(['AskUserQuestion', 'ExitPlanMode']);

export function takeUses(reading: Reading): void {
  for (const block of blocksOf(objectOf(reading.line.message))) {
    const id = block.type === 'tool_use' ? idOf(block.id) : null;
    if (id === null) continue;
    const waiting = reading.standing.open.get(id);
    if (waiting?.side === 'use') continue;
    const use = sideOf(reading, id, 'use', readsPrivateTask(reading, block));
    if (waiting === undefined) {
      const asks = use.main && !use.private && ASKS_PERSON.has(stringOf(block.name) ?? '');
      reading.standing.hold({ ...use, told: asks });
      // Nobody may answer any more, and then this is what the session stopped at.
      if (asks) tellOpen(reading, block, id);
      continue;
    }
    reading.standing.open.delete(id);
    const line = lineAgain(reading, waiting);
    const result =
      line === null ? undefined : blocksOf(objectOf(line.message)).find((one) => one.tool_use_id === id);
    if (line !== null && result !== undefined)
      close(reading, use, block, { line, block: result, offset: waiting.offset });
  }
}

export function takeResults(reading: Reading): void {
  for (const block of blocksOf(objectOf(reading.line.message))) {
    const id = block.type === 'tool_result' ? idOf(block.tool_use_id) : null;
    if (id === null) continue;
    const waiting = reading.standing.open.get(id);
    if (waiting?.side !== 'use') {
      if (waiting === undefined) reading.standing.hold(sideOf(reading, id, 'result'));
      continue;
    }
    reading.standing.open.delete(id);
    const use = useAgain(reading, waiting);
    if (use === null) continue;
    close({ ...reading, line: use.line, ...standOf(waiting, use.line) }, waiting, use.block, {
      line: reading.line,
      block,
      offset: reading.offset,
    });
  }
}

/** A person went on while uses of the main thread had no result: told once for each. */
export function tellUnanswered(reading: Reading): void {
  for (const side of reading.standing.open.values()) {
    if (side.side !== 'use' || !side.main || side.told || side.session !== reading.session) continue;
    reading.standing.open.set(side.id, { ...side, told: true });
    const use = side.private ? null : useAgain(reading, side);
    if (use === null) continue;
    const at = { ...reading, line: use.line, ...standOf(side, use.line) };
    tellOpen(at, use.block, side.id);
  }
}

function tellOpen(reading: Reading, block: JsonObject, id: string): void {
  reading.tell({ ...told(reading), type: 'tool.unanswered', fact: id, body: useFields(reading, block) });
}

function close(reading: Reading, use: OpenSide, block: JsonObject, result: ResultLine): void {
  const structured = result.line.toolUseResult ?? null;
  const launched = idOf(objectOf(structured)?.agentId);
  for (const task of launchedTasks(structured)) reading.standing.launched(task, use.private);
  if (use.private) return;
  const { sanitizer } = reading.world;
  const shown = agentReport(structured) ?? resultText(result.block);
  const outcome = outcomeOf(result, structured, shown);
  const input = block.input ?? null;
  const clean = shown === null ? null : sanitizeText(sanitizer, shown, 'tool');
  reading.tell({
    ...told(reading),
    type: 'tool.used',
    fact: use.id,
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

function useFields(reading: Reading, block: JsonObject) {
  const message = objectOf(reading.line.message);
  return {
    toolUseId: idOf(block.id) ?? '',
    name: reading.name(block.name) ?? '',
    input: reading.world.sanitizer.value(block.input ?? null, 'tool') as Json,
    messageId: idOf(message?.id),
    model: idOf(message?.model),
    usage: usageOf(message?.usage),
    ...placeFields(reading),
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

/** The use asks for what a private turn's task printed: what follows in its run may say it. */
function readsPrivateTask({ standing }: Reading, block: JsonObject): boolean {
  if (!standing.anyPrivate || !namesPrivateTask(standing.launchedTasks, JSON.stringify(block.input ?? null)))
    return false;
  standing.hideRun();
  return true;
}

function sideOf(reading: Reading, id: string, side: OpenSide['side'], hidden = false): OpenSide {
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
    told: false,
  };
}

/** Where a held use stood, for the tellings that are made of it now. */
function standOf(side: OpenSide, line: JsonObject) {
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

function useAgain(reading: Reading, side: OpenSide): { line: JsonObject; block: JsonObject } | null {
  const line = lineAgain(reading, side);
  const block =
    line === null ? undefined : blocksOf(objectOf(line.message)).find((one) => one.id === side.id);
  return line === null || block === undefined ? null : { line, block };
}

function lineAgain(reading: Reading, side: OpenSide): JsonObject | null {
  const bytes = reading.world.lineAt(side.offset, side.length);
  const parsed = bytes === null ? null : parseLine(bytes);
  const line = parsed === null ? null : (embeddedLine(parsed) ?? parsed);
  if (line === null) {
    const reason = 'an open tool use could not be read again';
    reading.standing.park({ offset: side.offset, length: side.length, reason });
  }
  return line;
}
