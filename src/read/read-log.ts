// Reads the log with filters: one session, one type or one family of types, page by page.
import type { EventType, LogEvent, LogPage } from '../../log/index.ts';
import { AnnalsError, EVENT_TYPES, pagesAfter } from '../../log/index.ts';
import { EVENT_KINDS, type EventKind, type LogOptions } from '../api/events.ts';
import { projectByName } from '../home/folder-project.ts';
import type { Home } from '../home/home.ts';
import { recordedIn } from '../home/home-projects.ts';
import { namedSession } from '../home/named-session.ts';
import { parseTime } from '../search/index.ts';
import { type LoggedEvent, lastOf, pagesBackwards, sessionPagesBackwards } from './last-events.ts';

/** The family of each event type; null for a type that only its own name selects. */
const KIND_OF_TYPE: Readonly<Record<EventType, EventKind | null>> = {
  'session.started': 'session',
  'session.ended': 'session',
  'session.continued': 'session',
  'session.titled': 'session',
  'prompt.submitted': 'prompt',
  'tool.used': 'tool',
  'tool.unanswered': 'tool',
  'agent.replied': 'answer',
  'agent.stopped': 'answer',
  'workdir.seen': 'workdir',
  'project.linked': 'workdir',
  'memory.saved': 'memory',
  'memory.forgotten': 'memory',
  'memory.pinned': 'memory',
  'memory.edited': 'memory',
  'memory.superseded': 'memory',
  'memory.withdrawn': 'memory',
  'memory.proposed': 'memory',
  'memory.confirmed': 'memory',
  'import.memory': 'memory',
  'vectors.computed': null,
  'context.injected': null,
  'observer.asked': null,
  'observer.sent': null,
  'observer.replied': null,
  'observer.failed': null,
  'observer.chosen': null,
  'observer.switched': null,
  'corpus.built': null,
  'corpus.deleted': null,
};

/** Events in position order. @throws AnnalsError USAGE (an unknown kind or type), NOT_FOUND, AMBIGUOUS_ID */
export async function* readEvents(options: LogOptions, home: Home): AsyncGenerator<LogEvent> {
  const types = typesOf(options);
  const isWithin = spanOf(options, home);
  const isOfProject = options.project === undefined ? null : await projectTest(options.project, home);
  const passes = (event: LoggedEvent): event is LogEvent =>
    event.type !== 'unknown' &&
    (types === null || types.has(event.type)) &&
    isWithin(event) &&
    isOfProject?.(event) !== false;
  if (options.last !== undefined) return yield* await lastEvents(options, passes, home);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const { session, after = 0 } = options;
  const events =
    session === undefined
      ? eventsIn(pagesAfter(after, (position) => home.log.page({ after: position })))
      : sessionEvents(session, after, home);
  for await (const event of events) {
    if (left <= 0) return;
    if (!passes(event)) continue;
    left--;
    yield event;
  }
}

/** @throws AnnalsError USAGE */
function spanOf({ since, until }: LogOptions, { now }: Home): (event: LogEvent) => boolean {
  if (since === undefined && until === undefined) return () => true;
  const first = since === undefined ? Number.NEGATIVE_INFINITY : parseTime(since, now(), 'since');
  const last = until === undefined ? Number.POSITIVE_INFINITY : parseTime(until, now(), 'until');
  return ({ occurredAt }) => occurredAt !== null && occurredAt >= first && occurredAt <= last;
}

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID */
async function projectTest(project: string, home: Home): Promise<(event: LogEvent) => boolean> {
  await home.runner.catchUp();
  const workdirs = new Set((await projectByName(project, home)).workdirs);
  const { sessions, memories, describes } = await recordedIn(workdirs, home.views.turns);
  const names = new Set(sessions.map(({ session }) => session));
  return (event) =>
    describes(event) || memories.has(event.id) || (event.session !== null && names.has(event.session));
}

function typesOf({ kind, type }: LogOptions): ReadonlySet<string> | null {
  if (type !== undefined && !EVENT_TYPES.includes(type)) {
    throw new AnnalsError('USAGE', `There is no event type “${type}”.`, {
      hint: `One of: ${EVENT_TYPES.join(', ')}.`,
    });
  }
  const family = EVENT_KINDS.find((known) => known === kind);
  if (kind !== undefined && family === undefined && !EVENT_TYPES.includes(kind as EventType)) {
    throw new AnnalsError('USAGE', `There is no kind of event “${kind}”.`, {
      hint: `One of: ${EVENT_KINDS.join(', ')}, or an event type.`,
    });
  }
  if (type !== undefined) return new Set([type]);
  if (family !== undefined) return new Set(EVENT_TYPES.filter((known) => KIND_OF_TYPE[known] === family));
  return kind === undefined ? null : new Set([kind]);
}

async function* sessionEvents(given: string, after: number, home: Home): AsyncGenerator<LoggedEvent> {
  const { session, agents } = await reportersOf(given, home);
  yield* byPosition(
    agents.map((agent) =>
      eventsIn(pagesAfter(after, (position) => home.log.pageBySession({ agent, session, after: position }))),
    ),
  );
}

async function* eventsIn(pages: AsyncIterable<LogPage>): AsyncGenerator<LoggedEvent> {
  for await (const { events } of pages) yield* events;
}

/** Merges streams that are each in position order. */
async function* byPosition(streams: readonly AsyncGenerator<LoggedEvent>[]): AsyncGenerator<LoggedEvent> {
  const heads = new Map<AsyncGenerator<LoggedEvent>, LoggedEvent>();
  const advance = async (stream: AsyncGenerator<LoggedEvent>) => {
    const { done, value } = await stream.next();
    if (done === true) heads.delete(stream);
    else heads.set(stream, value);
  };
  for (const stream of streams) await advance(stream);
  while (heads.size > 0) {
    const [stream, event] = [...heads].reduce((one, other) =>
      other[1].position < one[1].position ? other : one,
    );
    yield event;
    await advance(stream);
  }
}

/** A session and the agents that reported it; memories saved in it have the agent `annals`. */
async function reportersOf(
  given: string,
  { runner, views }: Home,
): Promise<{ readonly session: string; readonly agents: readonly string[] }> {
  await runner.catchUp();
  const { id, rows } = await namedSession(given, views.turns);
  return { session: id, agents: [...new Set([...rows.map(({ agent }) => agent), 'annals'])] };
}

async function lastEvents(
  { session: given, after = 0, last = 0 }: LogOptions,
  passes: (event: LoggedEvent) => event is LogEvent,
  home: Home,
): Promise<readonly LogEvent[]> {
  const { log } = home;
  if (given === undefined) return lastOf(pagesBackwards(log, after), last, passes);
  const { session, agents } = await reportersOf(given, home);
  const found: LogEvent[] = [];
  for (const agent of agents)
    found.push(...(await lastOf(sessionPagesBackwards(log, { agent, session, after }), last, passes)));
  return last === 0 ? [] : found.sort((one, other) => one.position - other.position).slice(-last);
}
