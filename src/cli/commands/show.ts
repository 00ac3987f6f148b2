import { AnnalsError, type ErrorCode, isAnnalsError } from '../../../log/index.ts';
import type { AsOfOptions, ShownItem } from '../../api.ts';
import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand } from '../command/command.ts';
import { reportFailure } from '../output/failure.ts';
import { printItem } from '../output/item-text.ts';

/** What may be wrong with one id while the others can be shown. */
const OF_ONE_ID: ReadonlySet<ErrorCode> = new Set(['USAGE', 'NOT_FOUND', 'FORGOTTEN', 'AMBIGUOUS_ID']);

interface Options {
  readonly asOf?: string;
  readonly full?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Prints things by id: a search result, a session, a turn or an event. The beginning of an id is enough if it is ' +
    'unique. If some of several ids cannot be shown, the others are, and the exit code is 1. Long texts are cut after ' +
    '40 lines; --full prints everything.',
  shape: (command) =>
    withAsOf(command).argument('<id...>', 'one or more ids').option('--full', 'full texts and all details'),
  examples: [
    ['show p-k3j5h2l6a7bc', 'a prompt'],
    ['show t-q4m2 --full', 'a tool use by the beginning of its id, with its full result'],
    ['show p-k3j5h2l6a7bc t-q4m2 --json', 'several, as {"items":[…]}'],
    ['show 6f1d2c1e --as-of 5000', 'a session as of position 5,000 of the log'],
  ],
  needsHome: true,
  async run(session, { full = false, asOf }, ids) {
    const annals = await session.annals();
    const items: ShownItem[] = [];
    const errors: (Pick<AnnalsError, 'code' | 'message' | 'hint'> & { readonly id: string })[] = [];
    for (const id of ids)
      try {
        const ask = (past: AsOfOptions) => (asOf === undefined ? annals.get(id) : annals.get(id, past));
        items.push(await askAsOf(session, asOf, ask));
      } catch (error) {
        if (ids.length === 1 || !isAnnalsError(error) || !OF_ONE_ID.has(error.code)) throw error;
        const { code, message, hint } = error;
        errors.push({ id, code, message, hint });
      }
    const exitCode = errors.length === 0 ? 0 : 1;
    if (session.json) {
      await session.terminal.json({ items, ...(errors.length === 0 ? {} : { errors }) });
      return exitCode;
    }
    printAsOf(session, items[0]?.asOf);
    for (const [index, item] of items.entries()) {
      if (index > 0) await session.terminal.line();
      await printItem(session, item, full);
    }
    for (const { code, message, hint } of errors)
      reportFailure(session.terminal, new AnnalsError(code, message, hint === null ? {} : { hint }));
    return exitCode;
  },
});
