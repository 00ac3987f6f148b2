import { AnnalsError } from '../../../../log/index.ts';
import type { DeclaredAgent } from '../../../agents/declared/declared-agent.ts';
import { AGENTS } from '../../../agents/index.ts';
import { givenPath } from '../../../platform/path-inside.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { installRequest } from '../../install-request.ts';
import { printDescriptionCheck } from '../../output/description-check.ts';
import { printJsonProblems } from '../../output/json-problems.ts';

export const command = defineCommand<object>({
  description:
    'Checks the description of an agent: a JSON file that says where an agent keeps its transcripts and how to read ' +
    'them (docs/agents.md). Says what is wrong in it; then reads the transcripts that are named, else those in its ' +
    'folders, and prints what was found. Records nothing. A description in the folder `agents` of the home is used by ' +
    'import, up and the worker.',
  shape: (command) =>
    command
      .addArgument(oneOf('<action>', 'check', ['check']))
      .argument('<description>', 'the JSON file')
      .argument('[transcript...]', 'transcripts of the agent, or folders of them'),
  examples: [
    ['agent check ~/.annals/agents/pi.json', 'with the transcripts in its folders'],
    ['agent check pi.json session.jsonl', 'with one transcript'],
  ],
  run: (session, _, [action = '', file = '', ...paths]) => {
    if (action === 'check') return check(session, file, paths);
    throw new AnnalsError('USAGE', `agent has no action "${action}".`, { hint: 'Known: check.' });
  },
});

async function check(session: Session, file: string, paths: readonly string[]): Promise<number> {
  const { terminal, world, json } = session;
  const { machine } = installRequest(session);
  const { readDescription } = await import('../../../agents/declared/read-descriptions.ts');
  const read = readDescription(givenPath(file, world.folder), { machine, others: AGENTS });
  if ('problems' in read) {
    if (json) await terminal.json({ ok: false, problems: read.problems });
    else await printJsonProblems(session, file, read.problems);
    return 1;
  }
  const { checkDescription } = await import('../../../agents/declared/check-description.ts');
  const found = await checkDescription(
    read,
    paths.map((path) => givenPath(path, world.folder)),
    machine,
  );
  const isRead = found.files > 0 && found.unreadable.length === 0;
  if (json) await terminal.json({ ok: isRead, problems: [], ...agentOf(read), ...found });
  else await printDescriptionCheck(session, file, read, found, machine);
  return isRead ? 0 : 1;
}

function agentOf({ agent }: DeclaredAgent) {
  return { name: agent.name, title: agent.title };
}
