// Reads Claude Code transcript lines into events. A pure state machine: the same bytes give the same events in the same
// order, however they are split, and the state depends only on the bytes read. docs/transcripts.md says what is
// recorded and why. All text leaves here sanitized; of a private turn only the fact that it took place is recorded.
import type { NewEvent } from '../../../log/index.ts';
import type { Line } from '../../capture/transcripts/line-splitter.ts';
import { countableName } from '../common/countable-name.ts';
import { readEachLine } from '../common/each-line.ts';
import {
  idOf,
  type JsonObject,
  objectOf,
  parseTranscriptLine,
  stringOf,
  timeOf,
} from '../common/json-fields.ts';
import { sanitizeTranscriptText } from '../common/sanitizer.ts';
import type { ParkedPiece, ReaderCounts } from '../common/transcript-reader.ts';
import { embeddedReading } from './agent-progress.ts';
import { followRun } from './agent-run.ts';
import type { Refusal } from './human-words.ts';
import { isCompaction, KNOWN_ATTACHMENTS, KNOWN_LINES, KNOWN_SUBTYPES } from './line-kinds.ts';
import { AHEAD_MAX, LiveReaderState, shortUuid } from './live-reader-state.ts';
import {
  emitCommandLine,
  emitPrompt,
  type HumanPrompt,
  humanPrompt,
  isInterruption,
  recordedWords,
} from './prompt-events.ts';
import { emitWaiting, readQueue } from './prompt-queue.ts';
import type { ReaderState } from './reader-state.ts';
import type { LineReading, ReaderWorld } from './reading.ts';
import { emitCompactSummary, emitRecap, emitReplies } from './reply-events.ts';
import {
  emitContinuation,
  emitHeldTitle,
  emitStart,
  emitStopped,
  emitSummaryOf,
  emitTitle,
} from './session-lines.ts';
import { emitUnanswered, takeResults, takeUses } from './tool-events.ts';

export interface ReadOutcome {
  readonly events: readonly NewEvent[];
  readonly state: ReaderState;
  /** Lines parked by this call (all of them; the state keeps the first 100). */
  readonly parked: readonly ParkedPiece[];
  /** Of the whole file up to here. */
  readonly counts: ReaderCounts;
}

export function readLines(state: ReaderState, lines: readonly Line[], world: ReaderWorld): ReadOutcome {
  const readerState = new LiveReaderState(state);
  const names = new Map<string, string>();
  const { events, parked } = readEachLine(readerState, lines, (parsed, line, emit) =>
    readLine(readerState, world, parsed, line, names, emit),
  );
  const next = readerState.toJSON();
  return { events, state: next, parked, counts: next.counts };
}

function readLine(
  readerState: LiveReaderState,
  world: ReaderWorld,
  line: JsonObject,
  location: { readonly offset: number; readonly length: number },
  names: Map<string, string>,
  emit: (event: NewEvent) => void,
): void {
  const type = stringOf(line.type) ?? '';
  const before = readerState.time;
  readerState.time = timeOf(line.timestamp) ?? before;
  if (world.privatePrompts.hidesRun(readerState.run.promptId, before, readerState.time))
    readerState.hideKnownRun();
  if (!KNOWN_LINES.has(type)) {
    readerState.countUnknown('unknownLines', countableName(line.type));
    return;
  }
  readerState.counts.known += 1;
  readKnown(readerState, world, line, location, names, emit);
}

