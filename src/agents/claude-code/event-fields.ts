// The fields that most event bodies take from their line.
import type { NewEvent } from '../../../log/index.ts';
import { idOf, timeOf } from '../common/json-fields.ts';
import type { LineReading } from './reading.ts';

/** Agent, session, channel and time of an event from this line. */
export function eventHeader(reading: LineReading) {
  return {
    agent: 'claude-code',
    session: reading.session,
    channel: 'transcript',
    occurredAt: timeOf(reading.line.timestamp),
  } as const satisfies Partial<NewEvent>;
}

/** The same for a line without a time of its own, which takes the time of the line before it. */
export function untimedEventHeader(reading: LineReading) {
  return {
    ...eventHeader(reading),
    occurredAt: reading.readerState.time,
  } as const satisfies Partial<NewEvent>;
}

export function workdirFields(reading: LineReading) {
  return { cwd: reading.name(reading.line.cwd), branch: reading.name(reading.line.gitBranch) };
}

export function programFields(reading: LineReading) {
  return { agentVersion: idOf(reading.line.version), entrypoint: idOf(reading.line.entrypoint) };
}

export function lineFields(reading: LineReading) {
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

export function subagentFields(reading: LineReading) {
  return { agentId: reading.agentId, sidechain: reading.sidechain };
}

/** The dedupe key of a line: its uuid, else its offset in the file. */
export function lineDedupeKey(reading: LineReading): string {
  return reading.uuid ?? `line:${reading.offset}`;
}
