// The real `World`: this process's streams, clock and signals, and the library.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Interface } from 'node:readline';
import { AnnalsError } from '../../log/index.ts';
import { now } from '../platform/clock.ts';
import { list, stat } from '../platform/disk-files.ts';
import { homePath, isHomeEntry } from '../platform/home-paths.ts';
import { loadProgram } from '../platform/load-program.ts';
import { openInBrowser } from '../platform/open-in-browser.ts';
import { openThroughWorker } from '../worker/open-home.ts';
import type { Output, World } from './command/world.ts';
import { builtFolder } from './package.ts';
import type { serveProcessMcp } from './process-mcp.ts';
import { outputTo, readStdin } from './process-streams.ts';
import { openDirectly, processWorker } from './process-worker.ts';
import { withoutWorker } from './without-worker.ts';
import { workerClient } from './worker-client.ts';

type McpProgram = { serveProcessMcp: typeof serveProcessMcp };

export function processWorld(): World {
  let errors: Output | undefined;
  const world: World = {
    stdout: outputTo(process.stdout),
    // Created on first use: most calls print only results.
    get stderr() {
      errors ??= outputTo(process.stderr);
      return errors;
    },
    stdin: {
      // Opened on first use: few calls read it.
      get isTerminal() {
        return process.stdin.isTTY === true;
      },
      read: readStdin,
      readLine,
      readSecret,
    },
    environment: process.env,
    folder: process.cwd(),
    userHome: homedir(),
    now,
    // What cannot be read is for the opening to explain.
    isHome: async (home) => {
      const found = await stat(home).catch(() => null);
      if (found?.kind === 'file' || found?.kind === 'other')
        throw new AnnalsError('HOME_INVALID', `${home} is not a folder.`, { hint: 'Name another folder.' });
      return list(home).then(
        (names) => names.some(isHomeEntry),
        () => true,
      );
    },
    open: (options) => openThroughWorker(options, workerClient(), openDirectly),
    restore: async (folder, options) => {
      // The log of the home is replaced.
      await processWorker(options.home ?? homePath()).stop();
      return (await import('../index.ts')).restoreAnnals(folder, options);
    },
    worker: processWorker,
    openInBrowser,
    serveMcp({ home, name }) {
      const { serveProcessMcp } = loadProgram<McpProgram>(join(builtFolder(), 'process-mcp.cjs'));
      const chosen = home ?? homePath(world.environment, world.userHome);
      return serveProcessMcp({ home: resolve(chosen), name, withoutWorker });
    },
    onInterrupt: listenForInterrupt,
  };
  return world;
}

async function readLine(): Promise<string> {
  const { createInterface } = await import('node:readline');
  return lineOf(createInterface({ input: process.stdin }));
}

/** Reads as from a terminal, so that line editing works, and discards the echo. */
async function readSecret(whenHidden: () => void): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline'),
    import('node:stream'),
  ]);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Ctrl-C arrives as a key here, not as a signal.
  lines.once('SIGINT', () => process.exit(130));
  whenHidden();
  return lineOf(lines);
}

/** Empty at the end of the input. */
function lineOf(lines: Interface): Promise<string> {
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
}

function listenForInterrupt(listener: () => void): () => void {
  let interrupts = 0;
  const onSignal = () => {
    interrupts += 1;
    if (interrupts > 1) process.exit(130);
    listener();
  };
  process.on('SIGINT', onSignal);
  return () => process.off('SIGINT', onSignal);
}
