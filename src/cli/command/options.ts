// Parsers for option values. They throw USAGE and say which values are allowed.
import { Argument, Option } from 'commander';
import { AnnalsError } from '../../../log/index.ts';

export function wholeNumber(option: string, least: number, most = Number.MAX_SAFE_INTEGER) {
  return (word: string): number => {
    const value = Number(word);
    if (/^\d+$/.test(word) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new AnnalsError('USAGE', `${option} takes a whole number ${range}, not "${word}".`);
  };
}

/** An argument whose words the shell completes. The command itself checks the word. */
export function oneOf(name: string, description: string, words: readonly string[]): Argument {
  const argument = new Argument(name, description);
  argument.argChoices = [...words];
  return argument;
}

/** An option whose values the shell completes. `read` checks the value. */
export function optionOneOf(
  flags: string,
  description: string,
  words: readonly string[],
  read: (word: string) => unknown,
): Option {
  const option = new Option(flags, description).argParser(read);
  option.argChoices = [...words];
  return option;
}

/** For options that may be given several times. */
export function collect(word: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), word];
}
