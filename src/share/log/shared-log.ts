// The shared log: what machines of a team append to and read from. Messages are immutable and their set is what counts, so
// it has to keep no more order than a position to read on from. It is a courier and never the only copy: the machine that
// wrote an event still has it, and sends it again when the shared log lost it.

/** `event`: one sealed event. `record`: a membership or key record. `statement`: a machine says what it holds. */
export type MessageKind = 'event' | 'record' | 'statement';

export interface Message {
  /** The same for the same message, wherever it is sent from. Letters and digits only, like the other names. */
  readonly id: string;
  readonly kind: MessageKind;
  /** Opaque names, so that the engine learns neither a project nor a machine. */
  readonly project: string;
  readonly origin: string;
  readonly bytes: Uint8Array;
  /**
   * Of a message that was lost: an engine that still knows its id must not take it for a duplicate. Two messages with the
   * same id and the same word here are one. Not stored.
   */
  readonly resent?: string | undefined;
}

export interface StoredMessage extends Omit<Message, 'resent'> {
  /** Grows, with gaps. */
  readonly position: number;
}

export interface Appended {
  readonly position: number;
  /** The log recognised the id, and stored nothing. An engine may forget old ids: then the message is stored twice. */
  readonly duplicate: boolean;
}

export interface PageRequest {
  /** 0: from the beginning. */
  readonly after: number;
  /** Default 256. */
  readonly limit?: number;
  /** Waits for the next message if there is none, until the signal ends the wait. Without it, an empty page is the end. */
  readonly waitUntil?: AbortSignal;
}

export interface Removal {
  readonly removed: number;
  /** One sentence: what may be left, and why; null if the engine holds nothing more of it. */
  readonly remains: string | null;
}

export interface SharedLogState {
  /** `NATS JetStream`, `PostgreSQL`. */
  readonly engine: string;
  readonly version: string;
  /** Another one when the log was made again: then all positions are void. */
  readonly incarnation: string;
  /** The last position that was ever given. */
  readonly head: number;
  /** On the server's disk, about. */
  readonly bytes: number;
  /** The largest message that it takes. */
  readonly messageBytesMax: number;
  /** One sentence each. */
  readonly warnings: readonly string[];
}

export interface SharedLog {
  /**
   * Resolves when the engine has acknowledged all of them; outcomes are in the order of `messages`. After a failure some
   * may be stored: appending all of them again is safe.
   * @throws AnnalsError SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED
   */
  append(messages: readonly Message[]): Promise<readonly Appended[]>;
  /** Messages in the order of their positions. @throws AnnalsError as `append` */
  page(request: PageRequest): Promise<readonly StoredMessage[]>;
  /** Removes a project's messages with these ids, however often they are stored. @throws AnnalsError as `append` */
  remove(project: string, ids: readonly string[]): Promise<Removal>;
  /** @throws AnnalsError as `append` */
  state(): Promise<SharedLogState>;
  /** Resolves when the connection is gone for good, or was closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export const PAGE_MESSAGES = 256;
/** A page ends when it has so many. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** As servers of NATS take them by default. */
export const MESSAGE_BYTES_MAX = 1024 * 1024;

export interface SharedLogAddress {
  /** `nats://`, `tls://` (NATS too) or `postgres://`, with the user and the password if they need no file. */
  readonly url: string;
  /** The content of a credentials file of NATS, which has the user's token and key. */
  readonly credentials?: string | undefined;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca?: string | undefined;
  /** An opaque name. */
  readonly team: string;
  /** Makes what the engine needs for this team, if it is missing. */
  readonly create?: boolean;
  /** Copies in a cluster, with `create`. Default 1. */
  readonly replicas?: number | undefined;
}
