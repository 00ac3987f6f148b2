// The paths of the home and its parts, and the names of all that is in a home. It touches no file.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface HomePaths {
  readonly home: string;
  readonly log: string;
  /** A log that is being restored. */
  readonly restoring: string;
  readonly views: string;
  /** Snapshots of the text index. */
  readonly text: string;
  /** Snapshots of the vectors. */
  readonly vectors: string;
  /** A copy of the log's head, outside the log. */
  readonly head: string;
  readonly spoolNew: string;
  readonly spoolBad: string;
  readonly config: string;
  /** Descriptions of agents. */
  readonly agents: string;
  /** Modes of the observer. */
  readonly modes: string;
  /** Where the observer starts an agent that answers it. Sessions in it are never recorded. */
  readonly observer: string;
  /** The keys of the team, and what is shared. */
  readonly share: string;
}

/** The names that a home has. With others in a folder, it may have been named as home by mistake. */
const ENTRIES: ReadonlySet<string> = new Set([
  ...[
    'agents',
    'bin',
    'capture-token',
    'config.json',
    'config.json.lock',
    'head.json',
    'logs',
    'modes',
    'observer',
    'packages',
  ],
  ...['recall-edit', 'recall-error', 'recall-prompt', 'share', 'spool', 'views'],
  ...['worker-starts.json', 'worker.json', 'worker.sock'],
  // The log, and what is beside it while it is restored or rewritten.
  ...['log', 'log.fresh', 'log.next', 'log.old', 'log.restoring', 'rewriting'],
  // Of macOS, which puts it where somebody looked.
  '.DS_Store',
]);

/** Also what a kill can leave of an entry, or of a test whether the home can be written. */
export function isHomeEntry(name: string): boolean {
  return ENTRIES.has(name.replace(/\.[0-9a-f]{12}\.tmp$/, '')) || /^\.probe-[0-9a-f]{12}$/.test(name);
}

/** `ANNALS_HOME` when it is set and not empty, else `~/.annals`; always absolute. */
export function homePath(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  userHome: string = homedir(),
): string {
  const chosen = environment.ANNALS_HOME;
  return chosen === undefined || chosen === '' ? join(userHome, '.annals') : resolve(chosen);
}

export function homePaths(home: string): HomePaths {
  return {
    home,
    log: join(home, 'log'),
    restoring: join(home, 'log.restoring'),
    views: join(home, 'views'),
    text: join(home, 'views', 'text'),
    vectors: join(home, 'views', 'vectors'),
    head: join(home, 'head.json'),
    spoolNew: join(home, 'spool', 'new'),
    spoolBad: join(home, 'spool', 'bad'),
    config: join(home, 'config.json'),
    agents: join(home, 'agents'),
    modes: join(home, 'modes'),
    observer: join(home, 'observer'),
    share: join(home, 'share'),
  };
}
