// Where the passphrase of an export comes from: a file, the environment, or a person at a terminal who is not echoed.
// It is never an argument, because those stand in the shell's history and in the list of processes.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import type { Session } from './command/command.ts';

/** Asked at most once, and only when the export turns out to need it. `twice`: a new one, which nobody could correct. */
export function passphraseOf(
  { terminal, world }: Pick<Session, 'terminal' | 'world'>,
  file: string | undefined,
  { twice }: { readonly twice: boolean },
): () => Promise<string> {
  let asked: Promise<string> | undefined;
  const ask = async (): Promise<string> => {
    if (file !== undefined) return fromFile(resolve(world.folder, file));
    const { ANNALS_PASSPHRASE } = world.environment;
    if (ANNALS_PASSPHRASE !== undefined && ANNALS_PASSPHRASE !== '') return ANNALS_PASSPHRASE;
    if (!world.stdin.isTerminal)
      throw new AnnalsError(
        'PASSPHRASE_WRONG',
        'The export needs a passphrase, and nobody is there to be asked.',
        {
          hint: 'Give it in --passphrase-file or ANNALS_PASSPHRASE, or run this in a terminal.',
        },
      );
    const question = 'Passphrase of the export (it is not shown):';
    const first = await world.stdin.readSecret(() => terminal.note(question));
    if (!twice) return first;
    const again = await world.stdin.readSecret(() => terminal.note('Once more:'));
    if (again === first) return first;
    throw new AnnalsError('USAGE', 'The two were not the same. Nothing was written.', { hint: 'Try again.' });
  };
  return () => {
    asked ??= ask();
    return asked;
  };
}

/** The first line, so that an editor's line end does not count. */
async function fromFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).split(/\r?\n/, 1)[0]!;
  } catch (error) {
    throw new AnnalsError('INPUT_UNREADABLE', `The passphrase file ${path} cannot be read.`, {
      hint: 'Name a file whose first line is the passphrase.',
      facts: { path },
      cause: error,
    });
  }
}
