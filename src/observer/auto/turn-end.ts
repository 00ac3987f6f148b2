// Whether a turn has ended, so that a model may be asked about it.
import {
  type ItemRow,
  isItemRow,
  type SessionRow,
  sessionKeys,
  type TurnRow,
} from '../../../projections/index.ts';
import type { Home } from '../../home/home.ts';

/**
 * open: the agent works, or was killed. perhaps: no agent reports how this one ends, or what it said last is not known to be the
 * end; it has ended if nothing comes for a while.
 */
export type TurnEnd = 'open' | 'perhaps' | 'ended';

const SUBAGENT = 'subagent-stop';

export async function turnEnd(turn: TurnRow, { views }: Pick<Home, 'views'>): Promise<TurnEnd> {
  if (turn.unfinished) return 'open';
  const { agent, session, id, endedAt } = turn;
  const rows = await views.turns.range<TurnRow | ItemRow>(sessionKeys.itemsOfTurn(agent, session, id));
  const items = rows.map(([, row]) => row).filter(isItemRow);
  const lastWork = Math.max(
    ...items.filter(({ kind }) => kind === 'prompt' || kind === 'tool').map(({ at }) => at ?? 0),
  );
  // A reply after which the agent goes on is `open`.
  const endsIt = (item: ItemRow) =>
    item.kind === 'stop'
      ? item.reports.some(({ reason }) => reason !== SUBAGENT)
      : item.kind === 'reply' && item.reports.some(({ stopReason }) => stopReason !== undefined);
  if (items.some((item) => (item.at ?? 0) >= lastWork && endsIt(item))) return 'ended';
  const row = await views.turns.get<SessionRow>(sessionKeys.session(agent, session));
  const hasEnded = row?.reports.some(
    ({ type, at }) => type === 'ended' && (at === undefined || endedAt === null || at >= endedAt),
  );
  return hasEnded === true ? 'ended' : 'perhaps';
}
