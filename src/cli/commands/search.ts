import { AnnalsError } from '../../../log/index.ts';
import type { DocumentKind } from '../../../projections/index.ts';
import type { SearchOptions } from '../../api.ts';
import { duration } from '../../render/when.ts';
import { counted } from '../amount.ts';
import { asking, sayAsOf, withAsOf } from '../as-of.ts';
import { defineCommand, type Session } from '../command.ts';
import { wholeNumber } from '../options.ts';
import { printResults } from '../results.ts';

const KINDS: readonly DocumentKind[] = ['prompt', 'answer', 'tool', 'memory', 'observation', 'summary'];
const LIMIT_MAX = 1_000;

interface Options {
  readonly asOf?: string;
  readonly project?: string;
  readonly kind?: DocumentKind;
  readonly type?: string;
  readonly file?: string;
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
    'tried as a beginning and with small errors. More matching words rank higher; none is required.',
  shape: (command) =>
    withAsOf(command)
      .argument('<query...>', 'words, an error text, a file name, an identifier')
      .option('--project <name>', 'only this project')
      .option('--kind <kind>', `only ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}`, documentKind)
      .option('--type <type>', "only this type: a tool's name, or what a memory was saved as")
      .option('--file <path>', 'only what touched this file: a path or the end of one')
      .option('--session <id>', 'only this session')
      .option('--since <when>', 'not older: a date, or 7d, 12h, 30m for that long ago')
      .option('--until <when>', 'not newer: a date, or 7d, 12h, 30m for that long ago')
      .option(
        '--limit <number>',
        'at most this many results (default: 10)',
        wholeNumber('--limit', 1, LIMIT_MAX),
      )
      .option('--explain', 'also what each score is made of'),
  examples: [
    ['search flaky feeding test', 'everything about it, in all projects'],
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
    if (query === '') throw new AnnalsError('USAGE', 'There is nothing to search for.');
    const annals = await session.annals();
    const answer = await asking(session, options.asOf, (past) =>
      annals.search(query, { ...searchOptions(options), ...past }),
    );
    if (session.json) return session.terminal.json(answer);
    sayAsOf(session, answer.asOf);
    if (answer.results.length === 0) return sayWhyNothing(session, query, options);
    await printResults(session, query, answer.results);
    for (const sentence of answer.degraded) session.terminal.note(session.terminal.style.yellow(sentence));
    const found = counted(answer.results.length, 'result');
    session.terminal.tip(
      session.terminal.style.dim(`${found} in ${duration(answer.ms)} · ${session.name} show <id> opens one`),
    );
  },
});

/** Only the options that the library knows; the global ones stay behind. */
function searchOptions(options: Options): SearchOptions {
  const { project, kind, type, file, session, since, until, limit, explain } = options;
  const given = { project, kind, type, file, session, since, until, limit, explain };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function sayWhyNothing(session: Session, query: string, options: Options): Promise<void> {
  const { terminal, name } = session;
  const { log } = await (await session.annals()).status();
  if (log.events === 0) {
    terminal.note(`Nothing here yet. Try: ${name} import ~/.claude/projects`);
    return;
  }
  const filtered = Object.keys(searchOptions(options)).some((key) => key !== 'limit' && key !== 'explain');
  terminal.note(`Nothing matches "${query}"${filtered ? ' within these limits' : ''}.`);
  terminal.note(
    filtered
      ? `Leave an option out, or see what there is: ${name} status`
      : `Try a file name, an error text or other words; ${name} status shows what there is.`,
  );
}

function documentKind(word: string): DocumentKind {
  const kind = KINDS.find((known) => known === word || `${known}s` === word);
  if (kind === undefined)
    throw new AnnalsError('USAGE', `There is no kind "${word}".`, { hint: `Kinds are ${KINDS.join(', ')}.` });
  return kind;
}
