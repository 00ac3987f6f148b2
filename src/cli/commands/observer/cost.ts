import type { ObserverCost } from '../../../api.ts';
import { dollars } from '../../../terminal-text/dollars.ts';
import { plainLine } from '../../../terminal-text/plain-text.ts';
import { defineCommand } from '../../command/command.ts';
import { count, counted } from '../../output/amount.ts';

const DAYS_SHOWN = 14;
const BAR_WIDTH = 30;

export const command = defineCommand<object>({
  description:
    'Shows what the model that writes observations cost, counted from the log: in the last 24 hours, by day, model and ' +
    'project, and what is left of the budget. What is not answered yet counts with its worst case.',
  shape: (command) => command,
  examples: [
    ['cost', 'a chart of the last days'],
    ['cost --json', 'all figures'],
  ],
  needsHome: true,
  async run({ terminal, annals, json }) {
    const cost = await (await annals()).observerCost();
    if (json) return terminal.json(cost);
    const { lastDay, budget, days, models, projects } = cost;
    await terminal.line(
      `Last 24 hours: ${dollars(lastDay.usd)}, ${counted(lastDay.calls, 'request')}, ${count(lastDay.tokens)} tokens${budgetText(budget)}.`,
    );
    if (days.length === 0) return;
    const shown = days.slice(0, DAYS_SHOWN);
    const most = Math.max(...shown.map(({ usd }) => usd), Number.MIN_VALUE);
    for (const { day, usd, calls } of shown)
      await terminal.line(
        `${day}  ${'█'.repeat(Math.ceil((usd / most) * BAR_WIDTH)).padEnd(BAR_WIDTH)}  ${dollars(usd)}, ${counted(calls, 'request')}`,
      );
    for (const { model, usd, calls } of models)
      await terminal.line(`${plainLine(model)}: ${dollars(usd)}, ${counted(calls, 'request')}`);
    for (const { project, usd, calls } of projects)
      await terminal.line(`${plainLine(project)}: ${dollars(usd)}, ${counted(calls, 'request')}`);
  },
});

function budgetText({ usdPerDay, left }: ObserverCost['budget']): string {
  return usdPerDay === null ? '' : `; ${dollars(left!)} of ${dollars(usdPerDay)} left`;
}
