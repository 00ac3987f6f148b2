// What a failure looks like: one sentence and what helps, or the same as JSON. Only our own bugs show a stack.
import { AnnalsError, isAnnalsError } from '../../../log/index.ts';
import { plainText } from '../../terminal-text/plain-text.ts';
import type { Terminal } from '../command/terminal.ts';

/** Prints the failure and returns the exit code: 2 for wrong use, else 1. */
export function reportFailure(terminal: Terminal, error: unknown): number {
  const known = isAnnalsError(error) && error.code !== 'INTERNAL';
  const { code, message, hint } = known ? error : bug(error);
  if (terminal.isJson) terminal.json({ error: { code, message, hint } });
  else {
    // A message may quote a project's name, a file's or what was typed: whoever named them must not act on the terminal.
    terminal.note(`${terminal.style.red('error:')} ${plainText(message)}`);
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
    hint: 'What was acknowledged is safe. Please report the lines below and the command that led here.',
  };
}

/** Turns the parser's complaint (`error: unknown option '--jso'`, a suggestion on the next line) into ours. */
export function usageError(complaint: string, words: readonly string[]): AnnalsError {
  const [first = '', suggestion] = complaint.replace(/^error: /, '').split('\n');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`;
  const command = words.find((word, index) => !word.startsWith('-') && words[index - 1] !== '--home');
  const help =
    /unknown command/.test(first) || command === undefined ? 'annals --help' : `annals ${command} --help`;
  const hint = suggestion ? suggestion.replace(/^\(|\)$/g, '') : `See \`${help}\`.`;
  return new AnnalsError('USAGE', message, { hint });
}
