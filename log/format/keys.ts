// The keys of the log. One prefix byte, then big-endian numbers, so that LevelDB's byte order is position
// order. docs/format.md explains each of them.
//
//   key      = event | forgotten | identity | session | cursor | meta | own
//   event    = "e" position               position = 8 bytes, from 1
//   forgotten = "f" position             of a memory.forgotten
//   identity = "i" id                     id       = 16 bytes
//   session  = "s" group position         group    = first 16 bytes of sha-256(JSON [agent, session])
//   cursor   = "c" UTF-8
//   meta     = "m"
//   own      = "o"                        once the log holds events of other logs
import { hash } from 'node:crypto';
import { allocate } from './chunk.ts';

export const EVENT = 0x65;
export const FORGOTTEN = 0x66;
export const IDENTITY = 0x69;
export const SESSION = 0x73;
export const CURSOR = 0x63;
export const META = 0x6d;
export const OWN = 0x6f;

export const META_KEY = Buffer.from([META]);
export const OWN_KEY = Buffer.from([OWN]);
/** Positions take eight bytes; JavaScript numbers are exact up to 2^53. */
const HIGH_WORD = 2 ** 32;

export function eventKey(position: number): Buffer {
  const key = allocate(9);
  key[0] = EVENT;
  writePosition(key, position, 1);
  return key;
}

/** Indexes the `memory.forgotten` events, so that opening does not have to read the whole log for them. */
export function forgottenKey(position: number): Buffer {
  const key = eventKey(position);
  key[0] = FORGOTTEN;
  return key;
}

/** The only form of an event's id. Others would name the same key, or one of chance. */
export const EVENT_ID = /^[0-9a-f]{32}$/;

/** @param id of the form of EVENT_ID */
export function identityKey(id: string): Buffer {
  const key = allocate(17);
  key[0] = IDENTITY;
  key.write(id, 1, 'hex');
  return key;
}

/** The 16 bytes that identify an agent's session in the session index. */
export function sessionGroup(agent: string, session: string): Buffer {
  return hash('sha256', JSON.stringify([agent, session]), 'buffer').subarray(0, 16);
}

export function sessionKey(group: Buffer, position: number): Buffer {
  const key = allocate(25);
  key[0] = SESSION;
  group.copy(key, 1);
  writePosition(key, position, 17);
  return key;
}

export function cursorKey(name: string): Buffer {
  return Buffer.from(`c${name}`);
}

/** The position in an event's key; null for any other key. */
export function positionOf(key: Buffer): number | null {
  return key.length === 9 && key[0] === EVENT ? readPosition(key, 1) : null;
}

export function positionBytes(position: number): Buffer {
  const bytes = allocate(8);
  writePosition(bytes, position, 0);
  return bytes;
}

export function writePosition(target: Buffer, position: number, at: number): void {
  target.writeUInt32BE(Math.floor(position / HIGH_WORD), at);
  target.writeUInt32BE(position % HIGH_WORD, at + 4);
}

export function readPosition(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * HIGH_WORD + bytes.readUInt32BE(at + 4);
}

const GROUPS_CACHED_MAX = 1024;

/** Caches the groups of recent sessions: consecutive events mostly belong to one session. */
export class SessionGroups {
  readonly #known = new Map<string, Buffer>();

  of(agent: string, session: string): Buffer {
    const name = `${agent.length} ${agent}${session}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size >= GROUPS_CACHED_MAX) this.#known.clear();
    const group = sessionGroup(agent, session);
    this.#known.set(name, group);
    return group;
  }
}
