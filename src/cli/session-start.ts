// The session-start hook: drains the spool into the log and prints the project's context, for the agent as context
// and for the person as a message. A person waits for it, so it does not load the command-line parser and has its own
// time limit. It never prints an error.
import { resolve } from 'node:path';
import { parseJson } from '../../log/index.ts';
import type { SessionStartKind } from '../api.ts';
import type { World } from './command/world.ts';

/** Longest wait for the lock of the log, and longest total time, ms. */
const LOCK_WAIT_MS = 500;
const SESSION_START_MS = 2_500;
/** Cells. Claude Code prints the message in a frame of its own. */
const MESSAGE_WIDTH = 96;
const MESSAGE_CHARS_MAX = 9_000;
/** Copy of CONTEXT_OCCASIONS: importing it would load the API. */
const OCCASIONS: ReadonlySet<unknown> = new Set<SessionStartKind>([
  'startup',
  'resume',
  'clear',
  'compact',
  'fork',
]);

/** Prints nothing when nothing is known, or when Annals itself started the session. Never rejects. */
export async function startSession(world: World, home: string | undefined): Promise<void> {
  if (world.environment.ANNALS_INTERNAL !== undefined) return;
  // Exiting here is safe: the next command that opens the home continues the work.
  const limit = setTimeout(() => process.exit(0), SESSION_START_MS);
  try {
    await printContext(world, home);
  } catch {
    // Silent: the agent would show an error to a person at work. `status` reports what is wrong.
  } finally {
    clearTimeout(limit);
  }
}

async function printContext(world: World, home: string | undefined): Promise<void> {
  const payload = world.stdin.read().catch(() => '');
  // Opening the library drains the spool; meanwhile the payload arrives.
  const annals = await world.open({
    ...(home === undefined ? {} : { home: resolve(world.folder, home) }),
    lockTimeoutMs: LOCK_WAIT_MS,
  });
  try {
    const { cwd, kind, id } = startOf(await payload, world.folder);
    const {
      text,
      personText = '',
      pausedBecause,
    } = await annals.context({
      cwd,
      kind,
      ...(id === null ? {} : { session: id }),
      form: 'both',
      width: MESSAGE_WIDTH,
      color: true,
    });
    const paused = pausedBecause === null ? '' : `Annals keeps nothing: config.json ${pausedBecause}.\n`;
    const message = clippedMessage(`${paused}${text === '' ? '' : personText}`);
    if (`${text}${message}` === '') return;
    const output = {
      ...(text === ''
        ? {}
        : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }),
      ...(message === '' ? {} : { systemMessage: message }),
    };
    await world.stdout.write(`${JSON.stringify(output)}\n`);
  } finally {
    await annals.close();
  }
}

interface Start {
  readonly cwd: string;
  readonly kind: SessionStartKind;
  readonly id: string | null;
}

/** Reads a SessionStart payload. Defaults: a startup in the folder of this process. */
function startOf(payload: string, folder: string): Start {
  const parsed = parseJson(payload);
  const fields = 'value' in parsed ? parsed.value : null;
  const {
    cwd,
    source,
    session_id: id,
  } = (typeof fields === 'object' && fields !== null ? fields : {}) as Record<string, unknown>;
  return {
    cwd: typeof cwd === 'string' && cwd !== '' ? cwd : folder,
    kind: OCCASIONS.has(source) ? (source as SessionStartKind) : 'startup',
    id: typeof id === 'string' && id !== '' ? id : null,
  };
}

/** The agent caps each text at 10,000 characters and writes longer ones into a file. */
function clippedMessage(text: string): string {
  if (text.length <= MESSAGE_CHARS_MAX) return text;
  return `${text.slice(0, text.lastIndexOf('\n', MESSAGE_CHARS_MAX))}\n`;
}
