import { resolve } from 'node:path';
import { AnnalsError } from '../../../log/index.ts';
import type { SessionStartKind } from '../../api.ts';
import { CONTEXT_OCCASIONS } from '../../api.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand } from '../command/command.ts';

interface Options {
  readonly asOf?: string;
  readonly project?: string;
  readonly cwd?: string;
  readonly kind?: SessionStartKind;
  readonly session?: string;
  readonly agent?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Shows what the next session of a project is told: where the last session stopped, what is open, which decisions ' +
    'are in force, how to run and test the project. --agent prints the text exactly as an agent gets it, at most 9,000 characters.',
  shape: (command) =>
    withAsOf(command)
      .option('--project <name>', 'this project (default: the project of --cwd)')
      .option('--cwd <folder>', 'the project of this folder (default: the current folder)')
      .option(
        '--kind <kind>',
        `how the session begins: ${CONTEXT_OCCASIONS.join(', ')} (default: startup)`,
        occasion,
      )
      .option('--session <id>', 'the session that continues, for resume, compact and fork')
      .option('--agent', 'print the text that an agent gets'),
  examples: [
    ['context', 'what a session started here is told'],
    ['context --project birdfeeder --agent', 'the text that an agent gets'],
    ['context --kind compact --session 6f1d2c1e-77aa --agent', 'what a compacted session is told'],
    ['context --as-of 7d', 'what it would have said a week ago'],
    ['context --json', 'for a script: the text that an agent gets, and its number of tokens'],
  ],
  async run(cli, { project, cwd, kind, session, agent, asOf }) {
    const { annals, json, terminal, name, world } = cli;
    const opened = await annals();
    const answer = await askAsOf(cli, asOf, (past) =>
      opened.context({
        ...past,
        ...(project === undefined ? { cwd: resolve(world.folder, cwd ?? '') } : { project }),
        ...(kind === undefined ? {} : { kind }),
        ...(session === undefined ? {} : { session }),
        form: agent === true || json ? 'agent' : 'person',
        width: terminal.width,
        color: terminal.color,
      }),
    );
    if (json) return terminal.json(answer);
    printAsOf(cli, answer.asOf);
    if (answer.text === '') terminal.note(`Nothing is known about ${plainLine(answer.project)} yet.`);
    else await terminal.line(answer.text);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(plainLine(sentence)));
    if (agent !== true) terminal.tip(terminal.style.dim(`${name} show <id> opens an entry`));
  },
});

function occasion(word: string): SessionStartKind {
  const known = CONTEXT_OCCASIONS.find((kind) => kind === word);
  if (known === undefined)
    throw new AnnalsError('USAGE', `There is no kind of session start named "${word}".`, {
      hint: `Kinds are ${CONTEXT_OCCASIONS.join(', ')}.`,
    });
  return known;
}
