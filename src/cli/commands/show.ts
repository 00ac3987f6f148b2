import { defineCommand } from '../command.ts';
import { printItem } from '../item.ts';

interface Options {
  readonly full?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Opens things by id: what `search` lists, a session, a turn or an event. The beginning of an id is enough ' +
    'where it fits only one. Long texts are cut after 40 lines; --full shows them whole.',
  shape: (command) =>
    command.argument('<id...>', 'one or more ids').option('--full', 'whole texts and all details'),
  examples: [
    ['show p-k3j5h2l6a7bc', 'a prompt'],
    ['show t-q4m2 --full', 'a tool use by the beginning of its id, with its whole result'],
    ['show p-k3j5h2l6a7bc t-q4m2 --json', 'several, as {"items":[…]}'],
  ],
  async run(session, { full = false }, ids) {
    const annals = await session.annals();
    const items = [];
    for (const id of ids) items.push(await annals.get(id));
    if (session.json) return session.terminal.json({ items });
    for (const [index, item] of items.entries()) {
      if (index > 0) await session.terminal.line();
      await printItem(session, item, full);
    }
  },
});
