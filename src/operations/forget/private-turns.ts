// A turn may prove private after something of it was stored: the file of a hook's prompt came late, or only the
// transcript tells of the prompt. Then what was stored of it is forgotten by the machine itself. What hooks reported is
// judged again as if it still waited in the spool, so that the log does not depend on the order in which files came.
import type { Json, Log } from '../../../log/index.ts';
import { type ItemRow, isItem, rowKeys, type TurnRow } from '../../../projections/index.ts';
import { launchedTasks } from '../../capture/claude-code/tool-result.ts';
import { loggedSession } from '../../capture/spool/logged.ts';
import { type SessionMemory, SessionStanding } from '../../capture/spool/standing.ts';
import { randomBytes } from '../../platform/random.ts';
import type { Opened } from '../opened.ts';

export interface SessionName {
  readonly agent: string;
  readonly session: string;
}

/** Of sessions that hooks told of: a transcript's reader has seen all that stands before a line when it tells of it. */
export async function forgetPrivateTurns(sessions: readonly SessionName[], opened: Opened): Promise<void> {
  const { log, runner, views } = opened;
  const ids = new Set<string>();
  for (const { agent, session } of sessions) {
    const key = `hooks/${agent}/${session}`;
    const remembered = await log.cursor(key);
    if (remembered === undefined) continue;
    await runner.catchUp();
    const found = await views.turns.range<TurnRow | ItemRow>(rowKeys.turns(agent, session));
    const rows = found.map(([, row]) => row);
    const hidden = new Set(rows.flatMap((row) => (!isItem(row) && row.private ? [row.id] : [])));
    const items = rows.filter(isItem);
    for (const item of items) if (hidden.has(item.turn) && holdsWords(item)) ids.add(item.tellings[0]!.event);
    if (hidden.size === 0) continue;

    const standing = new SessionStanding(remembered as unknown as SessionMemory);
    standing.seeLog(await loggedSession(log, agent, session));
    for (const event of await hiddenReports(items, standing, log)) ids.add(event);
    // What a hidden use launched is private from now on.
    const value = standing.memory() as unknown as Json | null;
    if (value !== null) await log.append([], { cursors: [{ key, value }] });
  }
  if (ids.size === 0) return;
  const { forget } = await import('./index.ts');
  await forget({ ids: [...ids] }, {}, opened, randomBytes);
}

/** Of a private prompt nothing is kept but that it took place. */
function holdsWords(item: ItemRow): boolean {
  return item.kind !== 'prompt' || item.tellings.some(({ text }) => text !== undefined);
}

/** Events of hooks' reports that are private by what is known now. One that is may have launched what makes others so. */
async function hiddenReports(
  items: readonly ItemRow[],
  standing: SessionStanding,
  log: Pick<Log, 'getMany'>,
): Promise<ReadonlySet<string>> {
  const events = new Set<string>();
  for (let learned = true; learned; ) {
    learned = false;
    for (const item of items) {
      const report = reportOf(item);
      if (report === null || events.has(report.event)) continue;
      if (standing.standingOf(report, report.startedAt) !== 'private') continue;
      events.add(report.event);
      learned = true;
      if (standing.readsPrivateTask(report)) standing.seePrivateRead(report, report.startedAt);
      const [event] = item.kind === 'tool' ? await log.getMany([report.event]) : [];
      if (event?.type === 'tool.used') standing.seeLaunch(launchedTasks(event.body.detail), 'private');
    }
  }
  return events;
}

/** What a hook reported, as the spool judges it; null for prompts, and for what only the transcript tells. */
function reportOf(item: ItemRow) {
  if (item.kind === 'prompt') return null;
  const telling = item.tellings.find(({ witness }) => witness === 'hook');
  if (telling?.at === undefined) return null;
  const { event, promptId = null, agentId = null, at } = telling;
  const use = 'input' in telling ? telling : null;
  const inputs = Object.values(use?.input ?? {}).filter((value) => typeof value === 'string');
  const startedAt = use?.endedAt === at ? at - (use.durationMs ?? 0) : at;
  return { event, promptId, agentId, inputs, startedAt };
}
