// Forgets turns that prove private after parts of them were stored: the file of a hook's prompt came late, or only the
// transcript has the prompt. Reports from hooks are resolved again as if they still waited in the spool, so that the log
// does not depend on the order in which files arrive.
import type { CursorWrite, Json, Log } from '../../log/index.ts';
import { type ItemRow, isItemRow, sessionKeys, type TurnRow } from '../../projections/index.ts';
import { launchedTasks } from '../agents/claude-code/tool-result.ts';
import { loggedSession } from '../capture/spool/logged-session.ts';
import { markedSessions, settledMark, withoutMark } from '../capture/spool/private-marks.ts';
import { type SessionMemory, SessionPrivacy } from '../capture/spool/session-privacy.ts';
import type { Home } from '../home/home.ts';
import { randomBytes } from '../platform/random-bytes.ts';

/**
 * In all marked sessions that have hooks: a transcript's reader already knows everything before a line when it reports
 * it.
 */
export async function forgetPrivateTurns(home: Home): Promise<void> {
  const { log, runner, views } = home;
  const ids = new Set<string>();
  const cursors: CursorWrite[] = [];
  const settled: CursorWrite[] = [];
  const sessions = await markedSessions(log);
  if (sessions.length === 0) return;
  for (const marked of sessions) {
    const { agent, session } = marked;
    const key = `hooks/${agent}/${session}`;
    const remembered = await log.cursor(key);
    if (remembered === undefined) {
      settled.push(withoutMark(marked));
      continue;
    }
    await runner.catchUp();
    const found = await views.turns.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session));
    const rows = found.map(([, row]) => row);
    const hidden = new Set(rows.flatMap((row) => (!isItemRow(row) && row.private ? [row.id] : [])));
    const items = rows.filter(isItemRow);
    for (const item of items) if (hidden.has(item.turn) && holdsWords(item)) ids.add(item.reports[0]!.event);
    settled.push(items.some(isPrivateByHookOnly) ? settledMark(marked) : withoutMark(marked));
    if (hidden.size === 0) continue;

    const privacy = new SessionPrivacy(remembered as unknown as SessionMemory);
    privacy.seeLog(await loggedSession(log, agent, session));
    for (const event of await hiddenReports(items, privacy, log)) ids.add(event);
    // What a hidden tool use launched is private from now on.
    const value = privacy.memory() as unknown as Json | null;
    if (value !== null) cursors.push({ key, value });
  }
  await log.append([], { cursors });
  if (ids.size > 0) {
    const { forget } = await import('./index.ts');
    await forget({ ids: [...ids] }, {}, home, randomBytes);
  }
  await log.append([], { cursors: settled });
}

/** The transcript's reader takes the turn of such a prompt for public. */
function isPrivateByHookOnly({ kind, reports }: ItemRow): boolean {
  const isPrivate = (report: object) => 'private' in report && report.private === true;
  return (
    kind === 'prompt' &&
    reports.some(isPrivate) &&
    !reports.some((report) => report.channel === 'transcript' && isPrivate(report))
  );
}

/** A private prompt keeps only the fact that it took place. */
function holdsWords(item: ItemRow): boolean {
  return item.kind !== 'prompt' || item.reports.some(({ text }) => text !== undefined);
}

/** Events of hooks' reports that are private by what is known now. A private use may have launched others, so this repeats. */
async function hiddenReports(
  items: readonly ItemRow[],
  privacy: SessionPrivacy,
  log: Pick<Log, 'getMany'>,
): Promise<ReadonlySet<string>> {
  const events = new Set<string>();
  for (let learned = true; learned; ) {
    learned = false;
    for (const item of items) {
      const report = reportOf(item);
      if (report === null || events.has(report.event)) continue;
      if (privacy.privacyOf(report, report.startedAt) !== 'private') continue;
      events.add(report.event);
      learned = true;
      if (privacy.readsPrivateTask(report)) privacy.seePrivateRead(report, report.startedAt);
      const [event] = item.kind === 'tool' ? await log.getMany([report.event]) : [];
      if (event?.type === 'tool.used') privacy.seeLaunch(launchedTasks(event.body.detail), 'private');
    }
  }
  return events;
}

/** A hook's report in the form that the privacy resolver takes; null for prompts, and for items without a hook report. */
function reportOf(item: ItemRow) {
  if (item.kind === 'prompt') return null;
  const report = item.reports.find(({ channel }) => channel === 'hook');
  if (report?.at === undefined) return null;
  const { event, promptId = null, agentId = null, at } = report;
  const use = 'input' in report ? report : null;
  const inputs = Object.values(use?.input ?? {}).filter((value) => typeof value === 'string');
  const startedAt = use?.endedAt === at ? at - (use.durationMs ?? 0) : at;
  return { event, promptId, agentId, inputs, startedAt };
}
