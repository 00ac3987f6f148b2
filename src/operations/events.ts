// The log, filtered: one session, one type or one family of types, page by page.
import type { EventType, Log, LogEvent } from '../../log/index.ts';
import { AnnalsError, EVENT_TYPES, pagesAfter } from '../../log/index.ts';
import { rowKeys, type SessionRow, type ViewReader } from '../../projections/index.ts';
import type { LogOptions } from '../api.ts';
import type { Opened } from './opened.ts';

/** Families of types under the words that people use for them. */
const KINDS: Record<string, readonly EventType[]> = {
  session: ['session.started', 'session.ended', 'session.continued', 'session.titled'],
  prompt: ['prompt.submitted'],
  tool: ['tool.used', 'tool.unanswered'],
  answer: ['agent.replied', 'agent.stopped'],
  place: ['place.seen', 'project.linked'],
  memory: ['memory.saved', 'memory.forgotten'],
};

/** Events in position order. @throws AnnalsError USAGE for an unknown kind or type */
export async function* readEvents(options: LogOptions, opened: Opened): AsyncGenerator<LogEvent> {
  const types = typesOf(options);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const events =
    options.session === undefined ? pages(opened.log, options.after ?? 0) : sessionPages(options, opened);
  for await (const event of events) {
    if (left <= 0) return;
    if (types !== null && !types.has(event.type)) continue;
    left--;
    yield event;
  }
}

function typesOf({ kind, type }: LogOptions): ReadonlySet<string> | null {
  if (type !== undefined && !EVENT_TYPES.includes(type)) {
    throw new AnnalsError('USAGE', `There is no event type “${type}”.`, {
      hint: `One of: ${EVENT_TYPES.join(', ')}.`,
    });
  }
  if (kind !== undefined && !Object.hasOwn(KINDS, kind) && !EVENT_TYPES.includes(kind as EventType)) {
    throw new AnnalsError('USAGE', `There is no kind of event “${kind}”.`, {
      hint: `One of: ${Object.keys(KINDS).join(', ')}, or an event type.`,
    });
  }
  if (type !== undefined) return new Set([type]);
  return kind === undefined ? null : new Set(Object.hasOwn(KINDS, kind) ? KINDS[kind] : [kind]);
}

async function* pages(log: Log, after: number): AsyncGenerator<LogEvent> {
  for await (const page of pagesAfter(after, (position) => log.page({ after: position })))
    for (const event of page.events) if (event.type !== 'unknown') yield event;
}

async function* sessionPages(options: LogOptions, { log, runner, views }: Opened): AsyncGenerator<LogEvent> {
  await runner.catchUp();
  for (const agent of await agentsOf(options.session!, views.turns)) {
    const read = (after: number) => log.pageBySession({ agent, session: options.session!, after });
    for await (const page of pagesAfter(options.after ?? 0, read))
      for (const event of page.events) if (event.type !== 'unknown') yield event;
  }
}

/** Who told of this session; memories are saved in it under our own name. */
async function agentsOf(session: string, turns: ViewReader): Promise<Set<string>> {
  const rows = await turns.range<SessionRow>(rowKeys.sessions());
  return new Set([
    ...rows.filter(([, row]) => row.session === session).map(([, row]) => row.agent),
    'annals',
  ]);
}
