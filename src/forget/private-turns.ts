// Forgets turns that prove private after parts of them were stored: the file of a hook's prompt came late, or only one
// channel reported the prompt as private. Reports from hooks are resolved again as if they still waited in the spool, so
// that the log does not depend on the order in which files arrive. The private prompt itself stays: it has no text, and
// shows that what is reported of its turn later is private.
import {
  type CursorWrite,
  type Json,
  type Log,
  type LogEvent,
  type NamedEvent,
  nameOfPrivatePrompt,
} from '../../log/index.ts';
import {
  type ItemRow,
  isItemRow,
  type PromptReport,
  type SessionRow,
  sessionKeys,
  type TurnRow,
} from '../../projections/index.ts';
import { launchedTasks } from '../agents/common/tool-result.ts';
import {
  type MarkedSession,
  markedSessions,
  settledMark,
  withoutMark,
} from '../capture/private/private-marks.ts';
import {
  loadPrivatePrompts,
  type PrivatePrompts,
  privatePromptCursor,
} from '../capture/private/private-prompts.ts';
import { loggedSession } from '../capture/spool/logged-session.ts';
import {
  hookCursor,
  NO_MEMORY,
  type SessionMemory,
  SessionPrivacy,
} from '../capture/spool/session-privacy.ts';
import type { Home } from '../home/home.ts';
import { randomBytes } from '../platform/random-bytes.ts';

/**
 * In all marked sessions that have hooks: a transcript's reader already knows everything before a line when it reports
 * it.
 */
export function forgetPrivateTurns(home: Home): Promise<void> {
  return home.privateWork.inTurn((isUndisturbed) => forgetPrivateTurnsInTurn(home, isUndisturbed));
}

/** In a turn of the home's `privateWork`. */
export async function forgetPrivateTurnsInTurn(home: Home, isUndisturbed: () => boolean): Promise<void> {
  const { log, runner, views } = home;
  const known = await loadPrivatePrompts(log);
  const sessions = await markedSessions(log);
  if (sessions.length === 0) return;
  const ids = new Set<string>();
  /** Lines of private prompts that look public. */
  const lines = new Set<string>();
  const cursors: CursorWrite[] = [];
  const settled: CursorWrite[] = [];
  for (const marked of sessions) {
    const { agent, session } = marked;
    const key = hookCursor(agent, session);
    const remembered = await log.cursor(key);
    if (remembered === undefined && known.countFromHooks(agent, session, Number.POSITIVE_INFINITY) === 0) {
      settled.push(withoutMark(marked));
      continue;
    }
    await runner.catchUp();
    const found = await views.turns.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session));
    const rows = found.map(([, row]) => row);
    const items = rows.filter(isItemRow);
    const asked = items.filter((item) => item.kind === 'prompt');
    const prompts = await known.publicPrompts.decide(log, () =>
      asked.filter(({ reports }) => reports.some((report) => isPrivate(report, marked, known))),
    );
    const hidden = new Set([
      ...rows.flatMap((row) => (!isItemRow(row) && row.private ? [row.id] : [])),
      ...prompts.map(({ turn }) => turn),
    ]);
    for (const item of items) if (hidden.has(item.turn)) for (const id of eventsWithWords(item)) ids.add(id);
    for (const item of prompts) for (const id of eventsWithWords(item)) lines.add(id);
    const row = await views.turns.get<SessionRow>(sessionKeys.session(agent, session));
    for (const id of madeOfSession(items, row, known.firstOf(agent, session))) ids.add(id);
    settled.push(items.some(isPrivateByHookOnly) ? settledMark(marked) : withoutMark(marked));
    if (hidden.size === 0) continue;

    const privacy = new SessionPrivacy((remembered as SessionMemory | undefined) ?? NO_MEMORY);
    privacy.seeLog(await loggedSession(log, agent, session));
    for (const event of await hiddenReports(items, privacy, log)) ids.add(event);
    // What a hidden tool use launched is private from now on.
    const value = privacy.memory() as unknown as Json | null;
    if (value !== null) cursors.push({ key, value });
  }
  const names = (await eventsOf(lines, log)).map((event) => nameOfPrivatePrompt(event as NamedEvent));
  await log.append([], { cursors: [...cursors, ...names.map(privatePromptCursor)] });
  if (ids.size > 0) {
    const { forgetSelected } = await import('./index.ts');
    const events = new Map((await eventsOf(ids, log)).map((event) => [event.id, event]));
    await forgetSelected(
      async () => ({ by: 'ids', events, sessions: [], names, query: null }),
      {},
      home,
      randomBytes,
    );
  }
  // An import that runs marks sessions again, and forgets when it ends.
  if (isUndisturbed()) await log.append([], { cursors: settled });
}

async function eventsOf(ids: ReadonlySet<string>, log: Pick<Log, 'getMany'>): Promise<readonly LogEvent[]> {
  return (await log.getMany([...ids])).filter((event) => event !== undefined);
}

/** Whether a report of a prompt is private, or is the line of a prompt that is known as private. */
function isPrivate(report: PromptReport, { agent, session }: MarkedSession, known: PrivatePrompts): boolean {
  const { channel, uuid = null, promptId = null, at = null, text = null } = report;
  if (report.private === true) return true;
  if (channel !== 'transcript') return false;
  return known.includes({
    ...{ agent, session, uuid, promptId, at, opensRun: false, privateAt: null },
    text: () => text,
  });
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
function eventsWithWords(item: ItemRow): readonly string[] {
  if (item.kind !== 'prompt') return item.reports.map(({ event }) => event);
  return item.reports.flatMap((report) => (report.private === true ? [] : [report.event]));
}

/** Titles, summaries of compactions and recaps that may be made from a private turn: all since the first. `since` in Unix ms. */
function madeOfSession(
  items: readonly ItemRow[],
  row: SessionRow | undefined,
  since: number | null,
): readonly string[] {
  if (since === null) return [];
  const isSince = ({ at }: { readonly at?: number | undefined }) => at === undefined || at >= since;
  const titles = row?.reports.filter((report) => report.type === 'titled' && isSince(report)) ?? [];
  const replies = items.flatMap((item) =>
    item.kind === 'reply'
      ? item.reports.filter((report) => (report.compaction || report.recap) && isSince(report))
      : [],
  );
  return [...titles, ...replies].map(({ event }) => event);
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
