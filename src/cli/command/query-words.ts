// Words of a query that begin with a dash: `annals search clock -jest`.
import type { Command } from 'commander';
import { AnnalsError } from '../../../log/index.ts';

/**
 * Leaves `-jest` and `-type:Bash` in their place among the words, where the parser sees unknown options. `--wrod` is one, and
 * `-limit` may be either.
 */
export function withDashWords(command: Command): Command {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (words) => {
    const { operands, unknown } = parse(words);
    const separator = unknown.indexOf('--');
    const early = separator === -1 ? unknown : unknown.slice(0, separator);
    const option = early.find((word) => word.startsWith('--') || word === '-h');
    if (option !== undefined) return { operands, unknown: [option] };
    const unclear = early.find((word) => command.options.some(({ long }) => long === `-${word}`));
    if (unclear !== undefined)
      throw new AnnalsError('USAGE', `${unclear} may be the option -${unclear} or a word to exclude.`, {
        hint: `Write -${unclear}, or put -- before the words: annals ${command.name()} -- clock ${unclear}`,
      });
    return { operands: [...operands, ...unknown.filter((_, index) => index !== separator)], unknown: [] };
  };
  return command;
}
