// Finds what a person did to items that are forgotten, what agents proposed about them, and what a model was asked about them
// and answered. These events hold the text, or one made from it.
import type { LogEvent } from '../../log/index.ts';
import {
  type ActRow,
  type AnsweredRow,
  type AskedRow,
  actKeys,
  NO_SESSION,
  type ProposalRow,
  readingKeys,
} from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

/**
 * The acts, proposals and readings that were made from any of these events, or from one another, without those that are
 * among them.
 */
export async function actsOn(
  events: ReadonlyMap<string, LogEvent>,
  home: Home,
): Promise<readonly LogEvent[]> {
  const found = new Map<string, LogEvent>();
  for (;;) {
    const more = await actsMadeFrom(new Map([...events, ...found]), home);
    if (more.length === 0) return [...found.values()];
    for (const act of more) found.set(act.id, act);
  }
}

async function actsMadeFrom(
  events: ReadonlyMap<string, LogEvent>,
  { log, views }: Home,
): Promise<readonly LogEvent[]> {
  const acts = (await views.turns.range<ActRow>(actKeys.acts())).map(([, row]) => row);
  const proposals = (await views.turns.range<ProposalRow>(actKeys.proposals())).map(([, row]) => row);
  const isForgotten = (item: { readonly events: readonly string[] } | null) =>
    item?.events.some((id) => events.has(id)) === true;
  const ids = [
    ...acts.filter((row) => isForgotten(row.item) || (row.act === 'supersede' && isForgotten(row.by))),
    ...proposals.filter(({ body }) => isForgotten(body.item) || isForgotten(body.by)),
  ].map(({ event }) => event);
  ids.push(...(await readingsOf(events, views.turns)));
  const found = await log.getMany(ids.filter((id) => !events.has(id)));
  return found.filter((event) => event !== undefined);
}

/** Their answers were made from events of any session. */
const CORPUS_QUESTIONS = ['annals', NO_SESSION] as const;

async function readingsOf(
  events: ReadonlyMap<string, LogEvent>,
  turns: Home['views']['turns'],
): Promise<readonly string[]> {
  const sessions = new Map(
    [...events.values()].flatMap(({ agent, session }) =>
      session === null ? [] : [[JSON.stringify([agent, session]), [agent, session] as const] as const],
    ),
  );
  sessions.set('', CORPUS_QUESTIONS);
  const ids: string[] = [];
  for (const [agent, session] of sessions.values())
    for (const rows of [readingKeys.askedIn, readingKeys.answeredIn])
      for (const [, { event, body }] of await turns.range<AskedRow | AnsweredRow>(rows(agent, session)))
        if (body.covers.some((id) => events.has(id))) ids.push(event);
  return ids;
}
