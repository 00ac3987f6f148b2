// Prints a failure as one sentence and a hint, or as JSON. Only our own bugs show a stack.
import { AnnalsError, isAnnalsError } from '../../../log/index.ts';
import { nearestWord } from '../../search/query/nearest-word.ts';
import { plainText } from '../../terminal-text/plain-text.ts';
import { withLocalTimes } from '../../terminal-text/time-text.ts';
import type { Terminal } from '../command/terminal.ts';

/** Prints the failure and returns the exit code: 2 for wrong use, else 1. */
export function reportFailure(terminal: Terminal, error: unknown): number {
  const known = isAnnalsError(error) && error.code !== 'INTERNAL';
  const { code, message, hint } = known ? error : bug(error);
  if (terminal.isJson) terminal.json({ error: { code, message, hint } });
  else {
    // A message may quote a project, a file or the user's input, so control characters are removed.
    terminal.note(`${terminal.style.red('error:')} ${plainText(withLocalTimes(message))}`);
    if (hint !== null) terminal.note(plainText(hint));
  }
  if (!known)
    terminal.note(plainText(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return code === 'USAGE' ? 2 : 1;
}

function bug(error: unknown): Pick<AnnalsError, 'code' | 'message' | 'hint'> {
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'INTERNAL',
    message: `A bug in Annals: ${message}`,
    hint: 'Acknowledged data is safe. Please report the lines below and the command that you ran.',
  };
}

/** Converts an error of the parser (`error: unknown option '--jso'`, a suggestion on the next line). */
export function usageError(parserMessage: string, words: readonly string[]): AnnalsError {
  const [first = '', suggestion] = parserMessage.replace(/^error: /, '').split('\n');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const command = words.find((word, index) => !word.startsWith('-') && words[index - 1] !== '--home');
  const help =
    /unknown command/.test(first) || command === undefined ? 'annals --help' : `annals ${command} --help`;
  const hint =
    suggestion && isNear(first, suggestion) ? suggestion.replace(/^\(|\)$/g, '') : `See \`${help}\`.`;
  return new AnnalsError('USAGE', message, { hint });
}

/** The parser also suggests words that only share a few letters. */
function isNear(message: string, suggestion: string): boolean {
  const [, word = ''] = /'-*([^']+)'/.exec(message) ?? [];
  const suggested = suggestion.replace(/^\(Did you mean (?:one of )?|\?\)$/g, '').split(', ');
  return (
    nearestWord(
      word,
      suggested.map((one) => one.replace(/^-+/, '')),
    ) !== null
  );
}
