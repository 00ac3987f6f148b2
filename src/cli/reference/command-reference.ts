// What the help knows about each command, as data. Completions are made from it, so help and completions cannot differ.
import type { Command, Option } from 'commander';

export interface CommandReference {
  readonly name: string;
  readonly summary: string;
  readonly positional: readonly ArgumentReference[];
  readonly options: readonly OptionReference[];
}

export interface ArgumentReference {
  /** The words that it allows. Empty when it allows any. */
  readonly words: readonly string[];
  /** It takes all words that follow. */
  readonly isLast: boolean;
}

export interface OptionReference {
  /** With its dashes: `-f`, `--follow`. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  /** The words that its value allows. Empty when it allows any. */
  readonly words: readonly string[];
}

export interface ProgramReference {
  readonly options: readonly OptionReference[];
  readonly commands: readonly CommandReference[];
}

/** `program` has every command with all its options. */
export function programReference(program: Command): ProgramReference {
  const shared = [
    ...program.options.map(optionReference),
    { names: ['-h', '--help'], summary: 'print help', takesValue: false, words: [] },
  ];
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    positional: command.registeredArguments.map(({ argChoices, variadic }) => ({
      words: argChoices ?? [],
      isLast: variadic,
    })),
    options: [...command.options.map(optionReference), ...shared],
  }));
  const names = commands.map(({ name }) => name);
  const help = {
    name: 'help',
    summary: 'print help for a command',
    positional: [{ words: names, isLast: false }],
    options: [],
  };
  return { options: shared, commands: [...commands, help] };
}

function optionReference({
  short,
  long,
  description,
  required,
  optional,
  argChoices = [],
}: Option): OptionReference {
  const names = [short, long].filter((name) => name !== undefined);
  return { names, summary: description, takesValue: required || optional, words: argChoices };
}
