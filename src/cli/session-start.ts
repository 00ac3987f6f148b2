// The hook for the start of a session, where the capture script leaves it to Node: drains the spool into the log and
// prints the project's context, for the agent as context and for the person as a message. On Windows, where no script
// runs before it, it also captures the payload and prints the ready file if that is current. A person waits for it, so it
// does not load the command-line parser and has its own time limit. It never prints an error.
import { resolve } from 'node:path';
import { hooksOf } from '../agents/hooks.ts';
import { answerToStart, startedSession } from '../brief/start-answer.ts';
import { wholePayload } from '../capture/spool/end-mark.ts';
import { homePath } from '../platform/home-paths.ts';
import { READY_AGENT, readReady } from '../session-start/ready-file.ts';
import type { World } from './command/world.ts';

/** The longest that a person waits, ms. */
const LIMIT_MS = 2_500;
/**
 * Of the lock of the log. Two sessions that start at once without a worker hold the log one after the other: with a wait of
 * 500 ms the second one gave up in 3 of 7 days of the real agent on a slow machine.
 */
const LOCK_WAIT_SHARE = 0.8;

export interface StartCall {
  readonly home: string | undefined;
  /** The agent's name. */
  readonly agent: string;
  /** Records the payload first, where no script did. */
  readonly capture?: (payload: string, readyId: string) => void;
  /** If it was read before. */
  readonly payload?: string | null;
}

/** The longest time that a session start takes, ms; ANNALS_SESSION_START_MS if that is set. */
export function sessionStartLimit({ ANNALS_SESSION_START_MS: given }: World['environment']): number {
  return Number(given) > 0 ? Number(given) : LIMIT_MS;
}

/** Prints nothing when nothing is known, or when Annals itself started the session. Never rejects. */
export async function startSession(world: World, call: StartCall): Promise<void> {
  if (world.environment.ANNALS_INTERNAL !== undefined) return;
  // Exiting here is safe: the next command that opens the home continues the work.
  const limit = setTimeout(() => process.exit(0), sessionStartLimit(world.environment));
  try {
    await (call.capture === undefined
      ? printContext(world, call, payloadOf(world.stdin, call.payload))
      : answerFirst(world, call));
    await world.worker(homeOf(world, call)).startSoon();
  } catch {
    // Silent: the agent would show an error to a person at work. `status` reports what is wrong.
  } finally {
    clearTimeout(limit);
  }
}

/** The payload without the mark that a script's file ends with. */
export async function payloadOf(stdin: Pick<World['stdin'], 'read'>, known?: string | null): Promise<string> {
  if (typeof known === 'string') return known;
  const bytes = Buffer.from(await stdin.read());
  return (wholePayload(bytes) ?? bytes).toString('utf8');
}

function homeOf(world: World, { home }: StartCall): string {
  return resolve(world.folder, home ?? homePath(world.environment, world.userHome));
}

/** As the capture script does. */
async function answerFirst(world: World, call: StartCall): Promise<void> {
  const payload = await world.stdin.read();
  const hooks = await hooksOf(call.agent);
  const start = hooks === null ? null : startedSession(hooks, payload);
  const home = homeOf(world, call);
  const mayBeReady =
    call.agent === READY_AGENT && start?.kind === 'startup' && world.environment.ANNALS_EXCLUDE === undefined;
  // Read before the payload is written: a worker records it at once.
  const ready = mayBeReady ? readReady(home, start.cwd) : null;
  call.capture?.(payload, ready?.id ?? '');
  if (ready === null) await printContext(world, call, Promise.resolve(payload));
  else await world.stdout.write(ready.answer);
}

async function printContext(
  world: World,
  { home, agent: name }: StartCall,
  payload: Promise<string>,
): Promise<void> {
  payload.catch(() => undefined);
  const hooks = await hooksOf(name);
  if (hooks === null) return;
  // Opening the library drains the spool; meanwhile the payload arrives.
  const annals = await world.open({
    ...(home === undefined ? {} : { home: resolve(world.folder, home) }),
    lockTimeoutMs: LOCK_WAIT_SHARE * sessionStartLimit(world.environment),
  });
  try {
    const start = startedSession(hooks, await payload);
    if (start === null) return;
    const { output, injection } = await answerToStart({ name, hooks }, start, annals);
    if (output !== '') await world.stdout.write(output);
    if (injection !== null) await annals.recordInjection(injection);
  } finally {
    await annals.close();
  }
}
