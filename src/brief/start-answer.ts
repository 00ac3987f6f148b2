// What Claude Code is answered when a session starts: JSON with the brief for the agent and a message for the person.
import { sessionStartAnswer } from '../agents/common/start-answer.ts';
import type { ContextAnswer, ContextOptions } from '../api.ts';

/** Cells. Claude Code prints the message in a frame of its own. */
const MESSAGE_WIDTH = 96;
/** The agent caps each text at 10,000 characters and writes longer ones into a file. */
const MESSAGE_CHARS_MAX = 9_000;

/** How the brief is asked for. */
export const START_CONTEXT = {
  form: 'both',
  width: MESSAGE_WIDTH,
  color: true,
} as const satisfies ContextOptions;

/** One line of JSON, or nothing when nothing is known. */
export function startAnswer({ text, personText = '', pausedBecause }: ContextAnswer): string {
  const paused = pausedBecause === null ? '' : `Annals keeps nothing: config.json ${pausedBecause}.\n`;
  const message = clippedMessage(`${paused}${text === '' ? '' : personText}`);
  return sessionStartAnswer(text, message);
}

function clippedMessage(text: string): string {
  if (text.length <= MESSAGE_CHARS_MAX) return text;
  return `${text.slice(0, text.lastIndexOf('\n', MESSAGE_CHARS_MAX))}\n`;
}
