// Parses one waiting file: which agent sent it, which turn it belongs to, what it launched. No events are made yet. A
// file that is unusable, or that is counted and dropped, gets a reason.
import { createHash } from 'node:crypto';
import { dirname, isAbsolute } from 'node:path';
import { type Json, parseJson } from '../../../log/index.ts';
import type { Agent, CommonHook } from '../../agents/common/agent.ts';
import { idOf, listOf, objectOf, stringOf, wholeOf } from '../../agents/common/json-fields.ts';
import { launchedTasks } from '../../agents/common/tool-result.ts';
import { agentNamed } from '../../agents/index.ts';
import type { Machine } from '../../platform/machine.ts';
import { isPrivatePrompt } from '../text/tags.ts';
import { callerOf, namedIn } from './caller.ts';

/** A longer string in an input is content, not an id: 4,096 characters. */
const INPUT_CHARS_MAX = 4_096;

export interface Payload {
  readonly agent: string;
  /** In the common form. */
  readonly hook: CommonHook;
  readonly event: string;
  readonly session: string | null;
  readonly promptId: string | null;
  readonly agentId: string | null;
  /** The path where the agent says that it writes this session's transcript. */
  readonly transcript: string | null;
  /** Where it happened. Empty when the agent does not say it. */
  readonly folders: readonly string[];
  /** Ids of what this tool use started: a sub-agent, a background shell. */
  readonly launches: readonly string[];
  /** Short strings of the tool's input. One of them may name a background task. */
  readonly inputs: readonly string[];
  /** How long a tool ran, in ms; 0 when unknown. */
  readonly durationMs: number;
  /** Set when this reports a tool use without the id of its call: what identifies the call in the transcript. */
  readonly call: string | null;
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
  | { readonly ignored: string }
  | { readonly unusable: string; readonly senderUnknown?: true };

/** `file`: the name of the spool file. */
export function readPayload(bytes: Buffer, file: string, machine: Machine): PayloadOrProblem {
  if (bytes.length === 0) return { unusable: 'empty' };
  const parsed = parseJson(bytes.toString('utf8'));
  if ('problem' in parsed) return { unusable: parsed.problem };
  const sent = objectOf(parsed.value as Json);
  if (sent === null) return { unusable: 'not a JSON object' };
  const named = namedIn(file);
  const known = named === null ? undefined : agentNamed(named);
  const caller = callerOf(sent, known?.name ?? null);
  if (caller === null) return { unusable: 'the sending agent cannot be determined', senderUnknown: true };
  const agent = known ?? agentNamed('claude-code')!;
  // The hooks of its own settings report the same.
  if (caller !== agent.name) return { ignored: `of ${caller}` };
  const hook = agent.hooks?.read(sent) ?? 'an agent without hooks';
  if (typeof hook === 'string') return { ignored: hook };
  // The sub-agent that summarises a session has ended. It belongs to no turn, and repeats all of them.
  if (hook.hook_event_name === 'SubagentStop' && hook.agent_type === '')
    return { ignored: 'compaction summary' };
  return { payload: payloadOf(agent, hook, machine) };
}

function payloadOf(agent: Agent, hook: CommonHook, machine: Machine): Payload {
  const event = stringOf(hook.hook_event_name) ?? '';
  const { transcriptOf } = agent.hooks!;
  const isAnonymous =
    transcriptOf !== undefined && event.startsWith('PostToolUse') && idOf(hook.tool_use_id) === null;
  return {
    agent: agent.name,
    hook,
    event,
    session: idOf(hook.session_id),
    promptId: idOf(hook.prompt_id),
    agentId: idOf(hook.agent_id),
    transcript: stringOf(hook.transcript_path) ?? transcriptOf?.(hook, machine) ?? null,
    folders: foldersOf(hook),
    launches: launchedTasks(hook.tool_response ?? null),
    inputs: Object.values(objectOf(hook.tool_input) ?? {})
      .map(stringOf)
      .filter((text) => text !== null && text.length <= INPUT_CHARS_MAX) as string[],
    durationMs: Math.max(0, wholeOf(hook.duration_ms) ?? 0),
    call: isAnonymous ? callPrint(stringOf(hook.tool_name) ?? '', hook.tool_input ?? null) : null,
    continued: hook.stop_hook_active === true,
    prompt: promptPart(hook),
  };
}

/** The folders of the workspace, the one that the agent works in first; else that of the file that a tool used. */
function foldersOf({ cwd, workspace_folders, tool_input }: CommonHook): readonly string[] {
  const named = [cwd, ...listOf(workspace_folders)].flatMap((one) => stringOf(one) || []);
  if (named.length > 0) return named;
  const file = stringOf(objectOf(tool_input)?.file_path);
  return file !== null && isAbsolute(file) ? [dirname(file)] : [];
}

/** The same for a hook and a record of the same call: of the tool's name and its input, whatever the order of keys. */
export function callPrint(name: string, input: Json): string {
  return createHash('sha256')
    .update(JSON.stringify([name, sorted(input)]))
    .digest('base64');
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  const object = objectOf(value);
  if (object === null) return value;
  return Object.entries(object)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]);
}

function promptPart(hook: CommonHook): PromptPart | null {
  const text = stringOf(hook.prompt);
  if (hook.hook_event_name !== 'UserPromptSubmit' || text === null) return null;
  const byPerson = hook.by_person !== false;
  return { byPerson, private: byPerson && isPrivatePrompt(text), machineText: byPerson ? '' : text };
}
