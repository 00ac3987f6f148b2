// What an agent's hooks call where sh cannot do it: the capture on Windows, and the start of a session, which
// may have something to say. Whatever happens, it prints no error and the exit code is 0: a hook must never
// disturb the work.
import { uptime } from 'node:os';
import { resolve } from 'node:path';
import { CONTEXT_OCCASIONS, type ContextKind } from '../../api.ts';
import { writeToSpool } from '../../capture/spool/write.ts';
import { homePath } from '../../platform/paths.ts';
import { randomBytes } from '../../platform/random.ts';
import { defineCommand, type Session } from '../command.ts';

interface Options {
  readonly home?: string;
}

/** A session's start waits for this hook: at most so long for the log, and so long in all, ms. */
const LOCK_WAIT_MS = 500;
const SESSION_START_MS = 2_500;
/** The agent draws it in its own frame. */
const MESSAGE_WIDTH = 96;
const MESSAGE_CHARS_MAX = 9_000;

export const command = defineCommand<Options>({
  description:
    'Called by hooks, not by people. Reads what the agent says from standard input and leaves it in the spool; ' +
    '`session-start` takes the spool into the log instead. Always ends with exit code 0.',
  shape: (command) =>
    command
      .argument('[agent]', 'claude-code')
      .argument('[event]', 'session-start')
      .allowUnknownOption()
      .allowExcessArguments(),
  examples: [['hook claude-code < payload.json', 'what the capture script does, on Windows']],
  async run(session, options, [agent = '', event]) {
    if (session.world.environment.ANNALS_INTERNAL !== undefined) return;
    try {
      if (event === 'session-start') await startSession(session);
      else await capture(session, agent, options.home);
    } catch {
      // Nobody to tell: the agent would show it to a person at work. `status` says what is wrong with the spool.
    }
  },
});

async function capture({ world }: Session, agent: string, home: string | undefined): Promise<void> {
  if (!/^[a-z0-9-]{1,40}$/.test(agent)) return;
  const payload = await world.stdin.read();
  writeToSpool({
    home: home === undefined ? homePath(world.environment, world.userHome) : resolve(world.folder, home),
    agent,
    payload,
    uptime: uptime() * 100,
    processId: process.pid,
    random: Buffer.from(randomBytes(4)).toString('hex'),
  });
}

/**
 * Opening the library drains the spool; then what is known of the project is told, to the agent as context and to
 * the person as a message. Nothing is printed when nothing is known.
 */
async function startSession(session: Session): Promise<void> {
  // A one-shot limit: what is under way is safe to leave, and the next opening goes on with it.
  const limit = setTimeout(() => process.exit(0), SESSION_START_MS);
  try {
    const { cwd, kind, id } = startOf(await session.world.stdin.read(), session.world.folder);
    const annals = await session.annals({ lockTimeoutMs: LOCK_WAIT_MS });
    const asked = { cwd, kind, ...(id === null ? {} : { session: id }) };
    const { text } = await annals.context({ ...asked, form: 'agent' });
    if (text === '') return;
    const person = await annals.context({ ...asked, form: 'person', width: MESSAGE_WIDTH, color: true });
    const output = {
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text },
      ...(person.text === '' ? {} : { systemMessage: clippedMessage(person.text) }),
    };
    await session.world.stdout.write(`${JSON.stringify(output)}\n`);
  } finally {
    clearTimeout(limit);
  }
}

interface Start {
  readonly cwd: string;
  readonly kind: ContextKind;
  readonly id: string | null;
}

/** What a SessionStart payload says; where it says nothing, a start in the folder of this process. */
function startOf(payload: string, folder: string): Start {
  let said: unknown;
  try {
    said = JSON.parse(payload);
  } catch {
    said = null;
  }
  const {
    cwd,
    source,
    session_id: id,
  } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  return {
    cwd: typeof cwd === 'string' && cwd !== '' ? cwd : folder,
    kind: CONTEXT_OCCASIONS.find((occasion) => occasion === source) ?? 'startup',
    id: typeof id === 'string' && id !== '' ? id : null,
  };
}

/** The agent caps each text at 10,000 characters and writes longer ones into a file. */
function clippedMessage(text: string): string {
  if (text.length <= MESSAGE_CHARS_MAX) return text;
  return `${text.slice(0, text.lastIndexOf('\n', MESSAGE_CHARS_MAX))}\n`;
}
