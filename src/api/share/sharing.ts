// Sharing a memory between machines: the team of this home, its projects, and what was sent and taken in.

export interface ShareJoinOptions {
  /** nats://, tls:// or postgres://. */
  readonly url: string;
  /** Of this machine, for the other members. */
  readonly name: string;
  /** The content of a credentials file of NATS. */
  readonly credentials?: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca?: string;
  /** Copies in a cluster of NATS. Default 1. */
  readonly replicas?: number;
}

export interface ShareJoined {
  readonly team: string;
  /** Without user and password. */
  readonly server: string;
  /** Opens everything, and is kept nowhere. */
  readonly recoveryKey: string;
}

export interface ShareInviteOptions {
  /** Of the new machine, for the members. */
  readonly name: string;
  /** An admin invites and removes; a reader never writes. Default member. */
  readonly role?: 'admin' | 'member' | 'reader';
  /** Names or keys of the only projects that it may read, and write. Default: all, also later ones. */
  readonly projects?: readonly string[];
  /** How long the invitation may be taken. Default 7. */
  readonly days?: number;
  /** Another login on the server than that of this machine: an address with a user, or the content of a credentials file. */
  readonly url?: string;
  readonly credentials?: string;
}

export interface ShareCredentialOptions
  extends Pick<ShareInviteOptions, 'name' | 'projects' | 'url' | 'credentials'> {
  /** How long it reads. Default 90. */
  readonly days?: number;
}

export interface ShareMember {
  /** Id of the machine. */
  readonly machine: string;
  readonly name: string;
  readonly role: 'admin' | 'member' | 'reader';
  /** Keys of projects, or their opaque names where this machine cannot open them; null for all. */
  readonly projects: readonly string[] | null;
  /** When the membership ends, and when it was ended. Unix ms. */
  readonly until: number | null;
  readonly removedAt: number | null;
  readonly self: boolean;
}

export interface ShareChanged {
  /** False while the shared log cannot be reached: the change is sent with the next exchange. */
  readonly sent: boolean;
}

export interface ShareLeaveOptions {
  /** Also if the server cannot be reached or refuses. `sent` is false then, and for an admin: the others do not learn of it. */
  readonly force?: boolean;
}

export interface ShareLeft extends ShareChanged {
  /** Null if its file could not be read any more. */
  readonly team: string | null;
}

export interface ShareRemoved extends ShareChanged {
  readonly removed: readonly { readonly machine: string; readonly name: string }[];
  /** Keys of the projects that have a new key. */
  readonly rotated: readonly string[];
}

export interface ShareRecoverOptions extends Omit<ShareJoinOptions, 'replicas'> {
  readonly recoveryKey: string;
  /** Names or ids of machines that are lost. */
  readonly remove?: readonly string[];
}

export interface ShareAccepted {
  readonly team: string;
  /** Without user and password. */
  readonly server: string;
}

export interface ShareProjectOptions {
  /** Stop sharing it. What was sent stays with those who have it. */
  readonly stop?: boolean;
  /** Also what was captured before. */
  readonly withHistory?: boolean;
}

export interface SharedProjectStatus {
  readonly key: string;
  readonly name: string;
  /** Events of this log that were not looked at yet. */
  readonly waiting: number;
  /** Why nothing is sent; null when it is. */
  readonly held: string | null;
}

export interface ShareStatus {
  /** Null when this home is in no team; then everything else is empty. */
  readonly team: string | null;
  /** Of this machine in the team; null until it is admitted. */
  readonly name: string | null;
  readonly role: string | null;
  readonly server: string | null;
  /** Null when it cannot be reached. */
  readonly engine: { readonly name: string; readonly version: string; readonly head: number } | null;
  readonly projects: readonly SharedProjectStatus[];
  /** How far the shared log was read. */
  readonly read: number;
  /** Messages whose key is not known yet. */
  readonly unopened: number;
  readonly refused: readonly { readonly position: number; readonly reason: string }[];
  /** Events that are too large. */
  readonly unsent: number;
  /** One sentence each. */
  readonly warnings: readonly string[];
}

export interface SharePreview {
  readonly key: string;
  readonly name: string;
  readonly events: number;
  /** Before they are sealed. */
  readonly bytes: number;
  readonly types: Readonly<Record<string, number>>;
  readonly sessions: readonly { readonly agent: string; readonly session: string; readonly events: number }[];
  /** The first events, exactly as they would be sealed: one line of JSON each. */
  readonly lines: readonly string[];
}

export interface ShareSyncReport {
  /** Events that were sent; of these, how many the shared log had already. */
  readonly sent: number;
  readonly known: number;
  /** Messages that were read, and events that were new here. */
  readonly messages: number;
  readonly received: number;
  /** What of forgotten events may be left on the server, one sentence each. */
  readonly remains: readonly string[];
  /** Why some projects were not sent, one sentence each. */
  readonly held: readonly string[];
}

/** What this machine has of a shared project: what it sent and what it received. Equal sets have equal digests. */
export interface ShareDigest {
  /** Of the project. */
  readonly key: string;
  readonly events: number;
  /** 32 hex digits. */
  readonly digest: string;
}

/** A forgetting of this machine, in a shared project. */
export interface SharedForgetting {
  /** Of the `memory.forgotten` event. */
  readonly id: string;
  /** Key of the project. */
  readonly project: string;
  /** Unix ms. */
  readonly at: number;
  /** Events of the project that it named. */
  readonly events: number;
  /** Whether it has left this machine. */
  readonly sent: boolean;
  /** Those of the team that had the project then. */
  readonly machines: readonly ForgettingMachine[];
}

export interface ForgettingMachine {
  /** Id of the machine. */
  readonly machine: string;
  readonly name: string;
  /** When it said that it applied the forgetting and rewrote its files, by its clock; null if it did not. Unix ms. */
  readonly confirmed: number | null;
  /** When it sent its last message, by its clock; null if it never did. Unix ms. */
  readonly seen: number | null;
  /** Why it will never say so: it only reads, or was removed and keeps what it had. Null otherwise. */
  readonly silent: 'reader' | 'removed' | null;
}
