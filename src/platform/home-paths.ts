// The paths of the home and its parts. It touches no file.
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
