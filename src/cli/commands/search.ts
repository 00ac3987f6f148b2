import { AnnalsError } from '../../../log/index.ts';
import type { DocumentKind, ToolOutcome } from '../../../projections/index.ts';
import type { SearchAnswer } from '../../api.ts';
import { KINDS, kindOf, OUTCOMES, outcomeOf } from '../../search/query/query-conditions.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { optionOneOf, wholeNumber } from '../command/options.ts';
import { withDashWords } from '../command/query-words.ts';
import { counted } from '../output/amount.ts';
import { printResults } from '../output/search-results.ts';

const LIMIT_MAX = 1_000;

interface Options {
  readonly asOf?: string;
  readonly project?: string;
  readonly kind?: DocumentKind;
  readonly type?: string;
  readonly file?: string;
  readonly concept?: string;
  readonly outcome?: ToolOutcome;
  readonly agent?: string;
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly explain?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Finds prompts, answers, tool uses, observations, summaries and memories by words and by meaning, best first. ' +
    'Words are matched by their stem, identifiers whole and by their parts. A word that occurs nowhere is also tried ' +
    'as a prefix and with small typos. More matching words rank higher; no word is required. In the query, "a phrase" ' +
    'must match exactly, and -word excludes a word. Each option except --limit, --explain and --as-of can be written ' +
    'as type:decision, file:clock.ts or since:last-week, with a minus to exclude. Without words the newest results ' +
    'are listed. Several lines are treated as a pasted message.',
  shape: (command) =>
    withAsOf(withDashWords(command))
      .argument('[query...]', 'words, an error text, a file name, an identifier, operators')
      .option('--project <name>', 'only this project')
      .addOption(
        optionOneOf(
          '--kind <kind>',
          `only ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}`,
          KINDS,
          kindOf,
        ),
      )
      .option(
        '--type <type>',
        'only this type: the name of a tool, the type of a memory or an observation, or test for what ran tests',
      )
      .option('--file <path>', 'only what touched this file: a path or the end of a path')
      .option('--concept <concept>', 'only this concept: gotcha, trade-off, how-it-works, …')
      .addOption(
        optionOneOf(
          '--outcome <outcome>',
          'only tool uses that ended so: ok, failed or cancelled',
          OUTCOMES,
          outcomeOf,
        ),
      )
      .option('--agent <name>', 'only this agent')
      .option('--session <id>', 'only this session')
      .option('--since <when>', 'not older than 7d, 12h, 30m, a date, yesterday, "last tuesday"')
      .option('--until <when>', 'not newer than this; same values as --since')
      .option(
        '--limit <number>',
        'at most this many results (default: 10)',
        wholeNumber('--limit', 1, LIMIT_MAX),
      )
      .option('--explain', 'also show the parts of each score'),
  examples: [
    ['search flaky feeding test', 'everything about it, in all projects'],
    ['search \'"import cycle" -jest since:last-week\'', 'a phrase, without another word, since last week'],
    ['search type:decision --project birdfeeder', 'the newest decisions of a project'],
    ['search file:src/clock.ts', 'what touched a file, newest first'],
    ['search "ECONNREFUSED 5432" --kind tool --since 30d', 'a command that failed last month'],
    ['search why did we --file src/clock.ts --project birdfeeder', 'words and conditions together'],
    ['search type:test outcome:failed', 'the test runs that failed, newest first'],
    ['search deploy --json --limit 3', 'for a script'],
    ['search deploy --as-of 2026-03-25', 'what this search found at the end of that day'],
  ],
  needsHome: true,
  async run(session, { asOf, ...options }, words) {
    const query = words.join(' ').trim();
    if (query === '' && !Object.keys(options).some((key) => key !== 'limit' && key !== 'explain'))
      throw new AnnalsError('USAGE', 'There is nothing to search for.', {
        hint: 'See `annals search --help`.',
      });
    const annals = await session.annals();
    const answer = await askAsOf(session, asOf, (past) => annals.search(query, { ...options, ...past }));
    if (session.json) return session.terminal.json(answer);
    printAsOf(session, answer.asOf);
    if (answer.lowConfidence)
      session.terminal.note('Nothing fits the query well. These are the nearest results:');
    if (answer.results.length === 0) await explainEmpty(session, answer);
    else await printResults(session, answer.query.text, answer.results);
    for (const hint of answer.hints ?? []) session.terminal.note(plainLine(hint));
    for (const sentence of answer.degraded) session.terminal.note(session.terminal.style.yellow(sentence));
    if (answer.results.length > 0) suggestNext(session, answer);
  },
});

/** Suggests what to do next: open the first result, or show what happened around it. */
function suggestNext({ terminal, name }: Session, { results, ms }: SearchAnswer): void {
  const found = counted(results.length, 'result');
  const { id } = results[0]!;
  terminal.tip(
    terminal.style.dim(
      `${found} in ${duration(ms)} · ${name} show ${id} opens the first, ${name} timeline ${id} shows what is around it`,
    ),
  );
}

async function explainEmpty(session: Session, { query, hints = [] }: SearchAnswer): Promise<void> {
  const { terminal, name } = session;
  const { log } = await (await session.annals()).status();
  if (log.events === 0) {
    terminal.note(`Nothing here yet. Try: ${name} import ~/.claude/projects`);
    return;
  }
  const limits = [
    ...query.conditions.map(({ field, value, not }) => `${not ? '-' : ''}${field}:${value}`),
    ...query.without.map((words) => `-"${words}"`),
  ].join(' ');
  if (query.text === '') terminal.note(`Nothing matches ${limits}.`);
  else
    terminal.note(
      `Nothing matches "${query.text}"${limits === '' ? '' : ` with these conditions: ${limits}`}.`,
    );
  if (hints.length > 0) return;
  terminal.note(
    limits === ''
      ? `Try a file name, an error text or other words. ${name} status shows what is recorded.`
      : `Remove a condition, or see what is recorded: ${name} status`,
  );
}
