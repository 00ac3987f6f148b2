// Live views made again from the log, to take the place of what is served, or to be compared with it. Views are built
// aside (build-generation.ts) while the old ones serve; whatever follows a view that is made again is made again with it, and an
// index last, from what then stands. Nothing moves meanwhile: the caller sees to that.
import type { Log } from '../../log/index.ts';
import { type Built, buildGenerations } from './build-generation.ts';
import type { FillOptions } from './fill.ts';
import { discard, type GenerationContext } from './generation.ts';
import type { LiveViews } from './live-views.ts';
import { closed } from './moves.ts';
import { upstreamOf } from './upstream.ts';
import { withFollowers } from './view-order.ts';

export interface Rebuilding {
  readonly log: Log;
  readonly views: LiveViews;
  readonly generationContext: GenerationContext;
  readonly fill: FillOptions;
  /** Any clock that counts ms; for reports only. */
  now(): number;
}

export interface RebuiltView {
  readonly name: string;
  /** Events of the log that the view now covers. */
  readonly events: number;
  readonly ms: number;
  readonly digest: string;
}

/** A view as it is served beside one built again from the log. */
export interface RebuiltComparison {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly live: string;
  readonly rebuilt: string;
  readonly equal: boolean;
}

/** Exchanges these views, and all that follow them. @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED; the old ones then stay */
export async function rebuild(work: Rebuilding, names: ReadonlySet<string>): Promise<readonly RebuiltView[]> {
  const { views } = work;
  const built = await build(work, names);
  const reports: RebuiltView[] = [];
  for (const { view, ms } of built)
    reports.push({ name: view.name, events: view.position, ms, digest: await view.digest() });
  await views.exchange(built.map(({ view }) => view));
  const rebuilt = new Set(built.map(({ view }) => view.name));
  views.forgetProblems(rebuilt);
  for (const index of views.indexes) {
    if (!names.has(index.name) && !rebuilt.has(index.follows)) continue;
    const upstream = views.upstream(index.follows);
    const ms = await timed(work, () => index.rebuild(upstream));
    reports.push({ name: index.name, events: upstream.position, ms, digest: await index.digest(upstream) });
  }
  return reports;
}

/** Fills these views anew from what they follow, with all that follow them, and exchanges them; indexes stay. */
export async function refill(work: Rebuilding, names: ReadonlySet<string>): Promise<void> {
  const built = await build(work, names);
  await work.views.exchange(built.map(({ view }) => view));
}

/** Builds everything again, compares digests and throws the builds away. */
export async function compareRebuilt(work: Rebuilding): Promise<readonly RebuiltComparison[]> {
  const built = await build(work, new Set(work.views.ordered.map(({ name }) => name)));
  try {
    return await compare(work, built);
  } finally {
    for (const { view } of built) await discard(work.generationContext.generations, view);
  }
}

async function compare(work: Rebuilding, built: readonly Built[]): Promise<readonly RebuiltComparison[]> {
  const { views } = work;
  const comparisons: RebuiltComparison[] = [];
  for (const { view, ms } of built) {
    const live = await views.live(view.name).digest();
    const rebuilt = await view.digest();
    const { name, position: events } = view;
    comparisons.push({ name, events, ms, live, rebuilt, equal: live === rebuilt });
  }
  for (const index of views.indexes) {
    const upstream = upstreamOf(built.find(({ view }) => view.name === index.follows)!.view);
    let rebuilt = '';
    const ms = await timed(work, async () => {
      rebuilt = await index.digestRebuilt(upstream);
    });
    const live = await index.digest(views.upstream(index.follows));
    const { position: events } = upstream;
    comparisons.push({ name: index.name, events, ms, live, rebuilt, equal: live === rebuilt });
  }
  return comparisons;
}

/** These views and all that follow them, aside. */
async function build(work: Rebuilding, names: ReadonlySet<string>): Promise<readonly Built[]> {
  const { log, views, generationContext, fill } = work;
  const built = await buildGenerations({
    log,
    generationContext,
    projectors: withFollowers(views.ordered, names),
    live: (name) => views.live(name),
    now: () => work.now(),
    fill,
  });
  if (built === null) throw closed();
  return built;
}

async function timed(clock: Pick<Rebuilding, 'now'>, work: () => Promise<void>): Promise<number> {
  const started = clock.now();
  await work();
  return clock.now() - started;
}
