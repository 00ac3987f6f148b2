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
import { partOf } from './forgetting-parts.ts';
import type { Placement } from './placement.ts';
import { type Rows, type SessionRow, syncKeys } from './sync-rows.ts';

export interface ForgettingWithin {
  /** The whole event, or the part of it that is of the project; null if nothing of it is. */
  readonly event: EventContent | null;
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
  /** The named events that this machine has. */
  readonly here: readonly LogEvent[];
}

export interface WithinParts {
  readonly log: Log;
  readonly rows: Rows;
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
  if (elsewhere.size === 0 && arePromptsKnown && names.length === (body.names ?? []).length)
    return { event: forgetting, isWhole: true, here };
  const events = (body.events ?? [])
    .map(({ prompts, ...one }) => ({
      ...one,
      ids: one.ids.filter((id) => !elsewhere.has(id)),
      ...(prompts === undefined ? {} : { prompts: prompts.filter(isKnown) }),
    }))
    .filter((one) => one.ids.length > 0);
  if (events.length + names.length === 0) return { event: null, isWhole: false, here };
  const json = JSON.stringify({ ...body, events, names, items: [] });
  return { event: partOf(forgetting, 'within', `${project}\n${json}`, json), isWhole: false, here };
}

/** Whether this machine knows an event as one of a project. */
function isOf(project: string, event: LogEvent, { log, rows, placement }: WithinParts): boolean {
  const { id, agent, session, origin } = event;
  const single = rows.get<string>(syncKeys.single(id));
  if (single !== null) return single === project;
  if (isOwnEvent({ origin }, log))
    return placement.projectOfOwn(event, event.body as Readonly<Record<string, unknown>>) === project;
  return session !== null && rows.get<SessionRow>(syncKeys.session(agent, session))?.project === project;
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
