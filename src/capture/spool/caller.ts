// Finds out which agent sent a payload. Other agents run the hooks of Claude Code's settings too (Cursor from the
// user's file, GitHub Copilot from the repository's, Codex through plugins), and some use Claude's payload format.
// Their payloads are never stored under Claude's name. Claude Code is recognised by the path of its transcript.
import { type JsonObject, stringOf } from '../../agents/common/json-fields.ts';

export type Caller = 'claude-code' | 'cursor' | 'copilot' | 'codex' | 'gemini-cli' | 'qwen-code';

const FOLDERS: readonly (readonly [folder: string, caller: Caller])[] = [
  ['.cursor', 'cursor'],
  ['.copilot', 'copilot'],
  ['.codex', 'codex'],
  ['.gemini', 'gemini-cli'],
  ['.qwen', 'qwen-code'],
];

/** Fields that one agent sends and Claude Code never does. */
const FIELDS: readonly (readonly [field: string, caller: Caller])[] = [
  ['conversation_id', 'cursor'],
  ['cursor_version', 'cursor'],
  ['turn_id', 'codex'],
  ['tool_call_id', 'qwen-code'],
  ['tool_result', 'copilot'],
  ['initial_prompt', 'copilot'],
];

/** Null when nothing in the payload identifies the agent. */
export function callerOf(hook: JsonObject): Caller | null {
  const path = (stringOf(hook.transcript_path) ?? stringOf(hook.transcriptPath) ?? '').split(/[\\/]/);
  const byFolder = FOLDERS.find(([folder]) => path.includes(folder));
  if (byFolder !== undefined) return byFolder[1];
  const byField = FIELDS.find(([field]) => hook[field] !== undefined);
  if (byField !== undefined) return byField[1];
  if (hook.sessionId !== undefined && hook.session_id === undefined) return 'copilot';
  // Claude Code never sends a time. Copilot does, and names a transcript only when it stops. Qwen Code starts with a
  // file name without a folder.
  if (hook.timestamp !== undefined && path.length === 1) return path[0] === '' ? 'copilot' : 'qwen-code';
  if (hook.timestamp !== undefined) return null;
  return typeof hook.session_id === 'string' && isClaudesTranscript(path) ? 'claude-code' : null;
}

/** `<settings folder>/projects/<project>/<session>.jsonl` */
function isClaudesTranscript(path: readonly string[]): boolean {
  return path.length > 3 && path.at(-3) === 'projects' && path.at(-1)!.endsWith('.jsonl');
}
