// Gets the passphrase of an export from a file, the environment, or a terminal without echo. It is never an argument:
// the shell history and the process list show arguments.
import { readFile } from 'node:fs/promises';
import { AnnalsError } from '../../log/index.ts';
import { givenPath } from '../platform/path-inside.ts';
import type { Session } from './command/command.ts';

/** The passphrase is read at most once, when the export needs it. `twice` asks again, to catch typos in a new one. */
export function passphraseOf(
  { terminal, world }: Pick<Session, 'terminal' | 'world'>,
  file: string | undefined,
  { twice }: { readonly twice: boolean },
): () => Promise<string> {
  let passphrase: Promise<string> | undefined;
  const ask = async (): Promise<string> => {
    if (file !== undefined) return fromFile(givenPath(file, world.folder));
    const { ANNALS_PASSPHRASE } = world.environment;
    if (ANNALS_PASSPHRASE !== undefined && ANNALS_PASSPHRASE !== '') return ANNALS_PASSPHRASE;
    if (!world.stdin.isTerminal)
      throw new AnnalsError(
        'PASSPHRASE_WRONG',
        'The export needs a passphrase, and there is no terminal to ask for it.',
        {
          hint: 'Use --passphrase-file or ANNALS_PASSPHRASE, or run this in a terminal.',
        },
      );
    const question = 'Passphrase of the export (it is not shown):';
    const first = await world.stdin.readSecret(() => terminal.note(question));
    if (!twice || first === '') return first;
    const again = await world.stdin.readSecret(() => terminal.note('Repeat the passphrase:'));
    if (again === first) return first;
    throw new AnnalsError('USAGE', 'The passphrases differ. Nothing was written.', { hint: 'Try again.' });
  };
  return () => {
    passphrase ??= ask();
    return passphrase;
  };
}

/** Returns the first line of the file. @throws AnnalsError INPUT_UNREADABLE */
async function fromFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).split(/\r?\n/, 1)[0]!;
  } catch (error) {
    throw new AnnalsError('INPUT_UNREADABLE', `The passphrase file ${path} cannot be read.`, {
      hint: 'Give a file whose first line is the passphrase.',
      facts: { path },
      cause: error,
    });
  }
}
