// Bringing the live views up to the log: anchors are held against it, first views fold its pages, followers
// their feeds, indexes are told, feeds are trimmed. A view that cannot be read is made again from zero; one
// that the log does not bear out stands still, because there the log is what needs looking at.
import { isAnnalsError, type Log } from '../log/index.ts';
import { logProblem } from './anchor.ts';
import { canFollow, type FillOptions, fillFromFeed, fillFromLog } from './fill.ts';
import { createGeneration, type Workshop } from './generation.ts';
import type { LiveViews } from './live-views.ts';
import { isFirst, type Projector } from './projector.ts';

export interface CatchUp {
  readonly log: Log;
  readonly views: LiveViews;
  readonly workshop: Workshop;
  readonly fill: FillOptions;
  /** Fills a follower anew from its upstream's rows and exchanges it. */
  readonly refill: (projector: Projector) => Promise<void>;
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
      await startOver(work, projector);
    }
  }
}

/** Holds the anchors of first views against the log and notes those that it does not bear out. */
export async function holdAnchors({ views, log }: Pick<CatchUp, 'views' | 'log'>): Promise<void> {
  for (const projector of views.ordered.filter(isFirst)) {
    const problem = await logProblem(projector.name, views.live(projector.name).anchor, log);
    if (problem === null) views.blocked.delete(projector.name);
    else views.blocked.set(projector.name, problem);
  }
}

async function bringUp(work: CatchUp): Promise<void> {
  const { log, views, fill } = work;
  for (const view of views.all()) await view.recover();
  await holdAnchors(work);
  const firsts = views.ordered
    .filter(isFirst)
    .filter(({ name }) => !views.blocked.has(name))
    .map((projector) => {
      const view = views.live(projector.name);
      return { projector, view, followed: views.followed(view) };
    });
  await fillFromLog(log, firsts, fill);
  for (const projector of views.ordered) {
    if (fill.stopped?.()) return;
    if (isFirst(projector)) continue;
    const view = views.live(projector.name);
    const upstream = views.live(projector.follows);
    if (canFollow(view, upstream))
      await fillFromFeed({ projector, view, upstream, followed: views.followed(view) }, fill);
    else await work.refill(projector);
  }
  for (const index of views.indexes) await index.catchUp(views.upstream(index.follows));
  for (const view of views.all()) await view.trim(views.passed(view));
}

async function startOver({ views, workshop }: CatchUp, projector: Projector): Promise<void> {
  const { name } = projector;
  views.noteDamage({
    code: 'VIEW_DAMAGED',
    view: name,
    message: `view ${name} was damaged (it could not be read) and is made again from the log`,
  });
  await views.exchange([await createGeneration(workshop, projector)]);
}
