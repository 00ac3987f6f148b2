// Keeps an unusable file as redacted plain text, with the reason in its first line. A person may look at it, so nothing
// in it may be a secret or belong to a private turn. Format of a file in spool/bad:
//
//   annals: <reason>; <bytes> bytes, left <ISO 8601>
//   <text, redacted, clipped to 32 KiB>
import { redactText, sanitizeText } from '../redact/index.ts';

const CLIP_BYTES = 32 * 1024;
/** Only the head of a huge file is read: 1 MiB. */
const HEAD_BYTES_MAX = 1024 * 1024;
/** Replaces what was cut off where the file ends: it may be the first half of a secret. */
const TORN = '[annals: torn off]';

/**
 * `bytes` null: the text belonged to a private turn or an excluded folder, or its sender is unknown, so only the reason is
 * kept.
 */
export function badFile(
  reason: string,
  { bytes, at }: { bytes: Buffer | null; at: number },
  size: number,
): string {
  const head = `annals: ${redactText(reason)}; ${size} bytes, left ${isoOf(at)}\n`;
  if (bytes === null) return `${head}(hidden)\n`;
  const text = withoutTornEnd(bytes.toString('utf8', 0, HEAD_BYTES_MAX));
  return `${head}${sanitizeText(text, { author: 'person', clipBytes: CLIP_BYTES })}\n`;
}

/**
 * Removes the text's last string if it has no end, else its last word, because half a secret cannot be recognised. A
 * text without strings, which is not a payload, loses its last line.
 */
function withoutTornEnd(text: string): string {
  let opened = -1;
  let quotes = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (opened >= 0 && isEscaped(text, at)) continue;
    quotes++;
    opened = opened < 0 ? at : -1;
  }
  if (opened >= 0) return `${text.slice(0, opened + 1)}${TORN}`;
  if (quotes === 0) return `${text.slice(0, text.lastIndexOf('\n') + 1)}${TORN}`;
  let end = text.length;
  while (end > 0 && /[^\s"{}[\],]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Whether an odd number of backslashes comes before. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

/** The ids and paths that a torn payload still shows, under the names that agents give them. */
export interface TornIds {
  readonly session: string | null;
  readonly promptId: string | null;
  readonly agentId: string | null;
  readonly cwd: string | null;
  readonly transcript: string | null;
  /** Nothing shows that it reports something else. */
  readonly mayBePrompt: boolean;
}

export function idsIn(bytes: Buffer): TornIds {
  const text = bytes.toString('utf8', 0, HEAD_BYTES_MAX);
  const field = (...names: readonly string[]): string | null => {
    const quoted = new RegExp(`"(?:${names.join('|')})"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,4096}")`).exec(
      text,
    )?.[1];
    try {
      return quoted === undefined ? null : (JSON.parse(quoted) as string);
    } catch {
      return null;
    }
  };
  const event = field('hook_event_name', 'agent_action_name');
  return {
    session: field('session_id', 'sessionId', 'conversation_id', 'trajectory_id'),
    promptId: field('prompt_id', 'turn_id', 'generation_id', 'execution_id'),
    agentId: field('agent_id', 'agentId'),
    cwd: field('cwd'),
    transcript: field('transcript_path', 'transcriptPath'),
    mayBePrompt: event === null ? !/"tool_?name"/i.test(text) : /prompt|^BeforeAgent$/i.test(event),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
