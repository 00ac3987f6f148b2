import { AnnalsError } from '../../../../log/index.ts';
import { defineCommand } from '../../command/command.ts';
import { doAct } from './act-result.ts';

interface Options {
  readonly title?: string;
  readonly text?: string;
  readonly undo?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Puts your words in the place of a remembered text. They are what is found and shown from then on; the text from before ' +
    'stays in the log, and `show` and `why` print it. Secrets and <private> text are removed first. Inside an agent this is a ' +
    'proposal.',
  shape: (command) =>
    command
      .argument('<id>', 'of a prompt, an answer, a tool use, a memory, an observation or a summary')
      .option(
        '--title <title>',
        'a new title of one line (default: as it is, or made of the new text if it was made of the old one)',
      )
      .option('--text <text>', 'the new text; standard input for -, or without this and --title')
      .option('--undo', 'bring the text from before back'),
  examples: [
    ['edit o-4t0w8m2k9qza --text "The clock is UTC since May."', 'correct an observation'],
    ['edit m-x7c3n5paq4m2 --title "Deploy on Fridays too"', 'another title, the same text'],
    ['edit o-4t0w8m2k9qza --undo', 'the text from before'],
  ],
  needsHome: true,
  async run(session, { title, text, undo }, [id]) {
    if (undo === true) {
      if (title !== undefined || text !== undefined)
        throw new AnnalsError('USAGE', '--undo takes no new title or text.');
      await doAct(session, { act: 'unedit', id: id! }, 'Brought back');
      return;
    }
    const { stdin } = session.world;
    const isRead = text === '-' || (text === undefined && title === undefined);
    const typed = isRead ? (await stdin.read()).trim() : text;
    if (typed === '')
      throw new AnnalsError('USAGE', `There is no text: ${isRead ? 'standard input' : '--text'} is empty.`, {
        hint: `For example: ${session.name} edit ${id} --text "the new text"`,
      });
    const words = {
      ...(title === undefined ? {} : { title }),
      ...(typed === undefined ? {} : { text: typed }),
    };
    await doAct(session, { act: 'edit', id: id!, ...words }, 'Edited');
  },
});
