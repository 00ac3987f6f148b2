// Bringing the live views up to the log: anchors are held against it, followers that lag take the feed, then all
// move together page by page; indexes are told, feeds are trimmed. A view that cannot be read is made again from
// zero; one that the log does not bear out stands still, because there the log is what needs looking at.
import { isAnnalsError, type Log } from '../../log/index.ts';
import { logProblem } from './contract/checkpoint.ts';
import {
  type DownstreamProjector,
  isDownstreamProjector,
  isLogProjector,
  type Projector,
} from './contract/projector.ts';
import {
  canFollow,
  type Fill,
  type FillOptions,
  fillFromFeed,
  fillFromLog,
  followerPosition,
} from './fill.ts';
import { createGeneration, discard, type GenerationContext } from './generation.ts';
import type { LiveViews } from './live-views.ts';
import type { KvView } from './store/kv-view.ts';

export interface CatchUp {
  readonly log: Log;
  readonly views: LiveViews;
  readonly generationContext: GenerationContext;
  readonly fill: FillOptions;
  /** Fills a follower anew from its upstream's rows, with all that follow it, and exchanges them. */
  readonly refill: (projector: Projector) => Promise<void>;
  /** Runs a short step while nobody reads; everything, unless the fill lets others in. */
  readonly still: <T>(step: () => Promise<T>) => Promise<T>;
  /** Indexes that are not caught up now. */
  readonly leftBehind: ReadonlySet<string>;
}

/** @throws AnnalsError LOG_DAMAGED, DISK_FULL; what was committed before stays */
export async function catchUp(work: CatchUp): Promise<void> {
  for (let attempts = work.views.all().length; ; attempts--) {
    try {
      return await bringUp(work);
    } catch (error) {
      const damaged = isAnnalsError(error) && error.code === 'VIEW_DAMAGED' ? error.facts.view : undefined;
      const projector = work.views.ordered.find(({ name }) => name === damaged);
      if (projector === undefined || attempts === 0) throw error;
      await work.still(() => startOver(work, projector));
    }
  }
}

/**
 * Holds the anchors against the log and notes the views that it does not bear out. A follower may be the only witness:
 * a kill can leave its upstream further back. Below a view that is noted nothing more is learned from its followers.
 */
export async function checkCheckpoints({ views, log }: Pick<CatchUp, 'views' | 'log'>): Promise<void> {
  const affected = new Set<string>();
  for (const projector of views.ordered) {
    const { name } = projector;
    const isBelow = isDownstreamProjector(projector) && affected.has(projector.follows);
    const problem = isBelow ? null : await logProblem(name, views.live(name).checkpoint, log);
    if (isBelow || problem !== null) affected.add(name);
    if (problem === null) views.blocked.delete(name);
    else views.blocked.set(name, problem);
  }
}

async function bringUp(work: CatchUp): Promise<void> {
  const { log, views, fill, still } = work;
  const moving = new Map<string, KvView>();
  const beside = new Map<string, KvView>();
  try {
    await still(() => prepare(work, moving, beside));
    const firsts = views.ordered
      .filter(isLogProjector)
      .filter(({ name }) => moving.has(name))
      .map((projector) => ({ projector, ...withThose(views, projector.name, moving) }));
    await fillFromLog(log, firsts, fill);
    if (fill.stopped?.()) return;
    const filled = [...beside.values()];
    if (filled.length > 0)
      await still(() => {
        // From here on CURRENT may name them: they are no longer ours to throw away.
        beside.clear();
        return views.exchange(filled);
      });
  } finally {
    for (const view of beside.values()) await discard(work.generationContext.generations, view);
  }
  await still(() => finish(work));
}

/** Finds out which views can be moved, and brings followers to where those stand that they follow. */
async function prepare(
  work: CatchUp,
  moving: Map<string, KvView>,
  beside: Map<string, KvView>,
): Promise<void> {
  const { views } = work;
  for (const view of views.all()) await view.recover();
  await checkCheckpoints(work);
  for (const { name } of views.ordered.filter(isLogProjector))
    if (!views.blocked.has(name)) moving.set(name, views.live(name));
  for (const projector of views.ordered.filter(isDownstreamProjector))
    if (!views.blocked.has(projector.name)) await join(work, projector, moving, beside);
}

/** Views that could not move along are filled from rows, indexes are told, feeds are trimmed. */
async function finish(work: CatchUp): Promise<void> {
  const { views, fill, leftBehind } = work;
  for (const projector of views.ordered.filter(isDownstreamProjector)) {
    if (fill.stopped?.()) return;
    if (views.blocked.has(projector.name)) continue;
    if (!canFollow(views.live(projector.name), views.live(projector.follows))) await work.refill(projector);
  }
  for (const index of views.indexes)
    if (!leftBehind.has(index.name)) await index.catchUp(views.upstream(index.follows));
  for (const view of views.all()) await view.trim(views.passed(view));
}

/**
 * Brings a second view to where its upstream stands, so that it moves along with it. One that cannot follow
 * begins beside its live generation when the upstream is empty; else it is filled from the rows afterwards.
 */
async function join(
  { views, generationContext, fill: { givingWay: _, ...fill } }: CatchUp,
  projector: DownstreamProjector,
  moving: Map<string, KvView>,
  beside: Map<string, KvView>,
): Promise<void> {
  const { name, follows } = projector;
  const upstream = moving.get(follows) ?? views.live(follows);
  let view = views.live(name);
  if (canFollow(view, upstream))
    await fillFromFeed({ projector, view, followed: views.followed(view), followers: [] }, upstream, fill);
  else if (upstream.checkpoint.seq === 0 && moving.has(follows)) {
    view = await createGeneration(generationContext, projector);
    beside.set(name, view);
    await view.moveTo(followerPosition(upstream));
  }
  const upstreamPosition = view.checkpoint.upstream;
  if (
    moving.has(follows) &&
    upstreamPosition?.generation === upstream.generation &&
    upstreamPosition.seq === upstream.checkpoint.seq
  )
    moving.set(name, view);
}

/** A view among those that move, with its followers, theirs, and so on. */
function withThose(
  views: LiveViews,
  name: string,
  moving: ReadonlyMap<string, KvView>,
): Omit<Fill, 'projector'> {
  const view = moving.get(name)!;
  const followers = views.ordered
    .filter(isDownstreamProjector)
    .filter((projector) => projector.follows === name && moving.has(projector.name))
    .map((projector) => ({ projector, ...withThose(views, projector.name, moving) }));
  return { view, followed: views.followed(view), followers };
}

async function startOver({ views, generationContext }: CatchUp, projector: Projector): Promise<void> {
  const { name } = projector;
  views.noteDamage({
    code: 'VIEW_DAMAGED',
    view: name,
    message: `view ${name} was damaged (it could not be read) and is made again from the log`,
  });
  await views.exchange([await createGeneration(generationContext, projector)]);
}
