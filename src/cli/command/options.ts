// Parsers for option values. They throw USAGE and say which values are allowed.
import { AnnalsError } from '../../../log/index.ts';

export function wholeNumber(option: string, least: number, most = Number.MAX_SAFE_INTEGER) {
  return (word: string): number => {
    const value = Number(word);
    if (/^\d+$/.test(word) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new AnnalsError('USAGE', `${option} takes a whole number ${range}, not "${word}".`);
  };
}

/** For options that may be given several times. */
export function collect(word: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), word];
}
