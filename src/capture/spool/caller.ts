// Finds out which agent sent a payload. The name of its file says whose settings named the hook; but other agents run
// the hooks of Claude Code's settings too (Cursor from the user's file, GitHub Copilot from the repository's, Codex
// through plugins), and some use Claude's payload format. Their payloads are never stored under Claude's name. Claude
// Code is recognised by the path of its transcript.
import { type JsonObject, stringOf } from '../../agents/common/json-fields.ts';

const FOLDERS: readonly (readonly [folder: string, caller: string])[] = [
  ['.cursor', 'cursor'],
  ['.copilot', 'copilot'],
  ['.codex', 'codex'],
  ['.gemini', 'gemini-cli'],
  ['.qwen', 'qwen-code'],
];

/** Fields that one agent sends and Claude Code never does. */
const FIELDS: readonly (readonly [field: string, caller: string])[] = [
  ['conversation_id', 'cursor'],
  ['cursor_version', 'cursor'],
  ['turn_id', 'codex'],
  ['tool_call_id', 'qwen-code'],
  ['tool_result', 'copilot'],
  ['initial_prompt', 'copilot'],
  ['trajectory_id', 'windsurf'],
];

/** The agent that the name of a spool file begins with. Null when it is not a name of the capture script's. */
export function namedIn(file: string): string | null {
  return /^([a-z0-9-]+?)-\d{10}-\d{7}-/.exec(file)?.[1] ?? null;
}

/** `named`: the agent whose settings named the hook, if known. Null when the sender cannot be determined. */
export function callerOf(hook: JsonObject, named: string | null): string | null {
  const path = (stringOf(hook.transcript_path) ?? stringOf(hook.transcriptPath) ?? '').split(/[\\/]/);
  const byFolder = FOLDERS.find(([folder]) => path.includes(folder));
  if (byFolder !== undefined) return byFolder[1];
  // Nobody else runs the hooks of another agent's settings.
  if (named !== null && named !== 'claude-code') return named;
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
