// Event ids: sha-256 over the canonical JSON of (scheme, agent, session, type, fact key, witness), the first
// 16 bytes as hex. The same telling has the same id for ever, on every machine, so it lands once.
import { hash } from 'node:crypto';
import type { Telling } from './event.ts';

const SCHEME = 1;

/** 32 lower-case hex digits. Depends only on who did what, and who told it: no clock, no text, no position. */
export function eventId(telling: Pick<Telling, 'agent' | 'session' | 'type' | 'fact' | 'witness'>): string {
  const { agent, session, type, fact, witness } = telling;
  return hash('sha256', JSON.stringify([SCHEME, agent, session, type, fact, witness])).slice(0, 32);
}
