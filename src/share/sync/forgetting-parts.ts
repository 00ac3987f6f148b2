// What of a forgetting concerns a shared project. One that also names events of other projects leaves only in part: its
// sessions are nobody else's business.
import { hash } from 'node:crypto';
import { type BodyOf, type EventContent, eventId, FORGETTING, StoredBody } from '../../../log/index.ts';
import type { LoggedEvent, Placement } from './placement.ts';

export interface ForgettingPart {
  readonly project: string;
  readonly event: EventContent;
  /** The events of this project that it names. */
  readonly ids: readonly string[];
}

/** What leaves of an event of this machine, and under which project. */
export function leavingOf(
  event: LoggedEvent,
  placement: Placement,
): readonly Pick<ForgettingPart, 'project' | 'event'>[] {
  return event.header.type === FORGETTING
    ? partsOfForgetting(event, placement)
    : placement.projectsOf(event).map((project) => ({ project, event }));
}

export function partsOfForgetting(forgetting: EventContent, placement: Placement): ForgettingPart[] {
  if (forgetting.body.salt === null) return [];
  const body = JSON.parse(forgetting.body.json) as BodyOf<'memory.forgotten'>;
  const byProject = new Map<string, BodyOf<'memory.forgotten'>['events'][number][]>();
  for (const { agent, session, ids, prompts } of body.events)
    for (const id of ids)
      for (const project of placement.knownProjectsOf(agent, session, id)) {
        const events = byProject.get(project) ?? [];
        byProject.set(project, events);
        const known = events.find((one) => one.agent === agent && one.session === session);
        const group = known ?? { agent, session, ids: [] };
        if (known === undefined) events.push(group);
        group.ids.push(id);
        const left = prompts?.filter(({ event }) => event === id) ?? [];
        if (left.length > 0) group.prompts = [...(group.prompts ?? []), ...left];
      }
  const named = body.events.reduce((sum, { ids }) => sum + ids.length, 0);
  return [...byProject].map(([project, events]) => {
    const ids = events.flatMap((one) => one.ids);
    const event =
      ids.length === named
        ? forgetting
        : partOf(forgetting, 'part', project, JSON.stringify({ ...body, events, names: [], items: [] }));
    return { project, event, ids };
  });
}

/** An event of its own, the same whenever it is made. @param what tells it from other parts of the whole */
export function partOf(whole: EventContent, kind: string, what: string, json: string): EventContent {
  const dedupeKey = `${kind}:${whole.header.id}:${hash('sha256', what).slice(0, 16)}`;
  const header = { ...whole.header, dedupeKey };
  const id = eventId(header as Parameters<typeof eventId>[0]);
  return {
    ...whole,
    header: { ...header, id },
    body: StoredBody.of((whole.body as StoredBody).salt, json),
  };
}
