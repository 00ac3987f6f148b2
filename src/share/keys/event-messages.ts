// What is said between the main thread and the thread that seals and opens events. Events travel packed, together in one
// buffer that is handed over: to copy an object for each would cost as much as to seal it.
import type { Access } from './event-seals.ts';
import type { OpenedBytes } from './event-work.ts';
import type { ProjectKey } from './project-keys.ts';
import type { Refused } from './sealer.ts';

export type EventRequest =
  | {
      readonly seal: { readonly keys: readonly ProjectKey[]; readonly at: number };
      readonly packed: JoinedBytes;
    }
  | { readonly open: readonly Access[]; readonly sealed: JoinedBytes };

export type EventReply =
  /** Of an event that is too large the bytes are empty. */
  | {
      readonly named: readonly { readonly name: string; readonly size: number }[];
      readonly sealed: JoinedBytes;
    }
  /** The bytes of what was not opened are empty. */
  | {
      readonly opened: readonly (Omit<OpenedBytes, 'packed'> | Refused | null)[];
      readonly packed: JoinedBytes;
    };

export interface JoinedBytes {
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
}

export function joinedBytes(parts: readonly Uint8Array[]): JoinedBytes {
  const lengths = parts.map(({ length }) => length);
  const joined = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return { bytes: joined.buffer, lengths };
}

export function separateBytes({ bytes, lengths }: JoinedBytes): readonly Buffer[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return Buffer.from(bytes, at - length, length);
  });
}

export const NOTHING = new Uint8Array(0);
