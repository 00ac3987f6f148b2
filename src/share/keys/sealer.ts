// What the rest of sharing uses of the keys: events are sealed and opened, and records of the team travel beside them.

import type { EventContent } from '../../../log/index.ts';

export interface Sealer {
  /**
   * Seals events, one result each, in the order given. One signature covers them all, so a batch costs little more than
   * a single event. New keys that this makes are in `pending` and must be sent first.
   * @throws SealError `waiting`, `reader`, `removed`, `expired`, `project`: this machine may not write; `size`
   */
  seal(items: readonly PlainEvent[]): Promise<readonly Uint8Array[]>;
  /**
   * Null: its key or its author is not known yet; try again after a call of `accept` that returned true.
   * @throws SealError damaged, forged, or by an author who may not write; `hidden`: of a project that is not for this machine
   */
  open(sealed: Uint8Array): Promise<Opened | null>;
}

/** Many events at once: what a page of the log or of the server holds. Large batches are worked on in a thread. */
export interface EventSealer {
  /** As `seal`, one result each; `bytes` is null for an event that is too large to be sent. */
  sealEvents(items: readonly EventToSeal[]): Promise<readonly SealedEventOf[]>;
  /** As `open`, one result each; nothing is thrown because of one of them. */
  openEvents(messages: readonly Uint8Array[]): Promise<readonly (OpenedEvent | Refused | null)[]>;
}

export interface EventToSeal {
  /** As this machine names it. */
  readonly project: string;
  readonly event: EventContent;
}

export interface SealedEventOf {
  /** What the shared log calls the event. */
  readonly name: string;
  readonly bytes: Uint8Array | null;
  /** Of the event as text. */
  readonly size: number;
}

export interface OpenedEvent extends Omit<Opened, 'plain'> {
  /** What the shared log must call it. */
  readonly name: string;
  readonly event: EventContent;
}

export interface Refused {
  /** Null if it was opened, and is no event. */
  readonly refused: Refusal | null;
  /** One sentence. */
  readonly reason: string;
}

export interface PlainEvent {
  /** The project as this machine names it. It leaves the machine only inside the sealed bytes. */
  readonly project: string;
  readonly plain: Uint8Array;
}

export interface Opened extends PlainEvent {
  /** Id of the machine that sealed it. */
  readonly author: string;
  /** When it was sealed, by the clock of its author. Unix ms. */
  readonly at: number;
}

export interface TeamRecord {
  /** Follows from the content. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface KeyRecords {
  /** Records made here that the shared log has not acknowledged. */
  pending(): readonly TeamRecord[];
  acknowledged(ids: readonly string[]): Promise<void>;
  /**
   * Takes records from the shared log, also our own, in any order, any number of times. They are on disk when it returns.
   * Returns how many were new, and which were refused.
   */
  accept(records: readonly Uint8Array[]): Promise<AcceptedRecords>;
  /** Every known record, for an engine that lost some. */
  all(): readonly TeamRecord[];
  /**
   * Makes the records that others wait for: admits those who were invited here, and gives known keys to members who lack
   * them. Call it when everything that the shared log holds was accepted.
   */
  settle(): Promise<void>;
}

export interface AcceptedRecords {
  readonly added: number;
  readonly refused: readonly { readonly index: number; readonly error: SealError }[];
}

const REFUSALS = {
  damaged: 'It is cut off, or was changed.',
  version: 'It has a format that this version does not know.',
  size: 'It is too large.',
  team: 'It belongs to another team.',
  forged: 'Its signature is not that of its author.',
  key: 'It cannot be decrypted with the key that it names.',
  reader: 'Its author may read, not write.',
  removed: 'Its author had been removed from the team.',
  expired: 'The membership of its author had ended.',
  project: 'Its author may not use this project.',
  hidden: 'This machine may not use this project.',
  waiting: 'This machine has not been admitted to the team yet.',
} as const;

export type Refusal = keyof typeof REFUSALS;

/** Why something was refused. Its message quotes nothing of the content. */
export class SealError extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(REFUSALS[reason]);
    this.name = 'SealError';
    this.reason = reason;
  }
}
