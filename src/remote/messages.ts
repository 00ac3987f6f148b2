// The messages of the protocol. A client says hello, the server says hello, and then the client calls methods. Functions
// and signals in the arguments stay on the client: the message says where they were, and the server calls them back.
import type { ChangeState } from '../api.ts';

/** Raised when messages change so that an older side would misunderstand them. */
export const PROTOCOL = 1;

/** What a side reports about itself. Protocol and version never change their form, so that any two versions understand them. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
  /** Of the product. */
  readonly version: string;
  /** The home that is served; empty from a client. */
  readonly home: string;
  /** Anything else: the process, what its environment sets. */
  readonly facts: { readonly [name: string]: unknown };
}

export type ClientMessage =
  | Hello
  | {
      readonly type: 'call';
      readonly id: number;
      readonly method: string;
      readonly args: readonly unknown[];
      readonly markers: readonly Marker[];
    }
  /** The next items of an iteration. */
  | { readonly type: 'pull'; readonly id: number }
  /** Ends an iteration or a subscription. */
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'abort'; readonly id: number; readonly signal: number }
  /** The answer of a function that the server called. */
  | ({ readonly type: 'returned'; readonly id: number; readonly callback: number } & Outcome);

export type ServerMessage =
  | Hello
  | ({ readonly type: 'answer'; readonly id: number } & Outcome)
  | {
      readonly type: 'callback';
      readonly id: number;
      readonly callback: number;
      readonly function: number;
      readonly args: readonly unknown[];
    }
  | {
      readonly type: 'items';
      readonly id: number;
      readonly items: readonly unknown[];
      readonly done: boolean;
    }
  | { readonly type: 'changed'; readonly id: number; readonly state: ChangeState };

export interface Outcome {
  readonly ok?: unknown;
  readonly error?: RemoteError | undefined;
}

/** Where in the arguments something was that JSON does not have; `property` of an object among them, or null. */
export type Marker = readonly [
  argument: number,
  property: string | null,
  kind: MarkerKind,
  value: number | string,
];
/** A function or a signal by its number, a number that JSON lacks as text, or undefined. */
export type MarkerKind = 'function' | 'signal' | 'number' | 'undefined';

export interface RemoteError {
  /** Null for an error that is not an AnnalsError. */
  readonly code: string | null;
  readonly name: string;
  readonly message: string;
  readonly hint: string | null;
  readonly facts: { readonly [name: string]: string | number | boolean | null };
}
