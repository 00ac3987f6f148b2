// The start of a session: what hooks left is taken into the log, and what is known of the project is told, to the
// agent as context and to the person as a message. A person waits for it, so it loads no parser of command lines,
// and a limit of its own ends it. Whatever happens, it prints no error.
import { resolve } from 'node:path';
import { parseJson } from '../../log/index.ts';
import type { SessionStartKind } from '../api.ts';
import type { World } from './command/world.ts';

/** A session's start waits at most so long for the log, and so long in all, ms. */
const LOCK_WAIT_MS = 500;
const SESSION_START_MS = 2_500;
/** The agent draws it in its own frame. */
const MESSAGE_WIDTH = 96;
const MESSAGE_CHARS_MAX = 9_000;
/** As in the API, which would have to be loaded for it. */
const OCCASIONS: ReadonlySet<unknown> = new Set<SessionStartKind>([
  'startup',
  'resume',
  'clear',
  'compact',
  'fork',
]);

/** Nothing is printed when nothing is known, or when our own call set the session going. Never rejects. */
export async function startSession(world: World, home: string | undefined): Promise<void> {
  if (world.environment.ANNALS_INTERNAL !== undefined) return;
  // A one-shot limit: what is under way is safe to leave, and the next opening goes on with it.
  const limit = setTimeout(() => process.exit(0), SESSION_START_MS);
  try {
    await printContext(world, home);
  } catch {
    // Nobody to tell: the agent would show it to a person at work. `status` says what is wrong.
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

/** What a SessionStart payload says; where it says nothing, a start in the folder of this process. */
function startOf(payload: string, folder: string): Start {
  const parsed = parseJson(payload);
  const said = 'value' in parsed ? parsed.value : null;
  const {
    cwd,
    source,
    session_id: id,
  } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
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
