// The shells of this machine that may run a hook.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

const KNOWN = [['sh'], ['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'sh']] as const;

/** Each with its arguments. Dash is not listed twice where it is what `sh` runs. */
export const shells: readonly (readonly [name: string, ...words: string[]])[] = KNOWN.filter(
  ([name]) => programOf(name) !== null && !(name === 'dash' && programOf('dash') === programOf('sh')),
);

function programOf(name: string): string | null {
  try {
    return realpathSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim());
  } catch {
    return null;
  }
}
