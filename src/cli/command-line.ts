// Runs one call of the command. Modules are loaded only when a call needs them, so that it starts fast. It sets the
// exit code instead of calling `process.exit`, so that all output still reaches a slow pipe.

import { sessionStartIn } from './early-lines.ts';
import { startSession } from './session-start.ts';

export { withoutWorker } from './without-worker.ts';

/** `payload`: of the hook, if it was read. */
export async function main(words: readonly string[], payload: string | null = null): Promise<void> {
  const start = sessionStartIn(words);
  if (start !== null) {
    const { processWorld } = await import('./process-world.ts');
    await startSession(processWorld(), { ...start, payload });
  } else {
    const [{ run }, { processWorld }] = await Promise.all([
      import('./run-command.ts'),
      import('./process-world.ts'),
    ]);
    process.exitCode = await run(words, processWorld());
  }
}
