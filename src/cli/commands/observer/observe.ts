import { AnnalsError } from '../../../../log/index.ts';
import type { ObserveOptions, ObserveReport, ObserveRequest, ReadingsDifference } from '../../../api.ts';
import { dollars } from '../../../terminal-text/dollars.ts';
import { plainLine, plainText } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';
import { count, counted } from '../../output/amount.ts';
import { createProgress } from '../../output/progress-line.ts';
import { printDifference } from '../../output/readings-difference.ts';

const INTERRUPTED = 130;
interface Options {
  readonly session?: string;
  readonly project?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly again?: boolean;
  readonly model?: string;
  readonly mode?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly compare?: readonly string[];
  readonly use?: string;
}

type Selection = Pick<Options, 'session' | 'project' | 'since' | 'limit'>;

export const command = defineCommand<Options>({
  description:
    'Has a model write observations and summaries of the turns that no model has read, oldest first, within the budget of the ' +
    'settings. Every request and answer is stored in the log, so nothing is paid for twice. Needs a key in the environment, ' +
    'such as ANTHROPIC_API_KEY; without one, rules write the observations. With --again, another model or mode reads turns ' +
    'a second time: the price is shown first, and afterwards how the two readings differ. Memory speaks from the first one ' +
    'until --use chooses another; `annals observer recipes` lists them.',
  shape: (command) =>
    command
      .option('--session <id>', 'only turns of this session')
      .option('--project <name>', 'only turns of this project')
      .option('--since <time>', 'only turns after this: a date, or a span such as 2d')
      .option('--limit <n>', 'at most so many requests', wholeNumber('--limit', 1))
      .option('--dry-run', 'send nothing: show the requests and what they may cost')
      .option('--again', 'a second reading beside the first, then how they differ')
      .option('--model <name>', 'this model of the same service, instead of that of the settings')
      .option('--mode <name>', 'this mode, instead of that of the settings')
      .option('--yes', 'with --again: do not ask whether to pay')
      .option(
        '--compare <recipes...>',
        'show how two readings differ, without asking anyone; one recipe: against what speaks without it',
      )
      .option(
        '--use <recipe>',
        'let memory speak from this recipe; latest: from the newest reading of each turn, rules: from none',
      ),
  examples: [
    ['observe --dry-run --limit 3', 'what would be sent, and its price'],
    ['observe --since 7d', 'the turns of the last week'],
    ['observe --again --model claude-sonnet-5-5 --since 7d', 'a second reading of the last week'],
    ['observe --compare haiku sonnet', 'how they differ'],
    ['observe --use sonnet', 'memory speaks from that reading'],
    ['observe --use rules', 'back to the observations of the rules'],
  ],
  needsHome: true,
  async run(session, { use, compare, yes, ...options }) {
    if (use !== undefined) return choose(session, use);
    if (compare !== undefined) return showDifference(session, compare, options);
    if (options.again === true && options.dryRun !== true && !(await agreed(session, options, yes === true)))
      return 1;
    const { terminal, world, json } = session;
    const annals = await session.annals();
    const controller = new AbortController();
    const progress = createProgress(terminal, world.now);
    const stopListening = world.onInterrupt(() => {
      progress.end();
      terminal.note('Stopping after this request; press Ctrl-C again to stop now.');
      controller.abort();
    });
    const report = await annals
      .observe({
        ...options,
        signal: controller.signal,
        onProgress: (done, total) => progress.report(() => `Asking the model: ${done} of ${total}`),
      })
      .finally(() => {
        progress.end();
        stopListening();
      });
    const difference = options.again === true ? await differenceFrom(session, report, options) : null;
    if (json) await terminal.json(options.again === true ? { ...report, difference } : report);
    else await print(session, report, options.dryRun === true);
    if (!json && difference !== null) await printDifferenceFrom(session, difference);
    if (controller.signal.aborted) return INTERRUPTED;
    return report.problem === null ? 0 : 1;
  },
});

async function print({ terminal }: Session, report: ObserveReport, isDryRun: boolean): Promise<void> {
  const { waiting, asked, read, invalid, failed, usd, tokens, model, problem, requests } = report;
  if (isDryRun) {
    for (const request of requests) await printRequest(terminal, request);
    await terminal.line(
      `${counted(requests.length, 'request')} of ${count(waiting)} to ${plainLine(model ?? 'no model')}, ${priceText(report)}. Nothing was sent.`,
    );
  } else if (asked > 0 || problem === null) {
    const others = [
      ...(invalid > 0 ? [`${count(invalid)} could not be read`] : []),
      ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ];
    await terminal.line(
      `${counted(read, 'answer')} of ${plainLine(model ?? '')}${others.length === 0 ? '' : `, ${others.join(', ')}`}; ${count(tokens)} tokens, ${dollars(usd)}. ${counted(waiting - asked, 'request')} left.`,
    );
  }
  if (problem !== null) terminal.note(plainText(problem));
}

