import { AnnalsError } from '../../../../log/index.ts';
import { defineCommand } from '../../command/command.ts';
import { doAct } from './act-result.ts';

interface Options {
  readonly by?: string;
  readonly undo?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Says that something no longer holds. It is told to no session any more, and a search shows it below everything else, with ' +
    'what holds instead. Inside an agent this is a proposal.',
  shape: (command) =>
    command
      .argument('<id>', 'of what no longer holds')
      .option('--by <id>', 'what holds instead (default: nothing)')
      .option('--undo', 'let it hold again'),
  examples: [
    ['supersede o-4t0w8m2k9qza --by m-x7c3n5paq4m2', 'the second one holds instead'],
    ['supersede o-4t0w8m2k9qza', 'it does not hold any more'],
    ['supersede o-4t0w8m2k9qza --undo', 'it holds again'],
  ],
  needsHome: true,
  async run(session, { by, undo }, [id]) {
    if (undo === true) {
      if (by !== undefined) throw new AnnalsError('USAGE', '--undo takes no --by.');
      await doAct(session, { act: 'unsupersede', id: id! }, 'Holds again:');
      return;
    }
    await doAct(session, { act: 'supersede', id: id!, ...(by === undefined ? {} : { by }) }, 'Superseded');
  },
});
