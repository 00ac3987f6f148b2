// What of a forgetting that another machine sent may be applied here: a member of one project must not be able to forget
// events of another one, or events that this machine never shared. What this machine does not have it cannot place: the ids of
// events are hashes, which only those know who have the events.
import {
  type BodyOf,
  type EventContent,
  type ForgottenPrompt,
  isOwnEvent,
  type Log,
  type LogEvent,
  type NamedEvent,
  Tombstones,
} from '../../../log/index.ts';
import { type ForgettingPart, partOf } from './forgetting-parts.ts';
import type { Placement } from './placement.ts';

export interface ForgettingWithin {
  /** The whole event, or the part of it that is of the project; null if nothing of it is. */
  readonly event: EventContent | null;
  /** Whether all of it that is here is of the project. */
  readonly isWhole: boolean;
  /** The named events that this machine has. */
  readonly here: readonly LogEvent[];
}

export interface WithinParts {
  readonly log: Log;
  readonly placement: Placement;
}

/** @param project the one that the forgetting was sealed for */
export async function forgettingWithin(
  project: string,
  forgetting: EventContent,
  parts: WithinParts,
): Promise<ForgettingWithin> {
  if (forgetting.body.salt === null) return { event: null, isWhole: false, here: [] };
  const { log } = parts;
  const body = JSON.parse(forgetting.body.json) as BodyOf<'memory.forgotten'>;
  const ids = (body.events ?? []).flatMap((one) => one.ids);
  const found = (await log.getMany(ids)).filter((event) => event !== undefined);
  const elsewhere = new Set(found.filter((one) => !isOf(project, one, parts)).map(({ id }) => id));
  const names = await namesWithin(project, body.names ?? [], parts);
  const here = found.filter(({ id }) => !elsewhere.has(id));
  // A turn may begin only where this machine has a prompt of the project.
  const known = new Set(here.map(({ id }) => id));
  const isKnown = ({ event }: ForgottenPrompt) => known.has(event);
  const arePromptsKnown = (body.events ?? []).every(({ prompts }) => prompts?.every(isKnown) !== false);
  const isWhole = elsewhere.size === 0 && names.length === (body.names ?? []).length;
  if (isWhole && arePromptsKnown) return { event: forgetting, isWhole, here };
  const events = groupsOf(body, (id) => !elsewhere.has(id), isKnown);
  if (events.length + names.length === 0) return { event: null, isWhole: false, here };
  const json = JSON.stringify({ ...body, events, names, items: [] });
  return { event: partOf(forgetting, 'within', `${project}\n${json}`, json), isWhole, here };
}

/** What of a forgetting that was applied this machine had also sent under other projects. */
export function forgettingsAcross(
  project: string,
  { event, here }: ForgettingWithin,
  { log, placement }: WithinParts,
): readonly ForgettingPart[] {
  if (event === null || event.body.salt === null) return [];
  const body = JSON.parse(event.body.json) as BodyOf<'memory.forgotten'>;
  const own = here.filter((one) => isOwnEvent(one, log));
  const places = new Map(
    own.map(({ position, body: _, ...header }) => [header.id, placement.placesOf({ header, position })]),
  );
  const others = new Set([...places.values()].flat().filter((one) => one !== project));
  return [...others].map((other) => {
    const isThere = (id: string) => places.get(id)?.includes(other) === true;
    const events = groupsOf(body, isThere, (prompt) => isThere(prompt.event));
    const json = JSON.stringify({ ...body, events, names: [], items: [] });
    const ids = events.flatMap((one) => one.ids);
    return { project: other, event: partOf(event, 'across', `${other}\n${json}`, json), ids };
  });
}

function groupsOf(
  { events }: BodyOf<'memory.forgotten'>,
  isNamed: (id: string) => boolean,
  isKept: (prompt: ForgottenPrompt) => boolean,
): BodyOf<'memory.forgotten'>['events'] {
  return (events ?? [])
    .map(({ prompts, ...one }) => ({
      ...one,
      ids: one.ids.filter(isNamed),
      ...(prompts === undefined ? {} : { prompts: prompts.filter(isKept) }),
    }))
    .filter((one) => one.ids.length > 0);
}

/** Whether this machine knows an event as one of a project. */
function isOf(project: string, event: LogEvent, { log, placement }: WithinParts): boolean {
  const { position, body, ...header } = event;
  if (placement.placesOf({ header, position }).includes(project)) return true;
  const isOwn = isOwnEvent(event, log);
  return (
    isOwn && placement.projectsToForget(event, body as Readonly<Record<string, unknown>>).includes(project)
  );
}

/** The names that cover no event of another project here. */
async function namesWithin(project: string, names: string[], parts: WithinParts): Promise<string[]> {
  let left = names;
  let tombstones = tombstonesOf(left);
  if (left.length === 0) return left;
  for await (const event of parts.log.scan(() => true)) {
    const named = event as unknown as NamedEvent;
    if (!tombstones.covers(named) || isOf(project, event, parts)) continue;
    left = left.filter((name) => !tombstonesOf([name]).covers(named));
    tombstones = tombstonesOf(left);
  }
  return left;
}

function tombstonesOf(names: readonly string[]): Tombstones {
  const tombstones = new Tombstones();
  tombstones.addNames(names);
  return tombstones;
}
