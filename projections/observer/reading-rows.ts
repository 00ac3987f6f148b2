// Rows of the `turns` view for what a model was asked about turns, and what it answered. Each event makes rows of its own, so
// their order does not matter; readers put them together. A request of a batch also has a row until its answer comes.
//
//   asked/<agent>/<session>/<first covered event>/<event>      AskedRow
//   answered/<agent>/<session>/<first covered event>/<event>   AnsweredRow
//   asked-at/<time>/<agent>/<session>/<first covered event>/<event>   1: all requests, newest first
//   away/<asked event>                                  AwayRow: left with a batch and has no answer
//   batch/<batch>                                       BatchRow
//   recipe-choice/<event>                               ChoiceRow
//   observer-switch/<event>                             SwitchRow
import type { BodyOf, EventData } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { newestFirst } from '../engine/store/newest-first-keys.ts';
import { below, key } from '../engine/store/row-keys.ts';
import { parseAnswer } from './reply/parse-answer.ts';
import { parseReply } from './reply/parse-reply.ts';
import type { Reply } from './reply/reply.ts';
import { parseJsonReply } from './reply/reply-schema.ts';

interface RequestRow {
  readonly event: string;
  readonly agent: string;
  /** Empty for a question to a corpus. */
  readonly session: string;
  /** Unix ms. */
  readonly at: number | null;
}

export interface AskedRow extends RequestRow {
  readonly body: BodyOf<'observer.asked'>;
}

/** Without the text, which the log has. */
type RepliedBody = Pick<
  BodyOf<'observer.replied'>,
  | 'recipe'
  | 'turn'
  | 'part'
  | 'parts'
  | 'covers'
  | 'attempt'
  | 'again'
  | 'corpus'
  | 'question'
  | 'asked'
  | 'askedAt'
  | 'form'
  | 'stopReason'
  | 'model'
  | 'usage'
  | 'usd'
  | 'durationMs'
>;

export type AnsweredRow = RequestRow &
  (
    | {
        readonly kind: 'replied';
        readonly body: RepliedBody;
        readonly reply: Reply;
      }
    | { readonly kind: 'failed'; readonly body: BodyOf<'observer.failed'> }
  );
export type RepliedRow = Extract<AnsweredRow, { kind: 'replied' }>;

export interface AwayRow {
  readonly agent: string;
  readonly session: string;
  /** The first event that it covers. */
  readonly first: string;
}

export interface BatchRow {
  readonly event: string;
  /** As the service names it. */
  readonly id: string;
}

export interface ChoiceRow {
  readonly event: string;
  readonly at: number | null;
  readonly recipe: string | null;
}

export interface SwitchRow {
  readonly event: string;
  readonly at: number | null;
  readonly body: BodyOf<'observer.switched'>;
}

/** In the place of a session: questions to a corpus have none. */
export const NO_SESSION = '';

export const readingKeys = {
  askedAbout: (agent: string, session: string, event: string) => below('asked', agent, session, event),
  askedIn: (agent: string, session: string) => below('asked', agent, session),
  answeredAbout: (agent: string, session: string, event: string) => below('answered', agent, session, event),
  answeredIn: (agent: string, session: string) => below('answered', agent, session),
  allAnswered: () => below('answered'),
  allAsked: () => below('asked'),
  askedByTime: () => below('asked-at'),
  away: () => below('away'),
  batch: (batch: string) => key('batch', batch),
  batches: () => below('batch'),
  choices: () => below('recipe-choice'),
  switches: () => below('observer-switch'),
} as const;

