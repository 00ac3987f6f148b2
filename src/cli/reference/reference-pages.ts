// The pages of docs/ that are made from the product: what a command, an error code or an event type is called
// and does stands in one place only. `npm run docs` writes them, a test compares them.
import { ERROR_CODES, EVENT_TYPES, type EventType, loadCatalog } from '../../../log/index.ts';
import { COMMANDS } from '../commands.ts';
import { assemble } from '../run-command.ts';
import { EVENT_NOTES, fieldsOf } from './catalog-notes.ts';

const MADE = '<!-- Made by `npm run docs`. Do not edit: change the source and run it again. -->';

/** Paths relative to the repository's root, with their whole content. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    'docs/cli.md': await commandPage(),
    'docs/errors.md': errorPage(),
    'docs/events.md': await eventPage(),
  };
}

async function commandPage(): Promise<string> {
  const output = { getOutHelpWidth: () => 100, getOutHasColors: () => false };
  const program = await assemble({ loaded: COMMANDS }, output, () => {});
  const pages = COMMANDS.map(({ name }) => {
    const command = program.commands.find((known) => known.name() === name);
    let help = '';
    command?.configureOutput({ ...output, writeOut: (text) => (help += text) }).outputHelp();
    return `## annals ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
  });
  let overview = '';
  program.configureOutput({ ...output, writeOut: (text) => (overview += text) }).outputHelp();
  return [
    '# The command line',
    '',
    MADE,
    '',
    'Results go to stdout, everything else to stderr. The exit code is 0 when it is done (a search that finds',
    'nothing is done), 1 when it failed or `verify` found something, 2 when the call itself was wrong, 130 when it',
    'was interrupted. The JSON of `--json` is described in [json.md](json.md), error codes in [errors.md](errors.md).',
    '',
    `\`\`\`text\n${overview.trimEnd()}\n\`\`\``,
    '',
    pages.join('\n'),
  ].join('\n');
}

function errorPage(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return [
    '# Error codes',
    '',
    MADE,
    '',
    'Every failure has one of these codes: `code` of an `AnnalsError`, and of `{"error":{"code","message","hint"}}`',
    'with `--json`. Codes are added, never renamed. `USAGE` ends the command with exit code 2, all others with 1.',
    '',
    '| code | when |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

async function eventPage(): Promise<string> {
  const catalog = await loadCatalog();
  const sections = EVENT_TYPES.map((type: EventType) => {
    const rows = fieldsOf(catalog[type].body).map(
      ({ name, type: fieldType, absent }) => `| \`${name}\` | ${fieldType} | ${absent} |`,
    );
    return [
      `## ${type}`,
      '',
      `${EVENT_NOTES[type].what} Version ${catalog[type].version}. Dedupe key: ${EVENT_NOTES[type].dedupeKey}.`,
      '',
      '| field | holds | when not said |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return [
    '# Events',
    '',
    MADE,
    '',
    'What the log holds. Types are added, never renamed and never reused. Every event also has an envelope: `id`,',
    '`position` (its place in this log), `agent`, `session`, `fact`, `witness` (who told it), `origin` and `originSeq`',
    '(which machine wrote it first), `occurredAt`, `recordedAt`, `causation`. The dedupe key names the thing in the',
    "agent's own world; together with agent, session, type and witness it makes the id. Fields that are not listed",
    'here are kept as they came.',
    '',
    ...sections,
  ].join('\n');
}
