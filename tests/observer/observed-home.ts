// A home whose model is the scripted server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import type { Annals, ObserveOptions } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';
import { EVENTS } from '../projections/observer/replies.ts';
import { type ModelServer, modelServer, SERVER_KEY } from './model-server.ts';

export const USAGE = { input: 900, output: 100, cacheRead: 0, cacheWrite: 800 };

export interface ObservedHomes {
  readonly folder: string;
  /** A new one for each test. */
  readonly server: ModelServer;
  /** A home with one turn. @param events in the place of that turn */
  observed<T>(
    work: (
      annals: Annals,
      observe: (options?: ObserveOptions) => ReturnType<Annals['observe']>,
      home: string,
    ) => Promise<T>,
    settings?: Readonly<Record<string, unknown>>,
    events?: readonly NewEvent[],
  ): Promise<T>;
}

/** For all tests of a file. The homes are removed after them. */
export function observedHomes(name: string): ObservedHomes {
  const folder = sharedFolder(name);
  let server: ModelServer;
  let homes = 0;
  beforeEach(async () => {
    server = await modelServer();
    process.env.ANNALS_TEST_KEY = SERVER_KEY;
  });
  afterEach(() => {
    delete process.env.ANNALS_TEST_KEY;
  });
  return {
    folder,
    get server() {
      return server;
    },
    async observed(work, settings = {}, events = EVENTS) {
      const home = join(folder, `home-${++homes}`);
      mkdirSync(home, { mode: 0o700 });
      const all = { 'observer.url': server.url, 'observer.keyVariable': 'ANNALS_TEST_KEY', ...settings };
      writeFileSync(join(home, 'config.json'), JSON.stringify(all));
      return withHome(home, async (annals) => {
        await annals.append(events);
        return work(annals, (options) => annals.observe(options), home);
      });
    },
  };
}
