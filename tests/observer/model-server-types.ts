// What the scripted model service sees and answers.
import type { IncomingMessage } from 'node:http';

export interface ModelRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Null for a request without one. */
  readonly body: ModelBody | null;
  /** The same as text, to look for what must not be in it. */
  readonly text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
export type ModelBody = any;

/** One answer. Without any field: an empty reply. */
export interface ScriptedAnswer {
  readonly text?: string;
  /** Default: the end of the reply, or the limit of tokens if the text is longer. */
  readonly stopReason?: string;
  /** Default: counted from the texts, with the prefixes that are cached. Null: none is sent. */
  readonly usage?: Tokens | null;
  readonly model?: string;
  /** Before the answer, ms. */
  readonly delayMs?: number;
  /** Answered when this has ended. */
  readonly after?: Promise<unknown>;
  /** An error. `type` and `message` are those of its body. */
  readonly status?: number;
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, in place of a reply or of an error's body. */
  readonly raw?: string;
  /** The connection is cut instead of an answer, or in the middle of its body. */
  readonly cut?: 'before' | 'within';
  /** In a batch: the service did not come to it, or has no line about it. */
  readonly batch?: 'expired' | 'missing';
  /** There is never an answer, or never the end of its body. */
  readonly hangs?: 'before' | 'within';
}

/** `input` is what was neither read from the cache nor written to it. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface Protocol {
  handles(path: string): boolean;
  /** What the service refuses before it asks the model. */
  refusalOf(request: ModelRequestSeen, key: string | null, isBatch: boolean): ScriptedAnswer | null;
  /** Of an answer or an error. */
  body(answer: ScriptedAnswer, request: ModelBody): string;
  /** The same answer piece by piece. */
  events(body: string): readonly string[];
}
