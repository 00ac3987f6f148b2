// The session of one command: opens the library at most once and always closes it.
import { resolve } from 'node:path';
import type { Annals, OpenOptions } from '../api.ts';
import { homePath } from '../platform/home-paths.ts';
import type { Session } from './command/command.ts';
import type { Terminal } from './command/terminal.ts';
import type { World } from './command/world.ts';

export function openSession(
  world: World,
  terminal: Terminal,
  { json, home, program }: { json: boolean; home?: string; program: Session['program'] },
): { session: Session; close: () => Promise<void> } {
  let opened: Promise<Annals> | undefined;
  const chosenHome: { home?: string } = home === undefined ? {} : { home: resolve(world.folder, home) };
  const closeAnnals = async () => {
    const annals = await opened?.catch(() => undefined);
    opened = undefined;
    await annals?.close();
  };
  const session: Session = {
    json,
    terminal,
    world,
    name: world.environment.ANNALS_COMMAND ?? 'annals',
    chosenHome: chosenHome.home ?? null,
    program,
    annals({ lockTimeoutMs } = {}) {
      const options: OpenOptions = {
        ...chosenHome,
        ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
        onWait: () => terminal.note('Another annals command is using the log; waiting for it.'),
      };
      opened ??= world.open(options);
      return opened;
    },
    closeAnnals,
    get worker() {
      return world.worker(chosenHome.home ?? homePath(world.environment, world.userHome));
    },
    restore: (folder, options) => world.restore(folder, { ...options, ...chosenHome }),
  };
  return { session, close: closeAnnals };
}