/** A line of a known type. `placed`: do not wait for its parent. */
function readKnown(
  readerState: LiveReaderState,
  world: ReaderWorld,
  line: JsonObject,
  location: { readonly offset: number; readonly length: number },
  names: Map<string, string>,
  emit: (event: NewEvent) => void,
  placed = false,
): void {
  const type = stringOf(line.type) ?? '';
  const before = readerState.session;
  const session = idOf(line.sessionId) ?? before ?? world.fallbackSession;
  if (session === null) return;
  readerState.session = session;
  const uuid = idOf(line.uuid);
  const agentId = idOf(line.agentId) ?? world.agentId;
  const sidechain = line.isSidechain === true;
  const main = !sidechain && agentId === null;
  const parent = idOf(line.parentUuid);
  const promptId = idOf(line.promptId);
  // A continued session may repeat the end of a private turn without its prompt.
  const isKnownRun =
    main &&
    promptId !== null &&
    !readerState.runs.has(promptId) &&
    world.privatePrompts.hidesRun(promptId, null, readerState.time);
  if (isKnownRun) readerState.hideKnownRun();
  // A program that has just made the file may write the answer before its prompt, and the prompt may be private.
  const isAhead =
    !placed &&
    main &&
    uuid !== null &&
    parent !== null &&
    !readerState.window.has(shortUuid(parent)) &&
    !readerState.hasPromptLine;
  const refuse = isAhead ? () => undefined : (reason: Refusal) => readerState.countRefused(reason);
  const found = main ? humanPrompt(line, world.sanitizer, refuse) : null;
  const human =
    found !== null && isKnownPrivate(readerState, world, line, session, found)
      ? { ...found, text: '', private: true }
      : found;
  const readAgain = (
    [offset, length]: readonly [number, number],
    mayRead: (waitingLine: JsonObject) => boolean,
  ) => {
    const bytes = world.lineAt(offset, length);
    const waitingLine = bytes === null ? null : parseTranscriptLine(bytes);
    if (waitingLine === null) return;
    if (mayRead(waitingLine))
      readKnown(readerState, world, waitingLine, { offset, length }, names, emit, true);
    else if (!readerState.hasPromptLine)
      readerState.ahead.push([shortUuid(idOf(waitingLine.parentUuid) ?? ''), [offset, length]]);
  };
  if (isAhead && human === null) {
    readerState.ahead.push([shortUuid(parent), [location.offset, location.length]]);
    if (readerState.ahead.length > AHEAD_MAX)
      for (const one of readerState.takeAhead(null)) readAgain(one, () => true);
    return;
  }
  if (human !== null && type === 'user') {
    // Lines dated before the first prompt were copied from another file. After a prompt, no parent can come any more.
    const at = timeOf(line.timestamp) ?? 0;
    const mayRead = (waitingLine: JsonObject) =>
      readerState.hasPromptLine ? !readerState.anyPrivate : (timeOf(waitingLine.timestamp) ?? at) < at;
    for (const one of readerState.takeAhead(null)) readAgain(one, mayRead);
  }
  const turn =
    human === null
      ? turnOf(readerState, line)
      : readerState.prompt({ uuid, promptId, private: human.private });
  if (uuid !== null) readerState.see(uuid, turn);
  if (main) followRun(readerState, line, human);
  if (isKnownRun) readerState.hideKnownRun();
  const isPrivate = human?.private ?? isPrivateTurn(readerState, world, line, turn, agentId);
  const reading: LineReading = {
    readerState,
    world,
    line,
    offset: location.offset,
    length: location.length,
    session,
    uuid,
    agentId,
    sidechain,
    main,
    promptUuid: turn > 0 ? (readerState.prompts.get(turn)?.uuid ?? null) : null,
    private: isPrivate,
    emit: (event) => {
      readerState.speaks(session, agentId, null);
      emit(event);
    },
    name: (value) => {
      if (typeof value !== 'string') return null;
      let clean = names.get(value);
      if (clean === undefined) {
        clean = sanitizeTranscriptText(world.sanitizer, value, 'tool');
        if (names.size < 256) names.set(value, clean);
      }
      return clean;
    },
  };
  if (uuid !== null) {
    readerState.speaks(session, agentId, reading.name(line.cwd));
    // Old versions resume a session under a new id, in a copy of its file.
    const isResumed = main && parent !== null && readerState.window.has(shortUuid(parent));
    if (before !== null && isResumed && !readerState.started.has(session))
      emitContinuation({ ...reading, session: before }, session);
    emitStart(reading);
    emitSummaryOf(reading, shortUuid(uuid));
  }
  if (uuid !== null || readerState.time !== null) emitHeldTitle(reading, 'custom-title');
  if (human !== null) {
    if (type === 'user') {
      emitWaiting(reading);
      emitUnanswered(reading);
    }
    emitPrompt(reading, human);
  } else {
    readType(reading, type);
  }
  if (uuid !== null) for (const one of readerState.takeAhead(shortUuid(uuid))) readAgain(one, () => true);
}

