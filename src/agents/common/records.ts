// What a transcript says, in one form for all agents. The folder of an agent turns its lines into records; the reader
// of records (record-reader.ts) decides what is private, joins calls with results, cleans the text and makes the events.
// So an adapter holds only facts about a format. Claude Code's transcripts need more than records can say (parent
// chains, forks, copies), so it has a reader of its own.
import type { Json, Usage } from '../../../log/index.ts';
import type { JsonObject } from './json-fields.ts';

/** Fields of every record. Text is as the agent wrote it: the reader of records sanitizes it. */
export interface RecordFields {
  /** Unix ms; null when the line has no time. The reader then takes the time of the line before. */
  readonly at: number | null;
  /** The agent's own id of the turn; hooks of this agent must report the same. Null when the format has none. */
  readonly turn?: string | null;
  /** Set for what a sub-agent of this session did: the sub-agent's id. */
  readonly agentId?: string | null;
  /** Where this line says the agent works; else the session's last folder counts. */
  readonly cwd?: string | null;
  /** The agent's own id of the line. */
  readonly uuid?: string | null;
}

/** A session begins or goes on. The first record of a file must be one, and names the session of all that follows. */
export interface SessionRecord extends RecordFields {
  readonly kind: 'session';
  readonly session: string;
  /**
   * Set in the file of a sub-agent: the session, or the sub-agent, that launched it. Its events belong to the session that
   * all of them work for.
   */
  readonly parentSession?: string | null;
  /** startup, resume, clear, compact, fork; null when the file does not say. */
  readonly source?: string | null;
  readonly model?: string | null;
  readonly branch?: string | null;
  readonly agentVersion?: string | null;
  /** Which program of the agent: cli, vscode, exec. */
  readonly entrypoint?: string | null;
}

/** The session works in another folder, or on another branch, from here on. */
export interface WorkdirRecord extends RecordFields {
  readonly kind: 'workdir';
  readonly branch?: string | null;
}

/** What a person sent. Text that a program put in a person's place is an `ignored` record. */
export interface PromptRecord extends RecordFields {
  readonly kind: 'prompt';
  /** Unique in its session, the same each time that the file is read. Never a time, never a text. */
  readonly id: string;
  readonly text: string;
  /** The agent's own word for where it came from. */
  readonly source?: string | null;
  readonly images?: number;
}

/** The agent calls a tool. */
export interface CallRecord extends RecordFields {
  readonly kind: 'call';
  /** The agent's id of the call; hooks report the same if they report one. */
  readonly id: string;
  /** The agent's own name of the tool. */
  readonly name: string;
  readonly input: Json;
  readonly model?: string | null;
  readonly messageId?: string | null;
  readonly usage?: Usage | null;
}

/** The outcome of a call. */
export interface ResultRecord extends RecordFields {
  readonly kind: 'result';
  /** The id of its call. */
  readonly id: string;
  /** failed: the tool said so, or a command ended with another exit code than 0. cancelled: a person or a rule denied it. */
  readonly outcome: 'ok' | 'failed' | 'cancelled';
  /** As the model saw it. */
  readonly text: string | null;
  /** The structured result, without what `text` and the input hold and without whole files. */
  readonly detail?: Json;
  readonly durationMs?: number | null;
  /** The sub-agent that the call launched. */
  readonly launchedAgentId?: string | null;
}

/** What the agent said to the person. */
export interface ReplyRecord extends RecordFields {
  readonly kind: 'reply';
  /** Unique in its session, as for a prompt. */
  readonly id: string;
  /** Null for a message without text, which only reports usage. */
  readonly text: string | null;
  readonly model?: string | null;
  readonly messageId?: string | null;
  readonly usage?: Usage | null;
  /** A summary that replaces the conversation before it. */
  readonly compaction?: boolean;
  /** It says so itself, or it calls tools: this is not the end of the turn. */
  readonly goesOn?: boolean;
}

/** The agent rests. */
export interface StopRecord extends RecordFields {
  readonly kind: 'stop';
  readonly id: string;
  readonly reason: 'stop' | 'subagent-stop' | 'error' | 'interrupted';
  /** The machine-readable error, when `reason` is error. */
  readonly error?: string | null;
  /** The final answer, if the line repeats it. */
  readonly text?: string | null;
  readonly durationMs?: number | null;
}

/** The session ends. */
export interface EndRecord extends RecordFields {
  readonly kind: 'end';
  readonly reason: string | null;
}

export interface TitleRecord extends RecordFields {
  readonly kind: 'title';
  /** Who made it. */
  readonly source: 'custom' | 'ai' | 'summary';
  readonly title: string;
}

/** Text in a person's place that no person wrote. Counted by reason, not kept. */
export interface IgnoredRecord extends RecordFields {
  readonly kind: 'ignored';
  /** A few plain words: `injected context`. */
  readonly reason: string;
}

/** A line of a type that the adapter does not know. Counted by name, not kept. */
export interface UnknownRecord extends RecordFields {
  readonly kind: 'unknown';
  /** The line's type, unchanged; the reader makes it safe to show. */
  readonly name: Json | undefined;
}

export type TranscriptRecord =
  | SessionRecord
  | WorkdirRecord
  | PromptRecord
  | CallRecord
  | ResultRecord
  | ReplyRecord
  | StopRecord
  | EndRecord
  | TitleRecord
  | IgnoredRecord
  | UnknownRecord;

/** Location of a line: byte offset in its (decoded) file, and the file's real path. */
export interface LineLocation {
  readonly offset: number;
  readonly path: string;
}

/**
 * How one agent writes transcripts. `M` is what the adapter must remember from earlier lines (the history mode, the
 * current turn): small JSON without any text that a person or the agent wrote, because it is kept in a cursor of the log.
 */
export interface TranscriptFormat<M extends JsonObject = JsonObject> {
  /** Raise it when the same bytes give other records: files are then read again. */
  readonly version: number;
  /** `lines`: JSON lines that only grow. `document`: one JSON value, rewritten whole each time. */
  readonly form: 'lines' | 'document';
  readonly memory: M;
  /** Set when lines have neither ids nor times: nothing shows which of them a hook reported too. Sessions that hooks reported are not read. */
  readonly unlessHooked?: true;
  /** Turns the bytes of the file into the text that `form` means, such as the decompressed lines. */
  readonly decode?: (bytes: Uint8Array) => Uint8Array;
  /**
   * The records of a line (of the whole document), in the order in which things happened, and the memory for the next
   * line. Pure. A known line with nothing to keep has no record. The records of a `call` must come out the same when the
   * line is read a second time with a later memory: the reader reads it again when its result comes.
   */
  records(line: JsonObject, memory: M, location: LineLocation): RecordsOfLine<M>;
}

export interface RecordsOfLine<M extends JsonObject = JsonObject> {
  readonly records: readonly TranscriptRecord[];
  readonly memory: M;
}
