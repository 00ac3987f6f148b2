// Who sent a payload. Other agents run the hooks of Claude Code's settings too (Cursor from the user's file,
// GitHub Copilot from the repository's, Codex through plugins): what they say is theirs, and is never told under
// Claude's name.
import { type JsonObject, stringOf } from '../claude-code/line.ts';

export type Caller = 'claude-code' | 'cursor' | 'copilot' | 'codex';

/** Null when nothing in the payload says who it is. */
export function callerOf(hook: JsonObject): Caller | null {
  const transcript = stringOf(hook.transcript_path) ?? stringOf(hook.transcriptPath) ?? '';
  if (hook.conversation_id !== undefined || hook.cursor_version !== undefined || below(transcript, '.cursor'))
    return 'cursor';
  if (below(transcript, '.copilot') || (hook.sessionId !== undefined && hook.session_id === undefined))
    return 'copilot';
  if (below(transcript, '.codex') || hook.turn_id !== undefined) return 'codex';
  // Claude Code always names its transcript; Copilot's copy of the same payload does not.
  return typeof hook.session_id === 'string' && transcript !== '' ? 'claude-code' : null;
}

function below(path: string, folder: string): boolean {
  return path.split(/[\\/]/).includes(folder);
}
