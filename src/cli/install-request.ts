// What an installation needs to know of this session.
import { join } from 'node:path';
import type { InstallRequest } from '../install/home-scripts.ts';
import { homePath } from '../platform/home-paths.ts';
import type { Session } from './command/command.ts';
import { packageRoot } from './package.ts';

export function installRequest({ world, chosenHome }: Session): InstallRequest {
  const { environment, userHome } = world;
  return {
    home: chosenHome ?? homePath(environment, userHome),
    program: { node: process.execPath, cli: join(packageRoot(), 'dist', 'cli.cjs') },
    machine: { environment, userHome, windows: process.platform === 'win32' },
  };
}
