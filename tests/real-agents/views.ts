// Three views of the same sessions (from hooks alone, from hooks and import, from import alone), reduced to what must
// be equal in all of them.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholePayload } from '../../src/capture/spool/end-mark.ts';
import type { Annals } from '../../src/index.ts';
import { searchBytes } from '../e2e/byte-search.ts';
import { eventsOf, withHome } from '../e2e/homes.ts';
import { waiting } from '../helpers/spool.ts';
import { transcriptFiles } from './record.ts';
import type { AgentWorld } from './world.ts';

/** How a view is made: with or without the hooks' spool and log, and the order of import, if any. */
export const VIEWS = {
  'hooks alone': { hooks: true, order: null },
  'hooks and import': { hooks: true, order: 'as found' },
  'hooks and import, reversed': { hooks: true, order: 'reversed' },
  'import alone': { hooks: false, order: 'as found' },
  'import alone, reversed': { hooks: false, order: 'reversed' },
} as const satisfies Record<string, { hooks: boolean; order: 'as found' | 'reversed' | null }>;

export type ViewName = keyof typeof VIEWS;

export interface View {
  readonly home: string;
  readonly turns: readonly Turn[];
  /** Complete files that wait. */
  readonly spool: readonly string[];
  /** Problems that `verify` found, with the views rebuilt and compared. */
  readonly problems: readonly unknown[];
}

export interface Turn {
  readonly session: string;
  readonly prompt: string;
  /** Name, first input and outcome, sorted, because two channels order parallel uses differently. */
  readonly tools: readonly string[];
  /** The closing answer; null when the turn has none. */
  readonly answer: string | null;
}

export async function makeView(
  world: Pick<AgentWorld, 'folder' | 'annalsHome' | 'transcripts'>,
  name: ViewName,
): Promise<View> {
  const { hooks, order } = VIEWS[name];
  const home = join(world.folder, name.replace(/\W+/g, '-'));
  if (hooks) cpSync(world.annalsHome, home, { recursive: true, preserveTimestamps: true });
  return withHome(home, async (annals) => {
    const files = transcriptFiles(world.transcripts);
    if (order === 'as found') await annals.import([world.transcripts]);
    if (order === 'reversed') for (const file of files.toReversed()) await annals.import([file]);
    const turns = await turnsOf(annals);
    const { problems } = await annals.verify({ rebuilt: true });
    return { home, turns, problems, spool: waiting(home).filter((name) => isWhole(home, name)) };
  });
}

/** The agent may end while a hook writes, and kill it: that file waits for an hour. */
function isWhole(home: string, name: string): boolean {
  return wholePayload(readFileSync(join(home, 'spool/new', name))) !== null;
}

/** Files of a home that contain a word, in any form on disk. */
export function filesHolding(home: string, word: string): readonly string[] {
  return [...new Set(searchBytes(home, word.toLowerCase()).map(({ file }) => file))];
}

/** Commands that only one of the channels reports, and that ask the model nothing. */
const WITHOUT_MODEL = /^\/(?:exit|clear|compact)\b/;

async function turnsOf(annals: Annals): Promise<readonly Turn[]> {
  const sessions = [...new Set((await eventsOf(annals)).flatMap(({ session }) => session ?? []))].sort();
  const turns: Turn[] = [];
  for (const session of sessions) {
    const { turns: found } = await detailsOf<{ turns: readonly { id: string }[] }>(annals, session);
    for (const { id } of found) {
      const { title } = await annals.get(id);
      const { inherited, unfinished, items } = await detailsOf<{
        inherited: boolean;
        unfinished: boolean;
        items: readonly Line[];
      }>(annals, id);
      if (inherited || WITHOUT_MODEL.test(title)) continue;
      const tools = items.filter(({ kind }) => kind === 'tool').map(({ text }) => toolOf(text));
      turns.push({
        session,
        prompt: title,
        tools: tools.filter(isInBoth).sort(),
        // The last text of an unfinished turn is not an answer, and only the transcript has it.
        answer: unfinished ? null : answerOf(items),
      });
    }
  }
  return turns;
}

interface Line {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly agentId: string | null;
}

/** The `details` of `show --json`. */
async function detailsOf<T>(annals: Annals, id: string): Promise<T> {
  return ((await annals.get(id)).details ?? {}) as T;
}

/** Without the error's text, of which the two channels keep different parts. */
function toolOf(text: string): string {
  return text.replace(/ → (\w+)(?::.*)?$/s, ' → $1');
}

/** No hook fires for a tool use that the person cancelled or that was never answered. */
function isInBoth(tool: string): boolean {
  return !/ → (?:cancelled|unanswered)$/.test(tool);
}

/** The agent's account of a compacted conversation, which only the transcript has. */
const COMPACTION = /^This session is being continued from a previous conversation/;

/** The main conversation's last item, if it was an answer: not an error, and not a sub-agent's. */
function answerOf(items: readonly Line[]): string | null {
  const last = items.findLast(({ agentId, text }) => agentId === null && !COMPACTION.test(text));
  if (last === undefined || !['reply', 'stop'].includes(last.kind)) return null;
  return /^(?:interrupted|error\b)/.test(last.text) ? null : last.text;
}
