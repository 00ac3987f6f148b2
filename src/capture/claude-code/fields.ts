// The fields that most event bodies take from their line.
import type { Telling } from '../../../log/index.ts';
import { idOf, timeOf } from './line.ts';
import type { Reading } from './reading.ts';

/** Agent, session, witness and time of a telling from this line. */
export function told(reading: Reading) {
  return {
    agent: 'claude-code',
    session: reading.session,
    witness: 'transcript',
    occurredAt: timeOf(reading.line.timestamp),
  } as const satisfies Partial<Telling>;
}

/** The same of a line that has no time of its own: it was there with the line before it. */
export function toldByPlace(reading: Reading) {
  return { ...told(reading), occurredAt: reading.standing.time } as const satisfies Partial<Telling>;
}

export function placeFields(reading: Reading) {
  return { cwd: reading.name(reading.line.cwd), branch: reading.name(reading.line.gitBranch) };
}

export function programFields(reading: Reading) {
  return { agentVersion: idOf(reading.line.version), entrypoint: idOf(reading.line.entrypoint) };
}

export function lineFields(reading: Reading) {
  const { line } = reading;
  const requestSession = idOf(line.requestSessionId);
  return {
    uuid: reading.uuid,
    parent: idOf(line.parentUuid) ?? idOf(line.logicalParentUuid),
    offset: reading.offset,
    promptId: idOf(line.promptId),
    promptUuid: reading.promptUuid,
    requestSession: requestSession === reading.session ? null : requestSession,
  };
}

export function subagentFields(reading: Reading) {
  return { agentId: reading.agentId, sidechain: reading.sidechain };
}

/** The fact key of a line: its uuid, else where it stands. */
export function factOf(reading: Reading): string {
  return reading.uuid ?? `line:${reading.offset}`;
}
