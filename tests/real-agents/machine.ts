// What this machine must have to run real agents without any network.
import { spawnSync } from 'node:child_process';

/** A network namespace with loopback only. Everything in it ends with the process that started it. */
export const SHUT_OFF = ['unshare', '-rn', '--pid', '--fork', '--kill-child', '--mount-proc'] as const;

/** What is missing, as a sentence; null when real agents can run. */
export function missingForAgents(): string | null {
  if (process.platform !== 'linux') return 'Real agents run on Linux only.';
  const [program, ...words] = [...SHUT_OFF, 'ip', 'link', 'set', 'lo', 'up'];
  if (spawnSync(program!, words, { stdio: 'ignore' }).status === 0) return null;
  return 'Real agents need `unshare` with user namespaces, and `ip`.';
}

/** Whether terminal sessions can run. */
export function hasTerminal(): boolean {
  return spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0;
}
