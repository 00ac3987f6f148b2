// What the reader passes to the functions that make events of a line: the line, its context and its file.
import type { Json, NewEvent } from '../../../log/index.ts';
import type { PrivatePrompts } from '../../capture/private/private-prompts.ts';
import type { JsonObject } from '../common/json-fields.ts';
import type { Sanitizer } from '../common/sanitizer.ts';
import type { LiveReaderState } from './live-reader-state.ts';

export interface ReaderWorld {
  readonly sanitizer: Sanitizer;
  /** Reads part of the same file again, by location. Null when it is not there. */
  readonly lineAt: (offset: number, length: number) => Uint8Array | null;
  /** Whether a sub-agent has a file of its own, which has more than the main file repeats of it. */
  readonly hasOwnFile: (agentId: string) => boolean;
  /** Session of lines that name none: the file's own. */
  readonly fallbackSession: string | null;
  /** Set when the file is a sub-agent's: the id in the file name. */
  readonly agentId: string | null;
  /** Prompt ids that are private according to the sub-agent's main file. */
  readonly privatePromptIds: ReadonlySet<string>;
  /** Prompts that are private according to another channel, or in another file. */
  readonly privatePrompts: Pick<PrivatePrompts, 'includes' | 'hidesRun'>;
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
