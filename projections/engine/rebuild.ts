// Builds the views again from the log, to replace those that are read or to compare with them. The old ones are read and
// moved meanwhile. Only the end needs the views to stand still: the build takes in what came since, and replaces them.
import type { Log } from '../../log/index.ts';
import { buildGeneration, continueBuild } from './build-generation.ts';
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

/** The views of the store, as the log has them, in a generation of their own. */
export interface Build {
  readonly generation: Generation;
  /** Duration, ms. */
  readonly ms: number;
}

/** @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED; nothing is left behind then */
export async function build({ log, context, views, options, now }: Rebuilding): Promise<Build> {
  const began = now();
  const generation = await buildGeneration(log, context, views.ordered, options);
  if (generation === null) throw closed();
  return { generation, ms: now() - began };
}

/** Whether these views are rebuilt with the store. */
export function isOfStore({ views }: Rebuilding, names: ReadonlySet<string>): boolean {
  return views.ordered.some(({ name }) => names.has(name));
}

/**
 * Replaces the named views. The views of the store are replaced together, with all indexes; an index can be rebuilt alone.
 * The caller makes sure that nothing else moves the views.
 * @param made of the views of the store, if they are among the names
 * @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED; the old views then stay
 */
export async function rebuild(
  work: Rebuilding,
  names: ReadonlySet<string>,
  made: Build | null,
): Promise<readonly RebuiltView[]> {
  const { views, now } = work;
  const reports: RebuiltView[] = [];
  if (made !== null) {
    const built = await broughtUp(work, made);
    const { ms } = made;
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
    if (made === null && !names.has(index.name)) continue;
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

/** Compares digests with a build and removes it. The caller makes sure that nothing else moves the views. */
export async function compareRebuilt(work: Rebuilding, made: Build): Promise<readonly RebuiltComparison[]> {
  const { views, now } = work;
  const built = await broughtUp(work, made);
  let began = now() - made.ms;
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

/** With the events that came while it was built. */
async function broughtUp({ log, context, views, options }: Rebuilding, made: Build): Promise<Generation> {
  const { onProgress: _, ...others } = options;
  if (!(await continueBuild(log, context, views.ordered, others, made.generation))) throw closed();
  return made.generation;
}
