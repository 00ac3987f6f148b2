// A turn as the rules read it: what was asked, what was used and what was said, in order, without copies.

import { readPrompt, readReply, readStop, readTool } from '../../turns/merge.ts';
import type { ItemRow, TurnRow } from '../../turns/rows.ts';
import { type Command, commandIn } from './commands.ts';
import { isPlan } from './plans.ts';

interface Told {
  readonly id: string;
  readonly events: readonly string[];
  readonly at: number | null;
  readonly order: string;
}

export interface Asked extends Told {
  readonly text: string;
  /** A slash command, not words. */
  readonly command: boolean;
  /** A plan of the agent that the person accepted: its words are not the person's. */
  readonly plan: boolean;
}

export interface Use extends Told {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /** The shell command; null for every other tool. */
  readonly command: Command | null;
  readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
  readonly error: string;
  /** The end of what it printed, where the rules need it. */
  readonly tail: string;
}

export interface Said extends Told {
  readonly text: string;
}

export interface Story {
  readonly turn: TurnRow;
  readonly asked: readonly Asked[];
  readonly uses: readonly Use[];
  /** What the agent itself said; sub-agents speak to it, not to the person. */
  readonly said: readonly Said[];
  /** What sub-agents said on their way. */
  readonly aside: readonly Said[];
  /** The person stopped it. */
  readonly interrupted: boolean;
  /** An error of the model's service ended it: nothing was said or used after it. */
  readonly broken: boolean;
}

export function storyOf(turn: TurnRow, items: readonly ItemRow[]): Story {
  const asked: Asked[] = [];
  const uses: Use[] = [];
  const said: Said[] = [];
  const stopped: Said[] = [];
  const aside: Said[] = [];
  let interrupted = false;
  let error = '';
  for (const item of items) {
    if (item.home !== null) continue;
    const { id, at, order } = item;
    const { tellings } = item;
    const events = tellings.length === 1 ? [tellings[0]!.event] : tellings.map(({ event }) => event);
    switch (item.kind) {
      case 'prompt': {
        const { text, kind, author, feedback } = readPrompt(item);
        const plan = author === 'agent' || (text !== undefined && isPlan(text));
        if (text?.trim()) asked.push({ id, at, order, events, text, command: kind === 'command', plan });
        if (feedback?.trim())
          asked.push({ id, at, order, events, text: feedback, command: false, plan: false });
        break;
      }
      case 'tool': {
        const { name, input, outcome, error, resultTail } = readTool(item);
        uses.push({
          id,
          at,
          order,
          events,
          name,
          input,
          command: commandIn(name, input, turn.place),
          outcome: outcome ?? null,
          error: error ?? '',
          tail: resultTail ?? '',
        });
        break;
      }
      case 'reply': {
        const { text, agentId, sidechain, compaction, recap } = readReply(item);
        // A recap speaks of the whole session, not of what was asked last.
        if (!text?.trim() || compaction || recap) break;
        (agentId || sidechain ? aside : said).push({ id, at, order, events, text });
        break;
      }
      case 'stop': {
        const { text, agentId, sidechain, reason } = readStop(item);
        if (reason === 'interrupted' && !agentId && !sidechain) interrupted = true;
        if (reason === 'error' && !agentId && !sidechain && order > error) error = order;
        if (text?.trim() && !agentId && !sidechain) stopped.push({ id, at, order, events, text });
        break;
      }
    }
  }
  // A hook's closing words are the transcript's last reply again; they count where no transcript spoke.
  const spoken = said.length > 0 ? said : stopped;
  return {
    turn,
    asked: inOrder(asked),
    uses: inOrder(amongMain(uses, [...asked, ...said])),
    said: inOrder(spoken),
    aside: inOrder(amongMain(aside, [...asked, ...said])),
    interrupted,
    broken: error !== '' && [...uses, ...spoken].every(({ order }) => order < error),
  };
}

/** The turn has no end, or ended in an error, or the person stopped it in the middle of a tool use. */
export function isCutOff({ turn, interrupted, broken, said, uses }: Story): boolean {
  return (
    turn.unfinished || broken || (interrupted && (uses.at(-1)?.order ?? '') > (said.at(-1)?.order ?? ''))
  );
}

/** Where the order of the session's own transcript begins; a sub-agent's has a name in its place. */
const MAIN = '0 ';

/** A sub-agent's uses stand in a file of their own: their times say between which of the session's own they took place. */
function amongMain<T extends Told>(uses: readonly T[], told: readonly Told[]): T[] {
  if (uses.every(({ order }) => order.startsWith(MAIN))) return [...uses];
  const main = [...uses, ...told]
    .filter(({ order, at }) => order.startsWith(MAIN) && at !== null)
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  // The largest time so far, so that it can be searched by halves.
  let latest = Number.NEGATIVE_INFINITY;
  const times = main.map(({ at }) => {
    latest = Math.max(latest, at!);
    return latest;
  });
  return uses.map((use) => {
    if (use.order.startsWith(MAIN) || use.at === null) return use;
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= use.at) low = middle + 1;
      else high = middle;
    }
    const before = main[low - 1];
    return before === undefined ? use : { ...use, order: `${before.order} ${use.order}` };
  });
}

function inOrder<T extends Told>(list: T[]): T[] {
  return list.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : a.id < b.id ? -1 : 1));
}
