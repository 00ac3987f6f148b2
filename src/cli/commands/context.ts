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
    'Shows what the next session of a project is told: where the last one stopped, what is open, which decisions ' +
    'stand, how things are run here. --agent prints the very text that an agent gets, at most 9,000 characters.',
  shape: (command) =>
    withAsOf(command)
      .option('--project <name>', 'this project (default: the one of --cwd)')
      .option('--cwd <folder>', 'the project of this folder (default: where you are)')
      .option(
        '--kind <kind>',
        `how the session begins: ${CONTEXT_OCCASIONS.join(', ')} (default: startup)`,
        occasion,
      )
      .option('--session <id>', 'the session that goes on, for resume, compact and fork')
      .option('--agent', 'as an agent reads it'),
  examples: [
    ['context', 'what a session started here is told'],
    ['context --project birdfeeder --agent', 'the text itself'],
    ['context --kind compact --session 6f1d2c1e-77aa --agent', 'what a compacted session is told'],
    ['context --as-of 7d', 'what it would have been told a week ago'],
    ['context --json', 'for a script: the text an agent gets, and its tokens'],
  ],
  async run(asked, { project, cwd, kind, session, agent, asOf }) {
    const { annals, json, terminal, name, world } = asked;
    const opened = await annals();
    const answer = await askAsOf(asked, asOf, (past) =>
      opened.context({
        ...past,
        ...(project === undefined ? { cwd: resolve(world.folder, cwd ?? '') } : { project }),
        ...(kind === undefined ? {} : { kind }),
        ...(session === undefined ? {} : { session }),
        form: agent === true || json ? 'agent' : 'person',
        now: world.now(),
        width: terminal.width,
        color: terminal.color,
      }),
    );
    if (json) return terminal.json(answer);
    printAsOf(asked, answer.asOf);
    if (answer.text === '') terminal.note(`Nothing is known of ${plainLine(answer.project)} yet.`);
    else await terminal.line(answer.text);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(plainLine(sentence)));
    if (agent !== true) terminal.tip(terminal.style.dim(`${name} show <id> opens a line`));
  },
});

function occasion(word: string): SessionStartKind {
  const known = CONTEXT_OCCASIONS.find((kind) => kind === word);
  if (known === undefined)
    throw new AnnalsError('USAGE', `A session does not begin by "${word}".`, {
      hint: `Kinds are ${CONTEXT_OCCASIONS.join(', ')}.`,
    });
  return known;
}
