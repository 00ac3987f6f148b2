// The interface of a command and of the session it runs in. A command's file exports one `command`, loaded on use.
import type { Command } from 'commander';
import type { Annals, RestoreOptions, RestoreReport } from '../../api.ts';
import type { Terminal } from './terminal.ts';
import type { WorkerControl, World } from './world.ts';

export interface Session {
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly world: World;
  /** How to call this program: `annals`, or `npx annals` in a clone. */
  readonly name: string;
  /** The home given with --home as an absolute path, or null. */
  readonly chosenHome: string | null;
  /** The parser of the whole command line: every command with all its options. */
  program(): Promise<Command>;
  /** Opens the library on the first call. It is closed when the command ends. */
  annals(options?: { lockTimeoutMs?: number }): Promise<Annals>;
  /** Closes the library before the command ends. */
  closeAnnals(): Promise<void>;
  /** The worker of this session's home. */
  readonly worker: WorkerControl;
  /** Restores an export into this session's home. The library must not be open. */
  restore(folder: string, options: Omit<RestoreOptions, 'home'>): Promise<RestoreReport>;
}

export interface CommandDefinition<Options> {
  /** What the command does; the first paragraph of its help. */
  readonly description: string;
  /** Adds arguments and options, one option for each field of `Options`. */
  readonly shape: (command: Command) => Command;
  /** Command lines without the leading `annals`, each with a short explanation. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Whether it, or what its words ask for, makes no sense without a home: a folder given with --home that is none is a mistake. */
  readonly needsHome?: true | ((words: readonly string[]) => boolean);
  /**
   * Returns the exit code; undefined means 0.
   * @param options those that were given; the global options are in the session
   */
  readonly run: (
    session: Session,
    options: Options,
    words: readonly string[],
  ) => Promise<number | undefined> | Promise<void>;
}

/** A command with the type of its options erased. Its own parser has checked them: `shape` declares `Options`. */
export type AnyCommand = CommandDefinition<Record<string, unknown>>;

export function defineCommand<Options>(definition: CommandDefinition<Options>): AnyCommand {
  return {
    ...definition,
    run: (session, options, words) => definition.run(session, options as Options, words),
  };
}