export async function putReadings(events: readonly EventData[], view: ViewWriter): Promise<void> {
  for (const event of events) {
    const { id, agent, session, occurredAt: at } = event;
    if (event.type === 'observer.chosen')
      view.put(key('recipe-choice', id), { event: id, at, recipe: event.body.recipe } satisfies ChoiceRow);
    else if (event.type === 'observer.sent')
      view.put(readingKeys.batch(event.body.batch), { event: id, id: event.body.id } satisfies BatchRow);
    else if (event.type === 'observer.switched')
      view.put(key('observer-switch', id), { event: id, at, body: event.body } satisfies SwitchRow);
    const place = session ?? NO_SESSION;
    const request = { event: id, agent, session: place, at };
    if (event.type === 'observer.asked') {
      const { body } = event;
      const first = firstOf(body, id);
      view.put(key('asked', agent, place, first, id), { ...request, body } satisfies AskedRow);
      view.put(key('asked-at', newestFirst(at), agent, place, first, id), 1);
      const answers = body.batch === null ? [] : await answersTo(id, { agent, session: place, first }, view);
      if (body.batch !== null && answers.length === 0)
        view.put(key('away', id), { agent, session: place, first } satisfies AwayRow);
    } else if (event.type === 'observer.replied') {
      const { text, ...body } = event.body;
      const reply = event.body.corpus ? replyToQuestion(event.body) : replyAboutTurn(event.body);
      const row: AnsweredRow = { ...request, kind: 'replied', body: body as unknown as RepliedBody, reply };
      view.put(key('answered', agent, place, firstOf(event.body, event.body.asked), id), row);
      view.del(key('away', event.body.asked));
    } else if (event.type === 'observer.failed') {
      const { body } = event;
      const row: AnsweredRow = { ...request, kind: 'failed', body };
      view.put(key('answered', agent, place, firstOf(event.body, event.body.asked), id), row);
      view.del(key('away', event.body.asked));
    }
  }
}

function replyAboutTurn({ text, form }: BodyOf<'observer.replied'>): Reply {
  return (form === 'schema' ? parseJsonReply : parseReply)(text);
}

/** Says nothing about any turn. */
function replyToQuestion({ text, form }: BodyOf<'observer.replied'>): Reply {
  const { valid, ...answer } = parseAnswer(text, form);
  if (!valid) return { valid, reason: 'reason' in answer ? answer.reason : '' };
  return { valid, observations: [], summary: null, skipped: null, problems: [] };
}

/**
 * The event that names a request: a turn that has a prompt is found by one of its reports, in whatever turn that is later.
 * @param asked names a request that covers none: it was recorded again without what it was about
 */
function firstOf({ covers }: { readonly covers: readonly string[] }, asked: string): string {
  return covers[0] ?? asked;
}

async function answersTo(
  asked: string,
  { agent, session, first }: AwayRow,
  view: ViewReader,
): Promise<readonly AnsweredRow[]> {
  const rows = await view.range<AnsweredRow>(readingKeys.answeredAbout(agent, session, first));
  return rows.map(([, row]) => row).filter(({ body }) => body.asked === asked);
}

/** Removes the rows of forgotten events. */
export async function dropReadings(
  forgotten: ReadonlySet<string>,
  sessions: readonly (readonly [agent: string, session: string | null])[],
  view: ViewWriter,
): Promise<void> {
  const places = new Map(
    sessions.map(([agent, session]) => [
      JSON.stringify([agent, session]),
      [agent, session ?? NO_SESSION] as const,
    ]),
  );
  for (const [agent, session] of places.values()) {
    for (const [rowKey, { event, at, body }] of await view.range<AskedRow>(
      readingKeys.askedIn(agent, session),
    )) {
      if (!forgotten.has(event)) continue;
      view.del(rowKey);
      view.del(key('asked-at', newestFirst(at), agent, session, firstOf(body, event), event));
      view.del(key('away', event));
    }
    for (const [rowKey, { event }] of await view.range<AnsweredRow>(readingKeys.answeredIn(agent, session)))
      if (forgotten.has(event)) view.del(rowKey);
    if (session !== NO_SESSION) continue;
    for (const [rowKey, { event }] of await view.range<BatchRow>(readingKeys.batches()))
      if (forgotten.has(event)) view.del(rowKey);
  }
}

/** The recipe that a person chose last: `latest` when nobody chose, null for the rules alone. */
export async function chosenRecipe(view: ViewReader): Promise<string | null> {
  const rows = (await view.range<ChoiceRow>(readingKeys.choices())).map(([, row]) => row);
  return newest(rows)?.recipe ?? (rows.length === 0 ? LATEST : null);
}

/** The newest reading of each turn, whatever recipe made it. */
export const LATEST = 'latest';

/** By time, then by the event's id. */
export function newest<T extends { readonly at: number | null; readonly event: string }>(
  rows: readonly T[],
): T | undefined {
  return rows.reduce<T | undefined>(
    (best, row) => (best === undefined || isNewer(row, best) ? row : best),
    undefined,
  );
}

function isNewer<T extends { readonly at: number | null; readonly event: string }>(
  one: T,
  other: T,
): boolean {
  const [at, otherAt] = [one.at ?? 0, other.at ?? 0];
  return at === otherAt ? one.event > other.event : at > otherAt;
}
