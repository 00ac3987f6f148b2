import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand } from '../command/command.ts';
import { printItem } from '../output/item-text.ts';

interface Options {
  readonly asOf?: string;
  readonly full?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Prints things by id: a search result, a session, a turn or an event. The beginning of an id is enough if it is ' +
    'unique. Long texts are cut after 40 lines; --full prints everything.',
  shape: (command) =>
    withAsOf(command).argument('<id...>', 'one or more ids').option('--full', 'full texts and all details'),
  examples: [
    ['show p-k3j5h2l6a7bc', 'a prompt'],
    ['show t-q4m2 --full', 'a tool use by the beginning of its id, with its full result'],
    ['show p-k3j5h2l6a7bc t-q4m2 --json', 'several, as {"items":[…]}'],
    ['show 6f1d2c1e --as-of 5000', 'a session as of position 5,000 of the log'],
  ],
  async run(session, { full = false, asOf }, ids) {
    const annals = await session.annals();
    const items = [];
    for (const id of ids)
      items.push(
        await askAsOf(session, asOf, (past) => (asOf === undefined ? annals.get(id) : annals.get(id, past))),
      );
    if (session.json) return session.terminal.json({ items });
    printAsOf(session, items[0]?.asOf);
    for (const [index, item] of items.entries()) {
      if (index > 0) await session.terminal.line();
      await printItem(session, item, full);
    }
  },
});
