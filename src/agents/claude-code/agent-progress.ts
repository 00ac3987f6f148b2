// Reads what sub-agents did from the progress lines of the main file (2.1.12 to 2.1.79). Each progress line embeds one
// whole line of the sub-agent. They are read only when the sub-agent has no file of its own, because that file has the
// same data and more. The events get the same dedupe keys as from that file, so importing it later adds only what is
// new.

import { idOf, type JsonObject, objectOf } from '../common/json-fields.ts';
import type { LineReading } from './reading.ts';

/** The sub-agent's line inside a progress line, completed from the envelope. Null for every other line. */
export function embeddedLine(line: JsonObject): JsonObject | null {
  const data = line.type === 'progress' ? objectOf(line.data) : null;
  const agentId = data?.type === 'agent_progress' ? idOf(data.agentId) : null;
  const inner = agentId === null ? null : objectOf(data?.message);
  if (inner === null) return null;
  const { sessionId, cwd, gitBranch, version } = line;
  const envelope = Object.entries({ sessionId, cwd, gitBranch, version }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...inner,
    ...Object.fromEntries(envelope),
    agentId,
    isSidechain: true,
    parentUuid: null,
  } as JsonObject;
}

/** The reading of an embedded line, or null when it must not be read. */
export function embeddedReading(reading: LineReading): LineReading | null {
  const line = embeddedLine(reading.line);
  const agentId = idOf(line?.agentId);
  if (line === null || agentId === null || !reading.main || reading.world.hasOwnFile(agentId)) return null;
  if (isPrivate(reading, agentId)) return null;
  reading.readerState.speaks(reading.session, agentId, null);
  return { ...reading, line, uuid: idOf(line.uuid), agentId, sidechain: true, main: false };
}

/** In a file with something private, a sub-agent with an unknown launcher counts as private. */
function isPrivate({ private: isHidden, readerState, line }: LineReading, agentId: string): boolean {
  if (isHidden) return true;
  if (!readerState.anyPrivate) return false;
  const use = readerState.open.get(idOf(line.parentToolUseID) ?? '');
  return readerState.launchedTasks.get(agentId) ?? use?.private ?? true;
}
