// What a hook's payload asks for, and the answer in the agent's own form.
import { isAbsolute } from 'node:path';
import { type Json, parseJson } from '../../log/index.ts';
import type { AgentHooks, CommonHook } from '../agents/common/agent.ts';
import { idOf, objectOf, stringOf } from '../agents/common/json-fields.ts';
import { eventAnswer } from '../agents/common/start-answer.ts';
import type { RecallForEdit, RecallForError, RecallForPrompt, RecallOccasion } from '../api/recall.ts';
import { callerOf } from '../capture/spool/caller.ts';
import { wholePayload } from '../capture/spool/end-mark.ts';
import { stripTags } from '../capture/text/tags.ts';
import { stat } from '../platform/disk-files.ts';

type Placed<T> = Omit<T, 'project' | 'cwd'> & { readonly cwd: string };

export interface RecallRequest {
  readonly session: string;
  /** Null in the main session. */
  readonly subagent: string | null;
  readonly options: Placed<RecallForPrompt> | Placed<RecallForError> | Placed<RecallForEdit>;
}

const NS_PER_MS = 1_000_000n;

const READERS = { prompt: promptIn, error: errorIn, edit: editIn };

/** Null for a payload that asks nothing, or is not this agent's. @param body as in the spool, with the mark */
export async function askedIn(
  agent: string,
  hooks: AgentHooks,
  occasion: RecallOccasion,
  body: Buffer,
): Promise<RecallRequest | null> {
  const parsed = parseJson((wholePayload(body) ?? body).toString('utf8'));
  const payload = 'value' in parsed ? objectOf(parsed.value as Json) : null;
  // Other agents run the hooks of Claude Code's settings, and take answers of another form.
  if (payload === null || callerOf(payload, agent) !== agent) return null;
  const hook = hooks.read(payload);
  if (typeof hook === 'string') return null;
  const session = idOf(hook.session_id);
  const cwd = stringOf(hook.cwd) ?? '';
  const asked = await READERS[occasion](hook);
  if (session === null || cwd === '' || asked === null) return null;
  return { session, subagent: idOf(hook.agent_id), options: { ...asked, cwd, session } };
}

export function answerInForm(
  { recallEvents, contextMax }: AgentHooks,
  occasion: RecallOccasion,
  text: string,
): string {
  const event = recallEvents?.[occasion];
  return event === undefined || Buffer.byteLength(text) > contextMax ? '' : eventAnswer(event, text);
}

/** Null for what no person typed, for a command of the program, and for a private prompt. */
function promptIn(hook: CommonHook): RecallForPrompt | null {
  if (hook.hook_event_name !== 'UserPromptSubmit' || hook.by_person === false) return null;
  const { text } = stripTags(stringOf(hook.prompt) ?? '', { author: 'person' });
  return text.trim() === '' || /^[/!]/.test(text) ? null : { occasion: 'prompt', text };
}

/** Null for a file that does not exist, or is a link: it is not known when it changed. */
async function editIn(hook: CommonHook): Promise<RecallForEdit | null> {
  if (hook.hook_event_name !== 'PreToolUse') return null;
  const input = objectOf(hook.tool_input);
  const file = stringOf(input?.file_path) ?? stringOf(input?.notebook_path);
  if (file === null || !isAbsolute(file)) return null;
  const found = await stat(file);
  return found?.kind === 'file'
    ? { occasion: 'edit', file, changedAt: Number(found.modifiedNs / NS_PER_MS) }
    : null;
}

function errorIn(hook: CommonHook): RecallForError | null {
  if (hook.hook_event_name !== 'PostToolUseFailure' || hook.is_interrupt === true) return null;
  const command = stringOf(objectOf(hook.tool_input)?.command);
  const error = stringOf(hook.error);
  return command === null || error === null ? null : { occasion: 'error', command, error };
}
