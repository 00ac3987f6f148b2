// What the reader hands to whoever tells of a line: the line itself, what stands around it, the world it is read in.
import type { Json, NewEvent } from '../../../log/index.ts';
import type { Sanitizer } from './claude-sanitizer.ts';
import type { LiveReaderState } from './live-reader-state.ts';
import type { JsonObject } from './transcript-line.ts';

export interface ReaderWorld {
  readonly sanitizer: Sanitizer;
  /** Reads a stretch of the same file again: what a cursor knows only by its place. Null when it is not there. */
  readonly lineAt: (offset: number, length: number) => Uint8Array | null;
  /** Whether a sub-agent has a file of its own, which tells more than what the main file repeats of it. */
  readonly hasOwnFile: (agentId: string) => boolean;
  /** Session of lines that name none: the file's own. */
  readonly fallbackSession: string | null;
  /** Set when the file is a sub-agent's: its id, as the file name has it. */
  readonly agentId: string | null;
  /** Prompt ids that are private by the main file beside a sub-agent's file. */
  readonly privatePromptIds: ReadonlySet<string>;
}

/** One line while it is being read. */
export interface LineReading {
  readonly readerState: LiveReaderState;
  readonly world: ReaderWorld;
  readonly line: JsonObject;
  readonly offset: number;
  readonly length: number;
  readonly session: string;
  readonly uuid: string | null;
  readonly agentId: string | null;
  readonly sidechain: boolean;
  readonly main: boolean;
  readonly promptUuid: string | null;
  readonly private: boolean;
  emit(event: NewEvent): void;
  /** A name (folder, branch, title), sanitized. */
  name(value: Json | undefined): string | null;
}
