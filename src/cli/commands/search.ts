import { AnnalsError } from '../../../log/index.ts';
import type { DocumentKind } from '../../../projections/index.ts';
import type { SearchAnswer, SearchOptions } from '../../api.ts';
import { KINDS, kindOf } from '../../search/query/query-conditions.ts';
import { duration } from '../../terminal-text/time-text.ts';
import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { wholeNumber } from '../command/options.ts';
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
  readonly agent?: string;
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly explain?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Finds prompts, answers, tool uses and saved memories by these words and by what they mean, the best first. ' +
    'Words are matched by their stem; an identifier is found whole and by its parts; a word that occurs nowhere is ' +
    'tried as a beginning and with small errors. More matching words rank higher; none is required. ' +
    'In the words, "quoted ones" must stand there side by side, -word in front or behind leaves out, and each ' +
    'option but --limit, --explain and --as-of may be written as type:decision, file:clock.ts or since:last-week, ' +
    'with a minus to leave out. Without words the newest are listed. Several lines are taken as a pasted message.',
  shape: (command) =>
    withAsOf(command)
      .argument('[query...]', 'words, an error text, a file name, an identifier, operators')
      .option('--project <name>', 'only this project')
      .option('--kind <kind>', `only ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}`, kindOf)
      .option('--type <type>', "only this type: a tool's name, or what a memory or an observation is")
      .option('--file <path>', 'only what touched this file: a path or the end of one')
      .option('--concept <concept>', 'only what is marked so: gotcha, trade-off, how-it-works, …')
      .option('--agent <name>', 'only what this agent did or was asked')
      .option('--session <id>', 'only this session')
      .option('--since <when>', 'not older: 7d, 12h, 30m ago, a date, or words: yesterday, "last tuesday"')
      .option('--until <when>', 'not newer: as for --since')
      .option(
        '--limit <number>',
        'at most this many results (default: 10)',
        wholeNumber('--limit', 1, LIMIT_MAX),
      )
      .option('--explain', 'also what each score is made of'),
  examples: [
    ['search flaky feeding test', 'everything about it, in all projects'],
    ['search \'"import cycle" -jest since:last-week\'', 'these two words side by side, and without another'],
    ['search type:decision --project birdfeeder', 'the newest decisions of a project'],
    ['search file:src/clock.ts', 'what touched a file, the newest first'],
    ['search "ECONNREFUSED 5432" --kind tool --since 30d', 'a command that failed last month'],
    [
      'search why did we --file src/clock.ts --project birdfeeder',
      'what was said where this file was touched',
    ],
    ['search deploy --json --limit 3', 'for a script'],
    ['search deploy --as-of 2026-03-25', 'what would have been found at the end of that day'],
  ],
  async run(session, options, words) {
    const query = words.join(' ').trim();
    const given = searchOptions(options);
    if (query === '' && !Object.keys(given).some((key) => key !== 'limit' && key !== 'explain'))
      throw new AnnalsError('USAGE', 'There is nothing to search for.', {
        hint: 'See `annals search --help`.',
      });
    const annals = await session.annals();
    const answer = await askAsOf(session, options.asOf, (past) =>
      annals.search(query, { ...given, ...past }),
    );
    if (session.json) return session.terminal.json(answer);
    printAsOf(session, answer.asOf);
    if (answer.results.length === 0) await sayWhyNothing(session, answer);
    else await printResults(session, answer.query.text, answer.results);
    if (answer.lowConfidence)
      session.terminal.note('Nothing here fits the query well: these are the nearest there are.');
    for (const sentence of answer.degraded) session.terminal.note(session.terminal.style.yellow(sentence));
    if (answer.results.length > 0) sayWhatNext(session, answer);
  },
});

/** Only the options that the library knows; the global ones stay behind. */
function searchOptions(options: Options): SearchOptions {
  const { project, kind, type, file, concept, agent, session, since, until, limit, explain } = options;
  const given = { project, kind, type, file, concept, agent, session, since, until, limit, explain };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The next layers: what stands around the first, and the first whole. */
function sayWhatNext({ terminal, name }: Session, { results, ms }: SearchAnswer): void {
  const found = counted(results.length, 'result');
  const { id } = results[0]!;
  terminal.tip(
    terminal.style.dim(
      `${found} in ${duration(ms)} · ${name} show ${id} opens the first, ${name} timeline ${id} shows what is around it`,
    ),
  );
}

async function sayWhyNothing(session: Session, { query }: SearchAnswer): Promise<void> {
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
  if (query.text === '') terminal.note(`Nothing is ${limits}.`);
  else
    terminal.note(
      `Nothing matches "${query.text}"${limits === '' ? '' : ` within these limits: ${limits}`}.`,
    );
  terminal.note(
    limits === ''
      ? `Try a file name, an error text or other words; ${name} status shows what there is.`
      : `Leave one out, or see what there is: ${name} status`,
  );
}
