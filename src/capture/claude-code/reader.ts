// Reads Claude Code transcript lines into tellings. A pure state machine: the same bytes give the same
// tellings in the same order, however they are sliced, and the state is a function of the bytes read.
// What is told and why: docs/transcripts.md. Nothing leaves here unsanitized; a private turn leaves only
// the fact that it took place.
import type { Telling } from '../../../log/index.ts';
import { LINE_BYTES_MAX, type Line } from '../transcripts/lines.ts';
import { embeddedReading } from './agent-progress.ts';
import type { Refusal } from './human-words.ts';
import { isCompaction, KNOWN_ATTACHMENTS, KNOWN_LINES, KNOWN_SUBTYPES } from './kinds.ts';
import { idOf, type JsonObject, lineProblem, nameOf, objectOf, parseLine, stringOf, timeOf } from './line.ts';
import { humanPrompt, isInterruption, tellCommandLine, tellPrompt } from './prompts.ts';
import { readQueue, tellWaiting } from './queue.ts';
import type { ReaderWorld, Reading } from './reading.ts';
import { tellRecap, tellReplies } from './replies.ts';
import { followRun } from './run.ts';
import { sanitizeText } from './sanitize.ts';
import {
  tellContinuation,
  tellHeldTitle,
  tellStart,
  tellStopped,
  tellSummaryOf,
  tellTitle,
} from './sessions.ts';
import { AHEAD_MAX, lineKey, Standing } from './standing.ts';
import type { ParkedPiece, ReaderCounts, ReaderState } from './state.ts';
import { takeResults, takeUses, tellUnanswered } from './tools.ts';

export interface ReadOutcome {
  readonly tellings: readonly Telling[];
  readonly state: ReaderState;
  /** Lines parked by this call (all of them; the state keeps the first 100). */
  readonly parked: readonly ParkedPiece[];
  /** Of the whole file up to here. */
  readonly counts: ReaderCounts;
}

export function readLines(state: ReaderState, lines: readonly Line[], world: ReaderWorld): ReadOutcome {
  const standing = new Standing(state);
  const tellings: Telling[] = [];
  const parked: ParkedPiece[] = [];
  const names = new Map<string, string>();
  const park = (piece: ParkedPiece) => {
    standing.park(piece);
    parked.push(piece);
  };
  for (const line of lines) {
    if (standing.tail !== null) {
      if (!takeTail(standing, line, park)) break;
      continue;
    }
    const parsed = line.bytes === null ? null : parseLine(line.bytes);
    if (parsed === null && !line.ended && line.bytes !== null) break;
    if (parsed !== null) {
      standing.counts.lines += 1;
      const told: Telling[] = [];
      try {
        readLine(standing, world, parsed, line, names, (telling) => told.push(telling));
        for (const { type } of told)
          standing.counts.tellings[type] = (standing.counts.tellings[type] ?? 0) + 1;
        tellings.push(...told);
      } catch {
        // A line that we read wrong must not keep the others out.
        park({ offset: line.offset, length: line.length, reason: 'it could not be read by this version' });
      }
    } else if (line.bytes === null || !isBlank(line.bytes)) {
      standing.counts.lines += 1;
      park({ offset: line.offset, length: line.length, reason: reasonOf(line) });
    }
    standing.offset = line.offset + line.length + (line.ended ? 1 : 0);
    if (!line.ended) standing.tail = { kind: parsed === null ? 'long' : 'used', offset: line.offset };
  }
  const next = standing.toJSON();
  return { tellings, state: next, parked, counts: next.counts };
}

/** The rest of a line that was used or skipped before its newline came. False: wait for more. */
function takeTail(standing: Standing, line: Line, park: (piece: ParkedPiece) => void): boolean {
  const tail = standing.tail!;
  const ours = tail.kind === 'long' || (line.bytes !== null && isBlank(line.bytes));
  if (!line.ended && !ours) return false;
  if (tail.kind === 'long') {
    const at = standing.parked.findIndex((piece) => piece.offset === tail.offset);
    if (at >= 0)
      standing.parked[at] = { ...standing.parked[at]!, length: line.offset + line.length - tail.offset };
  } else if (!ours) {
    park({ offset: line.offset, length: line.length, reason: 'bytes after a complete line' });
  }
  standing.offset = line.offset + line.length + (line.ended ? 1 : 0);
  if (line.ended) standing.tail = null;
  return true;
}

function readLine(
  standing: Standing,
  world: ReaderWorld,
  line: JsonObject,
  place: { readonly offset: number; readonly length: number },
  names: Map<string, string>,
  tell: (telling: Telling) => void,
): void {
  const type = stringOf(line.type) ?? '';
  standing.time = timeOf(line.timestamp) ?? standing.time;
  if (!KNOWN_LINES.has(type)) {
    standing.countUnknown('unknownLines', nameOf(line.type));
    return;
  }
  standing.counts.known += 1;
  readKnown(standing, world, line, place, names, tell);
}