function readType(reading: LineReading, type: string): void {
  const { line, readerState } = reading;
  switch (type) {
    case 'user':
      takeResults(reading);
      emitCompactSummary(reading);
      if (isInterruption(line)) emitStopped(reading, 'interrupted', null);
      break;
    case 'assistant':
      // The prompt that the title may have been made from has been read.
      if (reading.main) emitHeldTitle(reading, 'ai-title');
      takeUses(reading);
      emitReplies(reading);
      break;
    case 'progress': {
      const embedded = embeddedReading(reading);
      if (embedded !== null) readType(embedded, stringOf(embedded.line.type) ?? '');
      break;
    }
    case 'queue-operation':
      readQueue(reading);
      break;
    case 'attachment': {
      const name = countableName(objectOf(line.attachment)?.type);
      if (!KNOWN_ATTACHMENTS.has(name)) readerState.countUnknown('unknownAttachments', name);
      break;
    }
    case 'system': {
      // The first versions wrote system lines without a subtype: their notes to the person.
      const subtype = countableName(line.subtype);
      if (line.subtype !== undefined && !KNOWN_SUBTYPES.has(subtype))
        readerState.countUnknown('unknownSubtypes', subtype);
      emitCommandLine(reading);
      emitRecap(reading);
      break;
    }
    case 'continued-in':
      emitContinuation(reading, idOf(line.continuedInSessionId));
      break;
    case 'summary':
    case 'ai-title':
    case 'custom-title':
      emitTitle(reading, type);
      break;
  }
}

/** The prompt number that a line's parents lead to. Negative when only the order of lines gives it. */
function turnOf(readerState: LiveReaderState, line: JsonObject): number {
  const parent = idOf(line.parentUuid) ?? idOf(line.logicalParentUuid);
  const found = parent === null ? undefined : readerState.window.get(shortUuid(parent));
  return found ?? -readerState.lastPrompt;
}

/** Whether another channel, or another file, says that the prompt of this line is private. */
function isKnownPrivate(
  { runs, privateAt }: LiveReaderState,
  world: ReaderWorld,
  line: JsonObject,
  session: string,
  prompt: HumanPrompt,
): boolean {
  const promptId = idOf(line.promptId);
  return world.privatePrompts.includes({
    agent: 'claude-code',
    session,
    uuid: idOf(line.uuid),
    promptId,
    at: timeOf(line.timestamp),
    opensRun: promptId !== null && !runs.has(promptId),
    privateAt,
    text: () => recordedWords(world.sanitizer, prompt).text,
  });
}

function isPrivateTurn(
  readerState: LiveReaderState,
  world: ReaderWorld,
  line: JsonObject,
  turn: number,
  agentId: string | null,
): boolean {
  const promptId = idOf(line.promptId);
  if (promptId !== null && world.privatePromptIds.has(promptId)) return true;
  if (!readerState.anyPrivate) return false;
  const launched = agentId === null ? undefined : readerState.launchedTasks.get(agentId);
  if (launched !== undefined) return launched;
  if (agentId !== null && isCompaction(agentId)) return true;
  if (readerState.run.privateFrom !== null || readerState.hasPrivateRun(promptId)) return true;
  return readerState.prompts.get(Math.abs(turn))?.private === true;
}