async function printRequest(
  terminal: Session['terminal'],
  { session, turn, part, parts, instructions, content, worstUsd, worstTokens }: ObserveRequest,
): Promise<void> {
  const price = worstUsd === null ? 'price unknown' : `at most ${dollars(worstUsd)}`;
  const which = parts > 1 ? `, part ${part} of ${parts}` : '';
  await terminal.line(
    `── ${plainLine(turn)}${which} of session ${plainLine(session)}: at most ${count(worstTokens)} tokens, ${price}`,
  );
  await terminal.line(plainText(instructions));
  await terminal.line('');
  await terminal.line(plainText(content));
  await terminal.line('');
}

function priceText({ worstUsd, expectedUsd }: ObserveReport): string {
  if (worstUsd === null || expectedUsd === null) return 'price unknown';
  return `about ${dollars(expectedUsd)}, at most ${dollars(worstUsd)}`;
}

/** Shows the price of a second reading. At a terminal the person decides; the budget holds in any case. */
async function agreed(session: Session, options: ObserveOptions, isAgreed: boolean): Promise<boolean> {
  const { terminal, world } = session;
  const annals = await session.annals();
  const price = await annals.observe({ ...options, dryRun: 'price' });
  const requests = Math.min(price.waiting, options.limit ?? price.waiting);
  if (requests === 0 && price.recipe !== null)
    terminal.note(`${plainLine(price.recipe)} has read all of these turns: name another --model or --mode.`);
  if (requests === price.refused) return true;
  const { left } = (await annals.observerCost()).budget;
  const budget = left === null ? '' : ` ${dollars(left)} of the budget for 24 hours are left.`;
  terminal.note(
    `${counted(requests, 'request')} to ${plainLine(price.model ?? '')} (${plainLine(price.recipe ?? '')}): ${priceText(price)}.${budget}`,
  );
  if (price.problem !== null)
    terminal.note(`${counted(price.refused, 'request')} will not be sent: ${plainText(price.problem)}`);
  if (isAgreed || !world.stdin.isTerminal) return true;
  terminal.note('Ask? [y/N]');
  return /^y(es)?$/i.test((await world.stdin.readLine()).trim());
}

async function differenceFrom(
  session: Session,
  { recipe, read }: ObserveReport,
  { session: id, project, since }: Selection,
): Promise<ReadingsDifference | null> {
  if (recipe === null || read === 0) return null;
  return (await session.annals()).compareReadings({
    after: recipe,
    ...(id === undefined ? {} : { session: id }),
    ...(project === undefined ? {} : { project }),
    ...(since === undefined ? {} : { since }),
  });
}

async function printDifferenceFrom(
  { terminal, name }: Session,
  difference: ReadingsDifference,
): Promise<void> {
  await terminal.line();
  await printDifference(terminal, difference);
  terminal.tip(`${name} observe --use ${difference.after} has memory speak from it.`);
}

async function showDifference(
  { terminal, annals, json }: Session,
  recipes: readonly string[],
  { session, project, since, limit }: Selection,
): Promise<number> {
  if (recipes.length > 2)
    throw new AnnalsError('USAGE', `--compare takes one or two recipes, not ${recipes.length}.`);
  const difference = await (await annals()).compareReadings({
    ...(recipes.length === 2 ? { before: recipes[0]! } : {}),
    after: recipes.at(-1)!,
    ...(session === undefined ? {} : { session }),
    ...(project === undefined ? {} : { project }),
    ...(since === undefined ? {} : { since }),
  });
  if (json) await terminal.json(difference);
  else await printDifference(terminal, difference, limit);
  return 0;
}

async function choose({ terminal, annals, json, name: program }: Session, name: string): Promise<number> {
  const choice = await (await annals()).chooseRecipe(name);
  const { recipe, before, changed } = choice;
  if (json) await terminal.json(choice);
  else {
    const said = CHOSEN[recipe] ?? `Memory speaks from ${plainLine(recipe)}`;
    await terminal.line(`${said}${changed ? '' : ', as before'}.`);
    if (changed) terminal.tip(`${program} observe --use ${plainLine(before)} takes that back.`);
  }
  return 0;
}

const CHOSEN: Readonly<Record<string, string>> = {
  rules: 'Memory speaks from the rules',
  latest: 'Memory speaks from the newest reading of each turn',
};
