// The machine that this process runs on, as the adapters of agents may know it.
import { homedir } from 'node:os';

export interface Machine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the user's home folder. */
  readonly userHome: string;
  readonly windows: boolean;
}

export function thisMachine(): Machine {
  return { environment: process.env, userHome: homedir(), windows: process.platform === 'win32' };
}
