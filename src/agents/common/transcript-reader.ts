// How an import reads a transcript of any agent. Most agents need only a format (records.ts); Claude Code has a reader
// of its own.
import type { FileHandle } from 'node:fs/promises';
import type { Log, NewEvent } from '../../../log/index.ts';
import type { PrivatePrompts } from '../../capture/private/private-prompts.ts';
import type { LinePage } from '../../capture/transcripts/line-pages.ts';
import type { Line } from '../../capture/transcripts/line-splitter.ts';
import type { Sanitizer } from './sanitizer.ts';
import type { SubagentFiles } from './subagent-files.ts';

export interface ParkedPiece {
  readonly offset: number;
  readonly length: number;
  readonly reason: string;
}

/** A session in the file, or a sub-agent of one, with the folders it worked in (first seen first). */
export interface Speaker {
  readonly session: string;
  readonly agentId: string | null;
  readonly cwds: readonly string[];
}

export interface ReaderCounts {
  /** Lines read, without blank ones. */
  readonly lines: number;
  /** Lines of a known type. Zero means that the file is not a transcript. */
  readonly known: number;
  readonly parked: number;
  readonly unknownLines: { readonly [name: string]: number };
  /** Of Claude Code's system lines. */
  readonly unknownSubtypes: { readonly [name: string]: number };
  readonly unknownAttachments: { readonly [name: string]: number };
  /** Texts in a person's place that are not a person's, by reason. */
  readonly refused: { readonly [reason: string]: number };
  readonly events: { readonly [type: string]: number };
}

/** What every reader's state has: a JSON value that depends only on the bytes read. */
export interface TranscriptState {
  readonly version: number;
  /** The next byte to read. */
  readonly offset: number;
  readonly session: string | null;
  /** Time of the last line that has one, Unix ms. */
  readonly time: number | null;
  readonly speakers: readonly Speaker[];
  /** How many private prompts were known from hooks, up to `time`, when the file was read. */
  readonly privateHooks: number;
  /** promptId → since when its run is private, Unix ms; 0 means from its beginning, null that it is public. */
  readonly runs: readonly (readonly [string, number | null])[];
  /** Sub-agents and background tasks launched here, and whether a private turn launched them. */
  readonly launched: readonly (readonly [string, boolean])[];
  readonly counts: ReaderCounts;
  /** The first 100. */
  readonly parked: readonly ParkedPiece[];
}

export const NO_COUNTS: ReaderCounts = {
  lines: 0,
  known: 0,
  parked: 0,
  unknownLines: {},
  unknownSubtypes: {},
  unknownAttachments: {},
  refused: {},
  events: {},
};

export interface TranscriptReader<S extends TranscriptState = TranscriptState> {
  /** Before the first byte. */
  readonly fresh: S;
  /** Whether the file must be read from its beginning, although it continues what was read. */
  isOutdated(state: S): boolean;
  /** The rest of the file, in pages. */
  pages(state: S): AsyncIterable<LinePage>;
  read(state: S, lines: readonly Line[]): { readonly events: readonly NewEvent[]; readonly state: S };
  /** Ids of calls without a result so far, without those of private turns. */
  openToolUses(state: S): readonly string[];
  /** Called when the file was read to its end. */
  ended(state: S): void;
}

/** What a reader may ask while it opens a file. */
export interface TranscriptRun {
  readonly log: Pick<Log, 'cursor' | 'pageBySession'>;
  readonly sanitizer: Sanitizer;
  /** Extended by what each file shows. */
  readonly privatePrompts: PrivatePrompts;
  readonly subagents: SubagentFiles;
}

/**
 * `heldBack`: why nothing of the file may be read, such as a private turn's sub-agent. `isPostponed`: it may be read when
 * the other files have been.
 */
export type OpenedTranscript =
  | { readonly reader: TranscriptReader }
  | { readonly heldBack: string; readonly isPostponed?: true };

export type OpenTranscript = (
  path: string,
  file: FileHandle,
  run: TranscriptRun,
) => Promise<OpenedTranscript>;
