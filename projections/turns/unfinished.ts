// Which turns of a session are known to have no end: the agent was killed, or works still. A turn ends with a reply
// that hands over to the person, or with a stop that somebody reported. Where nobody can know, nothing is said: old
// versions wrote no stop reasons, a later prompt may have been taken up by the turn that was running, and where
// something is private the end may be.
import type { AnyItem, Item } from './item.ts';
import type { SessionTelling } from './rows.ts';
import type { SessionTellings } from './session.ts';
import { spanOf } from './session-row.ts';

/** The API's reasons after which the agent goes on by itself. */
const GOES_ON: ReadonlySet<string> = new Set(['tool_use', 'pause_turn']);
/** What Claude Code writes, when it starts the next time, as the result of a call that a kill left open. */
const KILLED = '[Tool call interrupted: the session ended before';

/** Ids of the unfinished turns. `byTurn`: every turn with its items. */
export function unfinishedTurns(
  { milestones }: SessionTellings,
  byTurn: ReadonlyMap<string, readonly AnyItem[]>,
): ReadonlySet<string> {
  const asked = [...byTurn]
    .flatMap(([id, items]) => {
      const prompt = items.find((item) => item.kind === 'prompt');
      return prompt === undefined ? [] : [{ id, items, prompt }];
    })
    .sort((one, other) => (one.prompt.order < other.prompt.order ? -1 : 1));
  const unfinished = new Set<string>();
  const anyPrivate = asked.some(({ prompt }) => isPrivate(prompt));
  asked.forEach(({ id, items, prompt }, index) => {
    if (isPrivate(prompt)) return;
    const last = lastOfMain(items);
    if (last === undefined || !isOpen(last)) return;
    const next = asked[index + 1]?.prompt;
    const from = spanOf(items).last;
    const isCut = wasKilled(last) || (from !== null && startedAnew(milestones, from, next?.at ?? null));
    const mayGoOn = next === undefined && !anyPrivate && !wentOnOrEnded(milestones, from);
    if (isCut || mayGoOn) unfinished.add(id);
  });
  return unfinished;
}

function isPrivate({ tellings }: Item<'prompt'>): boolean {
  return tellings.some((telling) => telling.private === true);
}

/** The last thing that the main thread did. */
function lastOfMain(items: readonly AnyItem[]): AnyItem | undefined {
  let last: AnyItem | undefined;
  for (const item of items) {
    if (item.thread !== '' || isAside(item)) continue;
    if (last === undefined || item.order > last.order) last = item;
  }
  return last;
}

/** A sub-agent's, or a text about the session as a whole. */
function isAside(item: AnyItem): boolean {
  if (item.kind === 'prompt') return false;
  if (item.kind === 'reply' && (item.merged.compaction === true || item.merged.recap === true)) return true;
  return item.merged.sidechain === true;
}

/** Something must follow. Only a hook or a transcript says all that happened. */
function isOpen(item: AnyItem): boolean {
  if (!item.tellings.some(({ witness }) => witness === 'hook' || witness === 'transcript')) return false;
  switch (item.kind) {
    case 'prompt':
      // `!pwd` runs in the shell; most versions do not ask the model about it.
      return item.merged.kind === 'prompt' && !/^\s*!/.test(item.merged.text ?? '');
    case 'tool':
      return true;
    case 'reply':
      return GOES_ON.has(item.merged.stopReason ?? '');
    case 'stop':
      return false;
  }
}

function wasKilled(item: AnyItem): boolean {
  return item.kind === 'tool' && (item.merged.error ?? '').startsWith(KILLED);
}

/** A hook saw the session start again before the next prompt, and no end of it before that. */
function startedAnew(milestones: readonly SessionTelling[], from: number, until: number | null): boolean {
  const between = milestones.filter(
    ({ at }) => at !== undefined && at >= from && (until === null || at <= until),
  );
  const starts = between.filter(
    ({ type, witness, word }) =>
      type === 'started' && witness === 'hook' && (word === 'resume' || word === 'startup'),
  );
  const first = Math.min(...starts.map(({ at }) => at!));
  return starts.length > 0 && !between.some(({ type, at }) => type === 'ended' && at! <= first);
}

/** The session ended afterwards, as far as the times tell, or goes on in another one. */
function wentOnOrEnded(milestones: readonly SessionTelling[], from: number | null): boolean {
  return milestones.some(
    ({ type, at }) =>
      type === 'continued' || (type === 'ended' && (from === null || at === undefined || at >= from)),
  );
}
