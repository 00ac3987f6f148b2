import { defineCommand } from '../../command/command.ts';
import { doAct } from './act-result.ts';

export const command = defineCommand<object>({
  description: 'Takes a pin back. The thing itself stays. Inside an agent this is a proposal.',
  shape: (command) => command.argument('<id>', 'of what is pinned'),
  examples: [['unpin o-4t0w8m2k9qza', 'sessions no longer start with it']],
  needsHome: true,
  async run(session, _, [id]) {
    await doAct(session, { act: 'unpin', id: id! }, 'Unpinned');
  },
});
