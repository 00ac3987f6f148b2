// What is said between the main thread and the thread that seals and opens events. Messages are copied, and with a view of a
// buffer the whole buffer is copied: salts travel as text, sealed bytes together in one buffer that is handed over.
import type { ExportedEvent } from '../../../log/index.ts';
import type { Access } from './event-seals.ts';
import type { ProjectKey } from './project-keys.ts';
import type { OpenedEvent, Refused } from './sealer.ts';

export type EventRequest =
  | {
      readonly seal: {
        readonly items: readonly { readonly key: ProjectKey; readonly event: SentEvent }[];
        readonly at: number;
      };
    }
  | { readonly open: readonly Access[]; readonly sealed: JoinedBytes };

export type EventReply =
  /** Of an event that is too large the bytes are empty. */
  | {
      readonly named: readonly { readonly name: string; readonly size: number }[];
      readonly sealed: JoinedBytes;
    }
  | { readonly opened: readonly (SentOpenedEvent | Refused | null)[] };

export type SentOpenedEvent = Omit<OpenedEvent, 'event'> & { readonly event: SentEvent };

export interface JoinedBytes {
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
}

type SentEvent = Omit<ExportedEvent, 'body'> & {
  readonly body:
    | { readonly salt: string; readonly json: string }
    | { readonly salt: null; readonly bodyHash: string };
};

export function sent(event: ExportedEvent): SentEvent {
  const { body } = event;
  return body.salt === null
    ? { ...event, body }
    : { ...event, body: { salt: body.salt.toString('latin1'), json: body.json } };
}

export function received(event: SentEvent): ExportedEvent {
  const { body } = event;
  return body.salt === null
    ? { ...event, body }
    : { ...event, body: { salt: Buffer.from(body.salt, 'latin1'), json: body.json } };
}

export function joinedBytes(parts: readonly Uint8Array[]): JoinedBytes {
  const lengths = parts.map(({ length }) => length);
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return { bytes: joined.buffer, lengths };
}

export function separateBytes({ bytes, lengths }: JoinedBytes): readonly Uint8Array[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return new Uint8Array(bytes, at - length, length);
  });
}
