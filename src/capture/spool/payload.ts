// Parses one waiting file: which agent sent it, which turn it belongs to, what it launched. No events are made yet. An
// unusable file gets a reason.
import { type Json, parseJson } from '../../../log/index.ts';
import { wordsOfHook } from '../../agents/claude-code/human-words.ts';
import { launchedTasks } from '../../agents/claude-code/tool-result.ts';
import { idOf, type JsonObject, objectOf, stringOf, wholeOf } from '../../agents/common/json-fields.ts';
import { isPrivatePrompt } from '../text/tags.ts';
import { type Caller, callerOf } from './caller.ts';

/** A longer string in an input is content, not an id: 4,096 characters. */
const INPUT_CHARS_MAX = 4_096;

export interface Payload {
  readonly caller: Caller;
  readonly hook: JsonObject;
  readonly event: string;
  readonly session: string | null;
  readonly promptId: string | null;
  readonly agentId: string | null;
  /** The path where the agent says that it writes this session's transcript. */
  readonly transcript: string | null;
  /** Ids of what this tool use started: a sub-agent, a background shell. */
  readonly launches: readonly string[];
  /** Short strings of the tool's input. One of them may name a background task. */
  readonly inputs: readonly string[];
  /** How long a tool ran, in ms; 0 when unknown. */
  readonly durationMs: number;
  /**
   * The sub-agent that summarises a session for a compaction has ended. It belongs to no turn, and repeats all of them.
   */
  readonly compaction: boolean;
  /** The agent stops again after a hook made it continue. */
  readonly continued: boolean;
  /** Set when this is a prompt. */
  readonly prompt: PromptPart | null;
}

export interface PromptPart {
  /** False for a prompt that a program sent: a finished task, a wake-up. */
  readonly byPerson: boolean;
  readonly private: boolean;
  /** The text of a program's prompt, which names the task it is about. Empty for a person's. */
  readonly machineText: string;
}

/** `senderUnknown`: the sending agent is unknown, so what is private in it is unknown too. */
export type PayloadOrProblem =
  | { readonly payload: Payload }
  | { readonly unusable: string; readonly senderUnknown?: true };

export function readPayload(bytes: Buffer): PayloadOrProblem {
  if (bytes.length === 0) return { unusable: 'empty' };
  const parsed = parseJson(bytes.toString('utf8'));
  if ('problem' in parsed) return { unusable: parsed.problem };
  const hook = objectOf(parsed.value as Json);
  if (hook === null) return { unusable: 'not a JSON object' };
  const caller = callerOf(hook);
  if (caller === null) return { unusable: 'the sending agent cannot be determined', senderUnknown: true };
  return {
    payload: {
      caller,
      hook,
      event: stringOf(hook.hook_event_name) ?? '',
      session: idOf(hook.session_id),
      promptId: idOf(hook.prompt_id),
      agentId: idOf(hook.agent_id),
      transcript: stringOf(hook.transcript_path),
      launches: launchedTasks(hook.tool_response ?? null),
      inputs: Object.values(objectOf(hook.tool_input) ?? {})
        .map(stringOf)
        .filter((text) => text !== null && text.length <= INPUT_CHARS_MAX) as string[],
      durationMs: Math.max(0, wholeOf(hook.duration_ms) ?? 0),
      compaction: hook.hook_event_name === 'SubagentStop' && hook.agent_type === '',
      continued: hook.stop_hook_active === true,
      prompt: promptPart(hook),
    },
  };
}

function promptPart(hook: JsonObject): PromptPart | null {
  const text = stringOf(hook.prompt);
  if (hook.hook_event_name !== 'UserPromptSubmit' || text === null) return null;
  const words = wordsOfHook(hook);
  return {
    byPerson: words !== null,
    private: words !== null && isPrivatePrompt(words),
    machineText: words === null ? text : '',
  };
}
