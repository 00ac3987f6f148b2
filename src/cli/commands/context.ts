import { AnnalsError } from '../../../log/index.ts';
import type { SessionStartKind } from '../../api.ts';
import { CONTEXT_OCCASIONS } from '../../api.ts';
import { type ContextFileChange, removeContext, writeContext } from '../../context-file/context-file.ts';
import { givenPath } from '../../platform/path-inside.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { optionOneOf } from '../command/options.ts';

interface Options {
  readonly asOf?: string;
  readonly project?: string;
  readonly cwd?: string;
  readonly kind?: SessionStartKind;
  readonly session?: string;
  readonly agent?: boolean;
  readonly write?: string;
  readonly remove?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Shows what the next session of a project is told: where the last session stopped, what is open, which decisions ' +
    'are in force, how to run and test the project. --agent prints the text exactly as an agent gets it, at most 9,000 characters. ' +
    '--write keeps that text in a block of a Markdown file, such as AGENTS.md, for agents without hooks. Everybody who can read the ' +
    'file can read it then, also in a repository that you publish.',
  shape: (command) =>
    withAsOf(command)
      .option('--project <name>', 'this project (default: the project of --cwd)')
      .option('--cwd <folder>', 'the project of this folder (default: the current folder)')
      .addOption(
        optionOneOf(
          '--kind <kind>',
          `how the session begins: ${CONTEXT_OCCASIONS.join(', ')} (default: startup)`,
          CONTEXT_OCCASIONS,
          occasion,
        ),
      )
      .option('--session <id>', 'the session that continues, for resume, compact and fork')
      .option('--agent', 'print the text that an agent gets')
      .option(
        '--write <file>',
        'put the text into a block of this file, or replace the block; nothing else changes',
      )
      .option('--remove', 'with --write: take the block out of the file again'),
  examples: [
    ['context', 'what a session started here is told'],
    ['context --project birdfeeder --agent', 'the text that an agent gets'],
    ['context --kind compact --session 6f1d2c1e --agent', 'what a compacted session is told'],
    ['context --as-of 7d', 'what it would have said a week ago'],
    ['context --write AGENTS.md', 'keep the context of this project in the file; again to update it'],
    ['context --write AGENTS.md --remove', 'the file as it was before'],
    ['context --json', 'for a script: the text that an agent gets, and its number of tokens'],
  ],
  needsHome: true,
  async run(cli, { project, cwd, kind, session, agent, write, remove, asOf }) {
    const { annals, json, terminal, name, world } = cli;
    if (remove === true) return removeFrom(cli, write);
    if (write !== undefined && asOf !== undefined)
      throw new AnnalsError('USAGE', '--write takes what is known now, without --as-of.');
    const given = project === undefined ? { cwd: givenPath(cwd ?? '.', world.folder) } : { project };
    const file = write === undefined ? undefined : givenPath(write, world.folder);
    const opened = await annals();
    const answer = await askAsOf(cli, asOf, (past) =>
      opened.context({
        ...past,
        ...given,
        ...(kind === undefined ? {} : { kind }),
        ...(session === undefined ? {} : { session }),
        form: agent === true || json || write !== undefined ? 'agent' : 'person',
        width: terminal.width,
        color: terminal.color,
      }),
    );
    if (json && write === undefined) return terminal.json(answer);
    printAsOf(cli, answer.asOf);
    if (answer.text === '')
      terminal.note(`There is nothing yet to tell a new session of ${plainLine(answer.project)}.`);
    else if (write === undefined) await terminal.line(answer.text);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(plainLine(sentence)));
    if (file !== undefined)
      return report(cli, await writeContext(file, world.folder, answer.text), 'holds the context now');
    if (agent !== true) terminal.tip(terminal.style.dim(`${name} show <id> opens an entry`));
  },
});

async function removeFrom(cli: Session, write: string | undefined): Promise<void> {
  if (write === undefined)
    throw new AnnalsError('USAGE', '--remove needs the file: --write <file> --remove.');
  return report(cli, await removeContext(write, cli.world.folder), 'no longer holds the context');
}

async function report(
  { json, terminal }: Session,
  { path, changed }: ContextFileChange,
  what: string,
): Promise<void> {
  if (json) return terminal.json({ path, changed });
  await terminal.line(plainLine(changed ? `${path} ${what}.` : `${path} needed no change.`));
}

function occasion(word: string): SessionStartKind {
  const known = CONTEXT_OCCASIONS.find((kind) => kind === word);
  if (known === undefined)
    throw new AnnalsError('USAGE', `There is no kind of session start named "${word}".`, {
      hint: `Kinds are ${CONTEXT_OCCASIONS.join(', ')}.`,
    });
  return known;
}
