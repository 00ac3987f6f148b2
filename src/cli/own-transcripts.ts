// The transcripts that agents keep on this machine, for commands that import them when no path is named.
import { type FoundTranscripts, findTranscripts } from '../agents/find-transcripts.ts';
import { agentsAt } from '../agents/index.ts';
import { homePaths } from '../platform/home-paths.ts';
import { plainLine } from '../terminal-text/plain-text.ts';
import type { Session } from './command/command.ts';
import { installRequest } from './install-request.ts';
import { counted } from './output/amount.ts';

/** Of agents with at least one transcript here. Says which files are read. */
export async function ownTranscripts(session: Session): Promise<readonly FoundTranscripts[]> {
  const { home, machine } = installRequest(session);
  const { agents } = await agentsAt(homePaths(home).agents, machine);
  const found = (await findTranscripts(agents, machine)).filter(({ files }) => files.length > 0);
  if (session.json) return found;
  for (const { agent, files, folders } of found)
    session.terminal.note(
      `Reading ${agent.title}: ${counted(files.length, 'file')} in ${folders.map(plainLine).join(', ')}`,
    );
  return found;
}

/** What was found, and what could not be looked at: the import reports that. */
export function pathsOf(found: readonly FoundTranscripts[]): readonly string[] {
  return found.flatMap(({ files, unreadable }) => [...files, ...unreadable].map(({ path }) => path));
}
