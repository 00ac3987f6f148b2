// The start of a session in a home that a worker serves: a program of its own (dist/session-start.cjs), because a person
// waits for it and it needs little of the command. Whatever it cannot do is left to the command.
import { resolve } from 'node:path';
import { hooksOf } from '../agents/hooks.ts';
import { answerToStart, startedSession } from '../brief/start-answer.ts';
import type { RemoteAnnals } from '../remote/remote-annals.ts';
import { connectWorker } from '../worker/connect-worker.ts';
import { outputTo, readStdin } from './process-streams.ts';
import { payloadOf, sessionStartLimit } from './session-start.ts';
import { workerClient } from './worker-client.ts';

type ServedCall = { readonly home: string; readonly agent: string };

export interface ServedStart {
  /** False when no worker has answered. */
  isDone: boolean;
  /** Null when it was not read. */
  payload: string | null;
}

/** As `startSession`. Never rejects. */
export async function startServedSession({ home, agent }: ServedCall): Promise<Readonly<ServedStart>> {
  const done: ServedStart = { isDone: false, payload: null };
  if (process.env.ANNALS_INTERNAL !== undefined) return { ...done, isDone: true };
  const limit = setTimeout(() => process.exit(0), sessionStartLimit(process.env));
  try {
    const annals = await connectWorker(resolve(home), workerClient());
    if (annals !== null) await answerWith(annals, agent, done);
  } catch {
    // The command does it, or is silent as well.
  } finally {
    clearTimeout(limit);
  }
  return done;
}

/** `done` follows what was done, also when this rejects. */
async function answerWith(annals: RemoteAnnals, name: string, done: ServedStart): Promise<void> {
  try {
    const hooks = await hooksOf(name);
    const payload = await payloadOf({ read: readStdin });
    done.payload = payload;
    const start = hooks === null ? null : startedSession(hooks, payload);
    if (hooks !== null && start !== null) {
      const { output, injection } = await answerToStart({ name, hooks }, start, annals);
      if (output !== '') await outputTo(process.stdout).write(output);
      done.isDone = true;
      if (injection !== null) await annals.recordInjection(injection);
    }
    done.isDone = true;
  } finally {
    await annals.close();
  }
}
