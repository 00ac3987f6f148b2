// A home with an open log, whose spool a test fills and drains.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Log } from '../../../log/index.ts';
import { openTestLog } from '../logs.ts';
import { temporaryFolder } from '../world.ts';

export interface SpoolHome {
  /** The folder around the home. */
  readonly folder: { readonly path: string };
  readonly home: string;
  readonly log: Log;
}

/** Gives each test of the file a home of its own. */
export function eachWithSpoolHome(take: (made: SpoolHome) => void): void {
  let remove = async (): Promise<void> => undefined;
  beforeEach(async () => {
    const folder = await temporaryFolder();
    const home = join(folder.path, 'home');
    mkdirSync(home, { mode: 0o700 });
    const log = await openTestLog(home);
    remove = async () => {
      await log.close();
      await folder.remove();
    };
    take({ folder, home, log });
  });
  afterEach(() => remove());
}
