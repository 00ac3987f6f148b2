// Runs one call of the command, from arguments to an exit code: 0 success, 1 failure, 2 wrong use, 130 interrupted.
// Loads only the module of the command that is called.
import { resolve } from 'node:path';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { AnnalsError } from '../../log/index.ts';
import type { AnyCommand } from './command/command.ts';
import { collect } from './command/options.ts';
import { createTerminal, type Terminal } from './command/terminal.ts';
import type { World } from './command/world.ts';
import { COMMANDS, type CommandEntry } from './commands.ts';
import { reportFailure, usageError } from './output/failure.ts';
import { version } from './package.ts';
import { openSession } from './session.ts';

interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
  readonly color: boolean;
}

export async function run(words: readonly string[], world: World): Promise<number> {
  const separator = words.indexOf('--');
  const early = separator === -1 ? words : words.slice(0, separator);
  const json = early.includes('--json');
  const terminal = createTerminal(world, { color: !early.includes('--no-color'), json });
  let exitCode = 0;
  try {
    const program = await assemble(
      neededCommands(early),
      outputTo(world, terminal),
      (command, definition) => {
        command.action(async () => {
          exitCode = await runCommand(command, definition, world, terminal);
        });
      },
    );
    if (words.length === 0) program.outputHelp();
    else await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      // The parser answers `help serach`, and options without a command, with the help and no reason.
      if (error.code === 'commander.help')
        return early.includes('help')
          ? run(
              words.filter((word) => word !== 'help'),
              world,
            )
          : reportFailure(terminal, usageError('no command is given', words));
      return reportFailure(terminal, usageError(error.message, words));
    }
    return reportFailure(terminal, error);
  }
}

/** Builds the parser. Commands in `loaded` get all their options, the others of `known` only name and summary. */
export async function assemble(
  { loaded, known = COMMANDS }: { loaded: readonly CommandEntry[]; known?: readonly CommandEntry[] },
  output: OutputConfiguration,
  attach: (command: Command, definition: AnyCommand) => void,
): Promise<Command> {
  const program = new Command('annals')
    .description('The append-only memory of coding agents.')
    .usage('<command> [options]')
    .option('--home <folder>', 'the folder of the log (default: $ANNALS_HOME, else ~/.annals)')
    .option('--json', 'print results and errors as JSON')
    .option('--no-color', 'no colour; NO_COLOR and FORCE_COLOR work too')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureOutput(output)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (text) => `\u001b[1m${text}\u001b[22m`,
      subcommandTerm: (command) => command.name(),
      // The description names the words already.
      argumentDescription: ({ description }) => description,
      optionDescription: ({ description }) => description,
    })
    .addHelpText('after', '\nStart with `annals up`. `annals <command> --help` shows examples.')
    .exitOverride();
  program.addHelpCommand(
    new Command('help').argument('[command]').description('print help for a command').helpGroup('More:'),
  );
  refuseRepeated(program);
  for (const { name, summary, group, load } of known) {
    const command = program.command(name).summary(summary).description(summary).helpGroup(`${group}:`);
    if (!loaded.some((entry) => entry.name === name)) continue;
    const { command: definition } = await load();
    definition.shape(command).description(definition.description);
    refuseRepeated(command);
    command.addHelpText('after', examplesHelp(definition));
    attach(command, definition);
  }
  return program;
}

/** The parser would take the last value and say nothing. */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (!option.required || option.variadic || option.parseArg === collect) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven)
        throw new AnnalsError('USAGE', `${option.long} is given twice.`, { hint: 'It takes one value.' });
      isGiven = true;
    });
  }
}

/** Help goes to stdout. The parser prints no errors: `reportFailure` does. */
function outputTo(world: World, terminal: Terminal): OutputConfiguration {
  return {
    writeOut: (text) => void world.stdout.write(text),
    writeErr: () => {},
    getOutHelpWidth: () => Math.min(terminal.width, 110),
    getOutHasColors: () => terminal.color,
  };
}

function examplesHelp(definition: AnyCommand): string {
  const lines = definition.examples.map(([line, what]) => `  $ annals ${line}\n      ${what}`);
  return `\nExamples:\n${lines.join('\n')}`;
}

/**
 * If the first word names a command, only that one is needed. Otherwise every command named anywhere is loaded and
 * all others are known by name, for help and for suggestions.
 */
function neededCommands(words: readonly string[]): Parameters<typeof assemble>[0] {
  const first = COMMANDS.filter(({ name }) => name === words[0]);
  if (first.length > 0) return { loaded: first, known: first };
  return { loaded: COMMANDS.filter(({ name }) => words.includes(name)) };
}

async function runCommand(
  command: Command,
  definition: AnyCommand,
  world: World,
  terminal: Terminal,
): Promise<number> {
  const { home, json } = command.optsWithGlobals<GlobalOptions>();
  if (home === '') throw new AnnalsError('USAGE', '--home needs a folder.');
  const words = command.processedArgs.flat().filter((word) => word !== undefined);
  const { needsHome = false } = definition;
  if (
    home !== undefined &&
    (typeof needsHome === 'function' ? needsHome(words) : needsHome) &&
    !(await world.isHome(resolve(world.folder, home)))
  )
    throw new AnnalsError('HOME_MISSING', `There is no home at ${resolve(world.folder, home)}.`, {
      hint: 'Check --home. `annals up` and `annals import` make a home where there is none.',
    });
  const { session, close } = openSession(world, terminal, {
    json: json === true,
    program: () => assemble({ loaded: COMMANDS }, {}, () => {}),
    ...(home === undefined ? {} : { home }),
  });
  try {
    return (await definition.run(session, command.opts(), words)) ?? 0;
  } finally {
    await close();
  }
}
