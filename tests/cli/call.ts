// Runs the command line in this process, with a fake world unless a part of a real one is given, and returns its output
// and exit code.
import type { OpenOptions } from '../../src/api.ts';
import type { World } from '../../src/cli/command/world.ts';
import { run } from '../../src/cli/run-command.ts';
import type { RemoteAnnals } from '../../src/remote/remote-annals.ts';
import { type FakeAnnals, fakeAnnals, restored } from './fake-annals.ts';

export interface CallOptions {
  readonly annals?: FakeAnnals;
  readonly stdin?: string;
  /** The answer typed at the terminal. */
  readonly answer?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly terminal?: { readonly columns: number };
  readonly userHome?: string;
  readonly worker?: RemoteAnnals;
  /** Called with the listener for Ctrl-C as soon as a command asks for it. */
  readonly onListen?: (interrupt: () => void) => void;
  /** Instead of those parts of the fake world. */
  readonly world?: Partial<World>;
}

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly opened: readonly OpenOptions[];
  readonly annals: FakeAnnals;
  /** The last line of stdout as JSON. */
  readonly json: () => Record<string, unknown>;
}

/** The fixed time of the tests, Unix ms. */
export const NOW = Date.parse('2026-11-18T12:00:00Z');

export async function call(words: readonly string[], options: CallOptions = {}): Promise<Called> {
  const { annals = fakeAnnals(), stdin = '', environment = {}, terminal, userHome = '/home/robin' } = options;
  let stdout = '';
  let stderr = '';
  const opened: OpenOptions[] = [];
  const isTerminal = terminal !== undefined;
  const columns = terminal?.columns ?? null;
  const world: World = {
    stdout: {
      isTerminal,
      columns,
      async write(text) {
        stdout += text;
      },
    },
    stderr: {
      isTerminal,
      columns,
      async write(text) {
        stderr += text;
      },
    },
    stdin: {
      isTerminal: isTerminal && options.answer !== undefined,
      read: async () => stdin,
      readLine: async () => options.answer ?? '',
      readSecret: async (whenHidden) => {
        whenHidden();
        return options.answer ?? '';
      },
    },
    environment,
    folder: '/home/robin/birdfeeder',
    userHome,
    now: () => NOW,
    worker: (home) => ({
      start: async () => ({ outcome: 'started', pid: 4_321 }),
      startSoon: async () => void annals.calls.push(['startSoon', home]),
      isWanted: async () => true,
      startByHand: async () => ({ outcome: 'started', pid: 4_321 }),
      stop: async () => false,
      status: async () => ({ state: null, why: null }),
      connect: async () => options.worker ?? null,
      run: async () => ({ outcome: 'ended', reason: 'SIGINT' }),
    }),
    isHome: async () => true,
    open: async (openOptions) => {
      opened.push(openOptions);
      return annals;
    },
    restore: async (folder, restoreOptions) => {
      annals.calls.push(['restore', folder, restoreOptions]);
      return restored;
    },
    openInBrowser: async (address) => {
      annals.calls.push(['openInBrowser', address]);
      return true;
    },
    serveMcp: async (request) => void annals.calls.push(['serveMcp', request.home, request.name]),
    onInterrupt: (listener) => {
      options.onListen?.(listener);
      return () => {};
    },
    ...options.world,
  };
  const code = await run(words, world);
  const json = () => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
  return { code, stdout, stderr, opened, annals, json };
}
