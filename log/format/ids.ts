// Event ids: sha-256 over the canonical JSON of (scheme, agent, session, type, dedupe key, channel), the first
// 16 bytes as hex. The same event has the same id on every machine, so it is stored once.
import { hash } from 'node:crypto';
import type { NewEvent } from '../event.ts';

const SCHEME = 1;

/** 32 lower-case hex digits. Depends only on these five fields: no time, no text, no position. */
export function eventId(
  newEvent: Pick<NewEvent, 'agent' | 'session' | 'type' | 'dedupeKey' | 'channel'>,
): string {
  const { agent, session, type, dedupeKey, channel } = newEvent;
  return hash('sha256', JSON.stringify([SCHEME, agent, session, type, dedupeKey, channel])).slice(0, 32);
}
