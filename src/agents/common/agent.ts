// What Annals must know of a coding agent. One folder an agent; src/agents/index.ts lists them.

import type { RecallOccasion } from '../../api/recall.ts';
import type { Machine } from '../../platform/machine.ts';
import type { JsonObject } from './json-fields.ts';
import type { TranscriptFormat } from './records.ts';
import type { OpenTranscript } from './transcript-reader.ts';

export interface Agent {
  /** As in event envelopes, in hook commands and in names of spool files: `gemini-cli`. */
  readonly name: string;
  /** As people write it: `Gemini CLI`. */
  readonly title: string;
  /** Names of its program on the PATH, if no other program is called so: an agent that was never started has no folder. */
  readonly programs?: readonly string[];
  /** The folder with the agent's settings and transcripts. */
  folder(machine: Machine): string;
  /** Null when the agent has no hooks, or none that we use. */
  readonly hooks: AgentHooks | null;
  /** Null when the agent cannot start MCP servers, or is not known well enough. */
  readonly mcp: McpSettings | null;
  /** Null when what the agent writes cannot be read. */
  readonly transcripts: AgentTranscripts | null;
}

/**
 * A hook's payload in the common form: Claude Code's field names and event names, which most agents use already.
 *
 * - `hook_event_name`: SessionStart, SessionEnd, UserPromptSubmit, PostToolUse, PostToolUseFailure, Stop, StopFailure,
 *   SubagentStop. Any other name is counted under it and not kept.
 * - `session_id`, `cwd`, `workspace_folders` (other folders that are open), `transcript_path` (absolute), `prompt_id` (the id of
 *   the turn, as `turn` in records)
 * - `prompt`, `source`, `reason`, `model`, `permission_mode`
 * - `by_person`: false for a prompt that a program sent about a task; such a prompt is not kept
 * - `accepted_plan`: {plan, feedback} when the prompt is a plan of the agent that a person accepted
 * - `tool_name`, `tool_use_id` (as `id` of the call's record), `tool_input`, `tool_response`, `error`, `duration_ms`
 * - `outcome_unknown`: true when the agent's hook reports a tool use that failed like one that succeeded
 * - `last_assistant_message`, `agent_id`, `agent_type`
 */
export type CommonHook = JsonObject;

export interface AgentHooks {
  /**
   * The payload in the common form. A text says in a few plain words why nothing of it is kept, and is counted in `status`.
   * Pure; never throws.
   */
  read(payload: JsonObject): CommonHook | string;
  /**
   * What the agent's hook for the start of a session must print so that the text reaches the model. `message` is for the
   * person; empty unless `showsMessage`. Never called with two empty texts.
   */
  startAnswer(text: string, message: string): string;
  /** Set when the agent shows the person a message of several lines, with colours. */
  readonly showsMessage?: boolean;
  /**
   * The agent's events whose hooks may give the model a text, by what is recalled then. Only what is documented, or was seen
   * to reach the model.
   */
  readonly recallEvents?: Readonly<Partial<Record<RecallOccasion, string>>>;
  /** Longest text that reaches the model whole, in bytes of UTF-8. */
  readonly contextMax: number;
  /**
   * Set when hooks of tools carry no id of the call: the transcript at this path has it, under the same name and input. Null
   * when it is unknown.
   */
  readonly transcriptOf?: (hook: CommonHook, machine: Machine) => string | null;
  readonly settings: HookSettings;
}

/** One hook in the settings of an agent. */
export interface HookEntry {
  /** The agent's name of the event. */
  readonly event: string;
  /** Null for an event without matchers. */
  readonly matcher: string | null;
  /** Whether the hook starts a session, and prints the context. */
  readonly startsSession: boolean;
}

export interface HookCommand {
  /** A command line for any shell like sh. */
  readonly line: string;
  /** The same for sh itself, which takes one process less. */
  readonly shLine: string;
  /** Program and arguments, to start Node without a shell. */
  readonly words: readonly string[];
  /** Windows has no sh of its own: there, `words` are what can run. */
  readonly windows: boolean;
}

/** How hooks get into an agent's settings. The command of a hook never changes, so that it stays trusted. */
export type HookSettings =
  | {
      /** A settings file that the user shares with us. `groups`: {event: [{matcher, hooks: […]}]}. `flat`: {event: […]}. */
      readonly kind: 'groups' | 'flat';
      file(machine: Machine): string;
      readonly entries: readonly HookEntry[];
      /** The handler's object with the command in it. */
      handler(entry: HookEntry, command: HookCommand): JsonObject;
      /** Other keys that the file must have, such as `version`. Added if missing, never changed. */
      readonly required?: JsonObject;
      /** What the user must do after an installation, in one sentence. */
      readonly afterInstall?: string;
    }
  | {
      /** A file of our own, such as a plugin. Written whole; removed whole, if nobody changed it. */
      readonly kind: 'file';
      file(machine: Machine): string;
      /** @param command program and arguments, to which what the hook answers is added */
      content(command: readonly string[]): string;
      /** The command in such a text; null when there is none. */
      commandIn(text: string): readonly string[] | null;
      readonly afterInstall?: string;
    };

/** How an agent is given an MCP server that it starts itself: an entry in a settings file, in an object of servers by name. */
export interface McpSettings {
  /** `json`: also with comments. */
  readonly form: 'json' | 'toml';
  /** The object of servers. */
  readonly key: string;
  /** Where it may be: the first file that exists is used, or the first one. */
  files(machine: Machine): readonly string[];
  /** The server's entry; `words` are program and arguments. */
  server(words: readonly string[]): JsonObject;
}

export type AgentTranscripts = TranscriptFiles &
  (
    | {
        readonly format: TranscriptFormat;
        readonly open?: never;
        /** Set when the agent has also written files of another form: the format of such a file, null for any other file. */
        readonly otherFormat?: (file: FileStart) => TranscriptFormat | null;
      }
    | { readonly open: OpenTranscript; readonly format?: never; readonly otherFormat?: never }
  );

export interface TranscriptFiles {
  /** Folders where the agent writes them, to search and to watch. They need not exist. */
  folders(machine: Machine): readonly string[];
  /** Whether a file below these folders is a transcript, by its name. */
  isTranscript(path: string): boolean;
  /** Set when the agent may delete a transcript soon after it was written: changes are then imported at once. */
  readonly areDeleted?: boolean;
  /** Whether a file is a transcript of this agent, wherever it lies. */
  recognises(file: FileStart): boolean;
}

/** The beginning of a file. */
export interface FileStart {
  readonly path: string;
  /** Its first 64 KiB. */
  readonly text: string;
  /** The whole JSON objects among its first lines, at most 20; of a longer first line, that one. */
  readonly lines: readonly JsonObject[];
}
