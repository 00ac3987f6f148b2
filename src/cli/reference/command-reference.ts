// What the help knows about each command, as data. Completions are made from it, so help and completions cannot differ.
import type { Command, Option } from 'commander';

export interface CommandReference {
  readonly name: string;
  readonly summary: string;
  /** The words that its arguments allow. Empty when they allow any. */
  readonly words: readonly string[];
  readonly options: readonly OptionReference[];
}

export interface OptionReference {
  /** With its dashes: `-f`, `--follow`. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
}

export interface ProgramReference {
  readonly options: readonly OptionReference[];
  readonly commands: readonly CommandReference[];
}

/** `program` has every command with all its options. */
export function programReference(program: Command): ProgramReference {
  const shared = [
    ...program.options.map(optionReference),
    { names: ['-h', '--help'], summary: 'print help', takesValue: false },
  ];
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: [...command.options.map(optionReference), ...shared],
  }));
  const names = commands.map(({ name }) => name);
  const help = { name: 'help', summary: 'print help for a command', words: names, options: [] };
  return { options: shared, commands: [...commands, help] };
}

function optionReference({ short, long, description, required, optional }: Option): OptionReference {
  const names = [short, long].filter((name) => name !== undefined);
  return { names, summary: description, takesValue: required || optional };
}
