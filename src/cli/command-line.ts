// What the command does with its words. Starts fast: what a call does not use is not run. Ends by setting the exit
// code, so that everything written still reaches a slow pipe.
import { startSession } from './session-start.ts';
import { isSessionStart } from './session-start-line.ts';

export async function main(words: readonly string[]): Promise<void> {
  const startedHome = isSessionStart(words);
  if (startedHome !== null) {
    const { processWorld } = await import('./process-world.ts');
    await startSession(processWorld(), startedHome);
  } else {
    const [{ run }, { processWorld }] = await Promise.all([
      import('./run-command.ts'),
      import('./process-world.ts'),
    ]);
    process.exitCode = await run(words, processWorld());
  }
}
