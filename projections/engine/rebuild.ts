// Builds the views again from the log, to replace those that are read or to compare with them. The old ones are read
// meanwhile. The caller makes sure that nothing else moves the views.
import type { Log } from '../../log/index.ts';
import { buildGeneration } from './build-generation.ts';
import { discard, type GenerationContext } from './generation-folders.ts';
import type { LiveViews } from './live-views.ts';
import type { ProjectOptions } from './project-log.ts';
import type { Generation } from './store/generation.ts';
import { closed } from './view-readers.ts';

export interface Rebuilding {
  readonly log: Log;
  readonly views: LiveViews;
  readonly context: GenerationContext;
  readonly options: ProjectOptions;
  /** Any clock that counts ms; for reports only. */
  now(): number;
}

export interface RebuiltView {
  readonly name: string;
  /** Events of the log that the view covers. */
  readonly events: number;
  /** The views of the store are built together and take the same time. */
  readonly ms: number;
  readonly digest: string;
}

/** A view and a separate build of it from the log. */
export interface RebuiltComparison {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly live: string;
  readonly rebuilt: string;
  readonly equal: boolean;
}

/**
 * Replaces the named views. The views of the store are rebuilt together, with all indexes; an index can be rebuilt alone.
 * @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED; the old views then stay
 */
export async function rebuild(work: Rebuilding, names: ReadonlySet<string>): Promise<readonly RebuiltView[]> {
  const { views, now } = work;
  const reports: RebuiltView[] = [];
  const isStored = views.ordered.some(({ name }) => names.has(name));
  if (isStored) {
    const began = now();
    const built = await build(work);
    const ms = now() - began;
    await views.swapIn(built);
    views.forgetProblems();
    for (const { name } of views.ordered)
      reports.push({
        name,
        events: built.position,
        ms,
        digest: await built.digest(name, { everyWay: false }),
      });
  }
  for (const index of views.indexes) {
    if (!isStored && !names.has(index.name)) continue;
    const began = now();
    reports.push(
      await views.readers.query(async (upstreams) => {
        const upstream = upstreams(index.follows);
        await index.rebuild(upstream);
        const ms = now() - began;
        const digest = await index.digest(upstream);
        return { name: index.name, events: upstream.position, ms, digest };
      }),
    );
  }
  return reports;
}

/** Builds everything again, compares digests and removes the build. */
export async function compareRebuilt(work: Rebuilding): Promise<readonly RebuiltComparison[]> {
  const { views, now } = work;
  let began = now();
  const built = await build(work);
  const comparisons: RebuiltComparison[] = [];
  const compare = async (name: string, rebuilt: string): Promise<void> => {
    const ms = now() - began;
    const live = await views.digest(name, { everyWay: true });
    comparisons.push({ name, events: built.position, ms, live, rebuilt, equal: live === rebuilt });
    began = now();
  };
  try {
    for (const { name } of views.ordered) await compare(name, await built.digest(name, { everyWay: true }));
    for (const index of views.indexes)
      await compare(
        index.name,
        await views.readers.on(built, (upstream) => index.digestRebuilt(upstream(index.follows))),
      );
  } finally {
    await discard(work.context, built);
  }
  return comparisons;
}

async function build({ log, context, views, options }: Rebuilding): Promise<Generation> {
  const built = await buildGeneration(log, context, views.ordered, options);
  if (built === null) throw closed();
  return built;
}
