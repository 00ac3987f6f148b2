import { defineCommand } from '../../command/command.ts';
import { doAct } from './act-result.ts';

export const command = defineCommand<object>({
  description:
    'Pins something: every session of its project starts with it, until it is unpinned. It stays pinned when the views are ' +
    'built again with other rules. Inside an agent this is a proposal.',
  shape: (command) =>
    command.argument('<id>', 'of a prompt, an answer, a tool use, a memory, an observation or a summary'),
  examples: [
    ['pin o-4t0w8m2k9qza', 'every session starts with this observation'],
    ['unpin o-4t0w8m2k9qza', 'take it back'],
  ],
  needsHome: true,
  async run(session, _, [id]) {
    await doAct(session, { act: 'pin', id: id! }, 'Pinned');
  },
});
