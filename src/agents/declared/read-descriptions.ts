// The agents that the descriptions in a home add to the built-in ones.
import { join } from 'node:path';
import { readRegularFile } from '../../platform/regular-file.ts';
import type { Agent } from '../common/agent.ts';
import { type JsonProblem, problemText } from '../common/json-problems.ts';
import { type DeclaredAgent, type DescriptionWorld, parseDescription } from './declared-agent.ts';

const DESCRIPTION_BYTES_MAX = 256 * 1024;

export function readDescription(
  path: string,
  world: DescriptionWorld,
): DeclaredAgent | { readonly problems: readonly JsonProblem[] } {
  const file = readRegularFile(path, { bytesMax: DESCRIPTION_BYTES_MAX, followLinks: true });
  if ('why' in file)
    return { problems: [{ field: '', value: null, allowed: `a file that can be read; it ${file.why}` }] };
  return parseDescription(file.bytes.toString('utf8'), world);
}

/** Those that can be used, and a sentence for each that cannot. Of two with one name, the first counts. */
export function readDescriptions(
  folder: string,
  names: readonly string[],
  world: DescriptionWorld,
): { readonly agents: readonly Agent[]; readonly problems: readonly string[] } {
  const agents: Agent[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const read = readDescription(path, { ...world, others: [...world.others, ...agents] });
    if ('agent' in read) agents.push(read.agent);
    else
      problems.push(
        `The agent that ${path} describes is not read: ${problemText(read.problems[0]!)}; \`annals agent check ${JSON.stringify(path)}\` says more.`,
      );
  }
  return { agents, problems };
}
