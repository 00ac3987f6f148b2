// A process of its own: `cost-alone <home> <folder> <shape> <tool uses> <rounds> <ms to settle>`.
import { costOf, type Shape } from './cost-of.ts';

const [home = '', folder = '', shape = '', toolUses = '', rounds = '', settleMs = ''] = process.argv.slice(2);
const outcome = await costOf({
  home,
  folder,
  shape: shape as Shape,
  toolUses: Number(toolUses),
  rounds: Number(rounds),
  settleMs: Number(settleMs),
});
process.stdout.write(`${JSON.stringify(outcome)}\n`);
