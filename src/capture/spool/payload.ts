// One waiting file, looked at: who sent it, which turn it serves, what it launched. Nothing is told yet. What
// cannot be used says why.
import { type Json, parseJson } from '../../../log/index.ts';
import { wordsOfHook } from '../../agents/claude-code/human-words.ts';
import { launchedTasks } from '../../agents/claude-code/tool-result.ts';
import {
  idOf,
  type JsonObject,
  objectOf,
  stringOf,
  wholeOf,
} from '../../agents/claude-code/transcript-line.ts';
import { isPrivatePrompt } from '../text/tags.ts';
import { type Caller, callerOf } from './caller.ts';

/** A longer string of an input is content: 4,096 characters. */
const INPUT_CHARS_MAX = 4_096;

export interface Payload {
  readonly caller: Caller;
  readonly hook: JsonObject;
  readonly event: string;
  readonly session: string | null;
  readonly promptId: string | null;
  readonly agentId: string | null;
  /** Where the agent says that it writes this session down. */
  readonly transcript: string | null;
  /** Ids of what this tool use set going: a sub-agent, a background shell. */
  readonly launches: readonly string[];
  /** Short strings of the tool's input: among them one that names a background task that it asks about. */
  readonly inputs: readonly string[];
  /** How long a tool ran, in ms; 0 where nobody said. */
  readonly durationMs: number;
  /** The agent that sums up a session when it is compacted has ended. It serves no turn, and says again what all of them said. */
  readonly compaction: boolean;
  /** The agent stops again: a hook had told it to go on. */
  readonly goesOn: boolean;
  /** Set when this is a prompt. */
  readonly prompt: PromptPart | null;
}

export interface PromptPart {
  /** False for what the agent's own machinery put in as a prompt: a finished task, a wake-up. */
  readonly byPerson: boolean;
  readonly private: boolean;
  /** What a machine's prompt says; it names the task that it is about. Empty for a person's. */
  readonly machineText: string;
}

/** `ofNobody`: whose it is cannot be known, so neither can what is private in it. */
export type PayloadOrProblem =
  | { readonly payload: Payload }
  | { readonly unusable: string; readonly ofNobody?: true };

export function readPayload(bytes: Buffer): PayloadOrProblem {
  if (bytes.length === 0) return { unusable: 'empty' };
  const parsed = parseJson(bytes.toString('utf8'));
  if ('problem' in parsed) return { unusable: parsed.problem };
  const hook = objectOf(parsed.value as Json);
  if (hook === null) return { unusable: 'no JSON object' };
  const caller = callerOf(hook);
  if (caller === null) return { unusable: 'nothing in it says which agent sent it', ofNobody: true };
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
      goesOn: hook.stop_hook_active === true,
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
