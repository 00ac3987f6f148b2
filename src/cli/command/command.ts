// What one command is, and what it is given. A command's file exports one `command`, loaded when it is used.
import type { Command } from 'commander';
import type { Annals, RestoreOptions, RestoreReport } from '../../api.ts';
import type { Terminal } from './terminal.ts';
import type { World } from './world.ts';

export interface Session {
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly world: World;
  /** How a person starts this command here: `annals`, or `npx annals` in a clone. */
  readonly name: string;
  /** The home that --home names, absolute; null when none was named. */
  readonly chosenHome: string | null;
  /** Opens the library at the first call. It is closed when the command ends. */
  annals(options?: { lockTimeoutMs?: number }): Promise<Annals>;
  /** Restores an export into the home that is meant. The library must not be open. */
  restore(folder: string, options: Omit<RestoreOptions, 'home'>): Promise<RestoreReport>;
}

export interface CommandDefinition<Options> {
  /** What it does and what to know about it, as the first paragraph of its help. */
  readonly description: string;
  /** Adds arguments and options. */
  readonly shape: (command: Command) => Command;
  /** Command lines without the leading `annals`, each with what it does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Returns the exit code; nothing returned is 0. */
  readonly run: (
    session: Session,
    options: Options,
    words: readonly string[],
  ) => Promise<number | undefined> | Promise<void>;
}

/** A command whose options have been through its own parser: `Options` is what `shape` declares. */
export type AnyCommand = CommandDefinition<Record<string, unknown>>;

export function defineCommand<Options>(definition: CommandDefinition<Options>): AnyCommand {
  return {
    ...definition,
    run: (session, options, words) => definition.run(session, options as Options, words),
  };
}
