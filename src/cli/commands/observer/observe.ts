import type { ObserveReport, ObserveRequest } from '../../../api.ts';
import { dollars } from '../../../terminal-text/dollars.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';
import { count, counted } from '../../output/amount.ts';
import { createProgress } from '../../output/progress-line.ts';

const INTERRUPTED = 130;
/** For `--use`: the newest reading of each turn, or none. */
const LATEST = 'latest';
const RULES = 'rules';

interface Options {
  readonly session?: string;
  readonly project?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly again?: boolean;
  readonly dryRun?: boolean;
  readonly use?: string;
}

export const command = defineCommand<Options>({
  description:
    'Has a model write observations and summaries of the turns that it has not read, oldest first, within the budget of the ' +
    'settings. Every request and answer is stored in the log, so nothing is paid for twice. Needs a key in the environment, ' +
    'such as ANTHROPIC_API_KEY; without one, rules write the observations.',
  shape: (command) =>
    command
      .option('--session <id>', 'only turns of this session')
      .option('--project <name>', 'only turns of this project')
      .option('--since <time>', 'only turns after this: a date, or a span such as 2d')
      .option('--limit <n>', 'at most so many requests', wholeNumber('--limit', 1))
      .option('--dry-run', 'send nothing: show the requests and what they may cost')
      .option('--again', 'a second reading beside the first; --use chooses which one counts')
      .option(
        '--use <recipe>',
        `let the readings of this recipe count; ${LATEST}: the newest of each turn, ${RULES}: none`,
      ),
  examples: [
    ['observe --dry-run --limit 3', 'what would be sent, and its price'],
    ['observe --since 7d', 'the turns of the last week'],
    ['observe --use rules', 'back to the observations of the rules'],
  ],
  async run(session, { use, ...options }) {
    if (use !== undefined) {
      await choose(session, use);
      return 0;
    }
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
    if (json) await terminal.json(report);
    else await print(session, report, options.dryRun === true);
    if (controller.signal.aborted) return INTERRUPTED;
    return report.problem === null ? 0 : 1;
  },
});

async function print({ terminal }: Session, report: ObserveReport, isDryRun: boolean): Promise<void> {
  const { waiting, asked, read, invalid, failed, usd, tokens, model, problem, requests } = report;
  if (isDryRun) {
    for (const request of requests) await printRequest(terminal, request);
    const worst = requests.reduce((sum, one) => sum + (one.worstUsd ?? 0), 0);
    await terminal.line(
      `${counted(requests.length, 'request')} of ${count(waiting)} to ${model ?? 'no model'}, at most ${dollars(worst)}. Nothing was sent.`,
    );
  } else if (asked > 0 || problem === null) {
    const others = [
      ...(invalid > 0 ? [`${count(invalid)} could not be read`] : []),
      ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ];
    await terminal.line(
      `${counted(read, 'answer')} of ${model}${others.length === 0 ? '' : `, ${others.join(', ')}`}; ${count(tokens)} tokens, ${dollars(usd)}. ${counted(waiting - asked, 'request')} left.`,
    );
  }
  if (problem !== null) terminal.note(problem);
}

async function printRequest(
  terminal: Session['terminal'],
  { session, turn, part, parts, instructions, content, worstUsd, worstTokens }: ObserveRequest,
): Promise<void> {
  const price = worstUsd === null ? 'price unknown' : `at most ${dollars(worstUsd)}`;
  const which = parts > 1 ? `, part ${part} of ${parts}` : '';
  await terminal.line(
    `── ${turn}${which} of session ${session}: at most ${count(worstTokens)} tokens, ${price}`,
  );
  await terminal.line(instructions);
  await terminal.line('');
  await terminal.line(content);
  await terminal.line('');
}

async function choose({ terminal, world, annals, json }: Session, recipe: string): Promise<void> {
  await (await annals()).append([
    {
      ...{ type: 'observer.chosen', agent: 'annals', session: null, channel: 'cli', occurredAt: world.now() },
      dedupeKey: `choice ${world.now()} ${recipe}`,
      body: { recipe: recipe === RULES ? null : recipe },
    },
  ]);
  if (json) return terminal.json({ recipe });
  await terminal.line(
    recipe === RULES ? 'Observations are those of the rules now.' : `Readings of ${recipe} count now.`,
  );
}
