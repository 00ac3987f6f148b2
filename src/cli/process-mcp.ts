// The MCP server, as this program runs it.
import { join } from 'node:path';
import { isAnnalsError } from '../../log/index.ts';
import type { serveMcp } from '../mcp/serve-stdio.ts';
import { homePath } from '../platform/home-paths.ts';
import { loadProgram } from '../platform/load-program.ts';
import { plainText } from '../terminal-text/plain-text.ts';
import type { McpRequest, World } from './command/world.ts';
import { builtFolder, version } from './package.ts';

/** How long calls that run when the client goes away may take to end. */
const END_MS = 1_000;

export async function serveProcessMcp({ worker, home, name }: McpRequest, world: World): Promise<void> {
  const chosen = home ?? homePath(world.environment, world.userHome);
  // A program of its own: no other command loads the protocol's library.
  const program = loadProgram<{ serveMcp: typeof serveMcp }>(join(builtFolder(), 'mcp.cjs'));
  process.stdin.once('end', () => setTimeout(() => process.exit(0), END_MS).unref());
  await program.serveMcp({
    stdin: process.stdin,
    stdout: process.stdout,
    version: version(),
    startedIn: world.folder,
    command: name,
    // The variables of the server are not those of a person's terminal.
    home: chosen === homePath({}, world.userHome) ? null : chosen,
    memory: {
      connect: () => worker.connect(),
      start: () => worker.start(),
      open: () => world.open({ home: chosen }),
      isWorkerGone: (error) => isAnnalsError(error) && error.code === 'WORKER_GONE',
    },
    failureOf: (error) => (isAnnalsError(error) && error.code !== 'INTERNAL' ? error : null),
    log: (line) => void world.stderr.write(`${plainText(line)}\n`),
  });
}