/** A line of a known type. `placed`: nothing that it follows is waited for. */
function readKnown(
  standing: Standing,
  world: ReaderWorld,
  line: JsonObject,
  place: { readonly offset: number; readonly length: number },
  names: Map<string, string>,
  tell: (telling: Telling) => void,
  placed = false,
): void {
  const type = stringOf(line.type) ?? '';
  const session = idOf(line.sessionId) ?? standing.session ?? world.fallbackSession;
  if (session === null) return;
  standing.session = session;
  const uuid = idOf(line.uuid);
  const agentId = idOf(line.agentId) ?? world.agentId;
  const sidechain = line.isSidechain === true;
  const main = !sidechain && agentId === null;
  const parent = idOf(line.parentUuid);
  // A program that has just made the file may write what it answers before the prompt: the prompt may be private.
  const isAhead =
    !placed &&
    main &&
    uuid !== null &&
    parent !== null &&
    !standing.window.has(lineKey(parent)) &&
    !standing.hasPromptLine;
  const refuse = isAhead ? () => undefined : (reason: Refusal) => standing.countRefused(reason);
  const human = main ? humanPrompt(line, world.sanitizer, refuse) : null;
  const readAgain = ([offset, length]: readonly [number, number], isTold: (held: JsonObject) => boolean) => {
    const bytes = world.lineAt(offset, length);
    const held = bytes === null ? null : parseLine(bytes);
    if (held === null) return;
    if (isTold(held)) readKnown(standing, world, held, { offset, length }, names, tell, true);
    else if (!standing.hasPromptLine)
      standing.ahead.push([lineKey(idOf(held.parentUuid) ?? ''), [offset, length]]);
  };
  if (isAhead && human === null) {
    standing.ahead.push([lineKey(parent), [place.offset, place.length]]);
    if (standing.ahead.length > AHEAD_MAX)
      for (const one of standing.takeAhead(null)) readAgain(one, () => true);
    return;
  }
  if (human !== null && type === 'user') {
    // What was said before the first prompt was copied from another file. With the second, nothing comes any more.
    const at = timeOf(line.timestamp) ?? 0;
    const isTold = (held: JsonObject) =>
      standing.hasPromptLine ? !standing.anyPrivate : (timeOf(held.timestamp) ?? at) < at;
    for (const one of standing.takeAhead(null)) readAgain(one, isTold);
  }
  const turn =
    human === null
      ? turnOf(standing, line)
      : standing.prompt({ uuid, promptId: idOf(line.promptId), private: human.private });
  if (uuid !== null) standing.see(uuid, turn);
  if (main) followRun(standing, line, human);
  const isPrivate = human?.private ?? isPrivateTurn(standing, world, line, turn, agentId);
  const reading: Reading = {
    standing,
    world,
    line,
    offset: place.offset,
    length: place.length,
    session,
    uuid,
    agentId,
    sidechain,
    main,
    promptUuid: turn > 0 ? (standing.prompts.get(turn)?.uuid ?? null) : null,
    private: isPrivate,
    tell: (telling) => {
      standing.speaks(session, agentId, null);
      tell(telling);
    },
    name: (value) => {
      if (typeof value !== 'string') return null;
      let clean = names.get(value);
      if (clean === undefined) {
        clean = sanitizeText(world.sanitizer, value, 'tool');
        if (names.size < 256) names.set(value, clean);
      }
      return clean;
    },
  };
  if (uuid !== null) {
    standing.speaks(session, agentId, reading.name(line.cwd));
    tellStart(reading);
    tellSummaryOf(reading, lineKey(uuid));
  }
  if (uuid !== null || standing.time !== null) tellHeldTitle(reading, 'custom-title');
  if (human !== null) {
    if (type === 'user') {
      tellWaiting(reading);
      tellUnanswered(reading);
    }
    tellPrompt(reading, human);
  } else {
    readType(reading, type);
  }
  if (uuid !== null) for (const one of standing.takeAhead(lineKey(uuid))) readAgain(one, () => true);
}

function readType(reading: Reading, type: string): void {
  const { line, standing } = reading;
  switch (type) {
    case 'user':
      takeResults(reading);
      if (isInterruption(line)) tellStopped(reading, 'interrupted', null);
      break;
    case 'assistant':
      // The prompt that the title may have been made of has been read.
      if (reading.main) tellHeldTitle(reading, 'ai-title');
      takeUses(reading);
      tellReplies(reading);
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
      const name = nameOf(objectOf(line.attachment)?.type);
      if (!KNOWN_ATTACHMENTS.has(name)) standing.countUnknown('unknownAttachments', name);
      break;
    }
    case 'system': {
      // The first versions wrote system lines without a subtype: their notes to the person.
      const subtype = nameOf(line.subtype);
      if (line.subtype !== undefined && !KNOWN_SUBTYPES.has(subtype))
        standing.countUnknown('unknownSubtypes', subtype);
      tellCommandLine(reading);
      tellRecap(reading);
      break;
    }
    case 'continued-in':
      tellContinuation(reading);
      break;
    case 'summary':
    case 'ai-title':
    case 'custom-title':
      tellTitle(reading, type);
      break;
  }
}

/** The prompt number a line leads to by its parents; negative when only the order of lines says so. */
function turnOf(standing: Standing, line: JsonObject): number {
  const parent = idOf(line.parentUuid) ?? idOf(line.logicalParentUuid);
  const found = parent === null ? undefined : standing.window.get(lineKey(parent));
  return found ?? -standing.lastPrompt;
}

function isPrivateTurn(
  standing: Standing,
  world: ReaderWorld,
  line: JsonObject,
  turn: number,
  agentId: string | null,
): boolean {
  const promptId = idOf(line.promptId);
  if (promptId !== null && world.privatePromptIds.has(promptId)) return true;
  if (!standing.anyPrivate) return false;
  const launched = agentId === null ? undefined : standing.launchedTasks.get(agentId);
  if (launched !== undefined) return launched;
  if (agentId !== null && isCompaction(agentId)) return true;
  if (standing.run.privateFrom !== null || standing.hasPrivateRun(promptId)) return true;
  return standing.prompts.get(Math.abs(turn))?.private === true;
}

function reasonOf(line: Line): string {
  return line.bytes === null ? `longer than ${LINE_BYTES_MAX / 2 ** 20} MiB` : lineProblem(line.bytes);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
