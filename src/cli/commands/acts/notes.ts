import { AnnalsError } from '../../../../log/index.ts';
import type { Note } from '../../../api.ts';
import { plainLine, wrap } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { doAct } from './act-result.ts';

interface Options {
  readonly project?: string;
}

const ACTIONS = ['list', 'add', 'remove'] as const;

export const command = defineCommand<Options>({
  description:
    'Standing notes: what you want every agent to know in every session of a project. All of them are at the top of each ' +
    'brief, so a project has at most 20, of at most 300 characters each. Inside an agent, add and remove are proposals.',
  shape: (command) =>
    command
      .addArgument(oneOf('[action]', 'list (default), add or remove', ACTIONS).argOptional())
      .argument('[word...]', 'the text of the new note, or the id of the one to remove')
      .option('--project <name>', "the project (default: this folder's)"),
  examples: [
    ['notes', 'the notes of this project'],
    ['notes add "Never push to main. Open a pull request."', 'a new note'],
    ['notes remove m-x7c3n5paq4m2', 'sessions are no longer told it'],
  ],
  needsHome: ([action]) => action !== 'add',
  async run(session, { project }, [action = 'list', ...words]) {
    const { world } = session;
    const of = project === undefined ? { cwd: world.folder } : { project };
    const text = words.join(' ').trim();
    if (action === 'list') {
      if (text !== '') throw new AnnalsError('USAGE', 'A list takes no further words.');
      return printNotes(session, await (await session.annals()).notes(of));
    }
    if (action === 'add') {
      if (text === '') throw new AnnalsError('USAGE', 'There is no text for the note.');
      await doAct(session, { act: 'note', text, ...of }, 'Noted');
    } else if (action === 'remove') {
      if (words.length !== 1) throw new AnnalsError('USAGE', 'Give the id of one note.');
      await doAct(session, { act: 'supersede', id: await noteNamed(session, text, of) }, 'Removed');
    } else
      throw new AnnalsError('USAGE', `There is no action “${action}”.`, {
        hint: `One of: ${ACTIONS.join(', ')}.`,
      });
  },
});

/** Only notes are removed like this. @throws AnnalsError NOT_FOUND */
async function noteNamed(
  session: Session,
  id: string,
  of: { readonly project?: string; readonly cwd?: string },
): Promise<string> {
  const notes = await (await session.annals()).notes(of);
  const found = notes.filter((note) => note.id.startsWith(id));
  if (found.length === 1) return found[0]!.id;
  throw new AnnalsError('NOT_FOUND', `This project has no note with the id “${id}”.`, {
    hint: `${session.name} notes lists them.`,
  });
}

async function printNotes({ json, terminal, name }: Session, notes: readonly Note[]): Promise<void> {
  if (json) return terminal.json({ notes });
  if (notes.length === 0) {
    terminal.note('This project has no notes.');
    return terminal.tip(`${name} notes add "<text>" adds one`);
  }
  for (const { id, text } of notes) {
    const [first = '', ...rest] = wrap(plainLine(text), terminal.width - id.length - 2);
    await terminal.line(`${terminal.style.dim(id)}  ${first}`);
    for (const line of rest) await terminal.line(`${' '.repeat(id.length)}  ${line}`);
  }
}
