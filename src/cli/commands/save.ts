import { AnnalsError, isAnnalsError } from '../../../log/index.ts';
import type { Annals } from '../../api.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { defineCommand } from '../command/command.ts';
import { collect } from '../command/options.ts';
import { insideAgent } from '../inside-agent.ts';

interface Options {
  readonly title: string;
  readonly text?: string;
  readonly type?: string;
  readonly project?: string;
  readonly session?: string;
  readonly file?: readonly string[];
  readonly concept?: readonly string[];
}

export const command = defineCommand<Options>({
  description:
    'Saves a memory in your own words. The text comes from --text or from standard input. When the command returns, ' +
    'the memory is on disk and can be found. Secrets and <private> text are removed first. What an agent saves is marked as ' +
    'its own.',
  shape: (command) =>
    command
      .requiredOption('--title <title>', 'a title of one line')
      .option('--text <text>', 'the text; standard input for -, or without this')
      .option('--type <type>', 'its type: decision, lesson, todo, or your own word (default: change)')
      .option('--project <name>', "the project it belongs to (default: this folder's)")
      .option('--session <id>', 'the session it belongs to')
      .option('--file <path>', 'a file that it is about; can be repeated', collect)
      .option('--concept <word>', 'a keyword to find it by; can be repeated', collect),
  examples: [
    [
      'save --title "Feeding times are UTC" --type decision --text "Local time broke on 29 March."',
      'a decision',
    ],
    ['save --title "How to deploy" --file deploy.sh < notes.txt', 'a longer text'],
    ['save --json --title "Build 512" --project birdfeeder < report.txt', 'from a script: prints {"id":…}'],
  ],
  async run(session, options) {
    const { terminal, world, json, name } = session;
    const { title, type, project, session: sessionId, file, concept } = options;
    const isAgents = insideAgent(world.environment);
    if (isAgents && (project !== undefined || sessionId !== undefined))
      throw new AnnalsError('USAGE', 'An agent cannot choose the project or the session of a memory.', {
        hint: 'Without --project and --session it belongs to the project of this folder.',
      });
    const given = options.text === '-' ? undefined : options.text;
    if (given === undefined && world.stdin.isTerminal)
      terminal.note('Type the text; end with Ctrl-D on an empty line.');
    const text = (given ?? (await world.stdin.read())).trim();
    if (title.trim() === '') throw new AnnalsError('USAGE', 'The title is empty.');
    if (text === '')
      throw new AnnalsError(
        'USAGE',
        `There is no text: ${given === undefined ? 'standard input' : '--text'} is empty.`,
        {
          hint: `For example: echo "the text" | ${name} save --title "the title"`,
        },
      );
    const annals = await session.annals();
    const isNew = !json && project !== undefined && !(await hasProject(project, annals));
    const { id } = await annals.save({
      title,
      text,
      cwd: world.folder,
      author: isAgents ? 'agent' : 'user',
      ...(type === undefined ? {} : { type }),
      ...(project === undefined ? {} : { project }),
      ...(sessionId === undefined ? {} : { session: sessionId }),
      ...(file === undefined ? {} : { files: file }),
      ...(concept === undefined ? {} : { concepts: concept }),
    });
    if (json) return terminal.json({ id });
    await terminal.line(`Saved as ${terminal.style.bold(id)}.`);
    if (isNew) terminal.note(`It is the first of a new project, “${plainLine(project)}”.`);
    terminal.tip(`${name} show ${id} opens it`);
  },
});

async function hasProject(project: string, annals: Annals): Promise<boolean> {
  try {
    await annals.list('memory', { project, limit: 1 });
    return true;
  } catch (error) {
    if (isAnnalsError(error) && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}
