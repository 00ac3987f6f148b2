// The processes of a namespace, as /proc shows them.
import { readdirSync, readFileSync } from 'node:fs';

export interface RunningProcess {
  readonly id: number;
  /** Program and arguments, joined by spaces. */
  readonly command: string;
}

/** All that run, without this one and the first of the namespace. */
export function otherProcesses(): readonly RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => id !== process.pid && id !== 1)
    .flatMap((id) => {
      try {
        const [, state = 'Z'] = /\) (\w)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
        const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return 'ZX'.includes(state) ? [] : [{ id, command }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
