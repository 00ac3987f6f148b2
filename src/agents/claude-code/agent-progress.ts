// What sub-agents did, from the progress lines of the main file (2.1.12 to 2.1.79). Each embeds a whole line of the
// sub-agent. They are read only where the sub-agent's own file is missing, which says the same and more. The events have
// the names that the own file would give them, so that one which turns up later adds what is new and doubles nothing.

import type { LineReading } from './reading.ts';
import { idOf, type JsonObject, objectOf } from './transcript-line.ts';

/** The sub-agent's line in a progress line, with what the envelope knows; null for every other line. */
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

/** The embedded line as one to be read; null where it is not to be. */
export function embeddedReading(reading: LineReading): LineReading | null {
  const line = embeddedLine(reading.line);
  const agentId = idOf(line?.agentId);
  if (line === null || agentId === null || !reading.main || reading.world.hasOwnFile(agentId)) return null;
  if (isPrivate(reading, agentId)) return null;
  reading.readerState.speaks(reading.session, agentId, null);
  return { ...reading, line, uuid: idOf(line.uuid), agentId, sidechain: true, main: false };
}

/** Also when nothing says who launched it, in a file where something is private. */
function isPrivate({ private: isHidden, readerState, line }: LineReading, agentId: string): boolean {
  if (isHidden) return true;
  if (!readerState.anyPrivate) return false;
  const use = readerState.open.get(idOf(line.parentToolUseID) ?? '');
  return readerState.launchedTasks.get(agentId) ?? use?.private ?? true;
}
