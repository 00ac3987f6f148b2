// Builds the views again from the log, to replace those that are read or to compare with them. The old ones are read and
// moved meanwhile. Only the end needs the views to stand still: the build takes in what came since, and replaces them.
import type { Log } from '../../log/index.ts';
import { createGeneration, discard, type GenerationContext } from './generation-folders.ts';
import type { LiveViews } from './live-views.ts';
import { type ProjectOptions, projectLog } from './project-log.ts';
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

/**
 * Builds the views of the store aside, for work that compares the build or swaps it in. Unless it was swapped in, nothing
 * of it is left behind: otherwise each attempt on a full disk would leave less space.
 * @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED
 */
export async function withBuild<T>(work: Rebuilding, use: (made: Build) => Promise<T>): Promise<T> {
  const { context, views, now } = work;
  const began = now();
  const generation = await createGeneration(context);
  try {
    await bringUp(work, generation);
    return await use({ generation, ms: now() - began });
  } finally {
    if (views.generation !== generation) await discard(context, generation);
  }
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
    const { generation: built, ms } = made;
    await bringUp(quiet(work), built);
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

/** Compares digests with a build. The caller makes sure that nothing else moves the views. */
export async function compareRebuilt(work: Rebuilding, made: Build): Promise<readonly RebuiltComparison[]> {
  const { views, now } = work;
  const built = made.generation;
  await bringUp(quiet(work), built);
  let began = now() - made.ms;
  const comparisons: RebuiltComparison[] = [];
  const compare = async (name: string, rebuilt: string): Promise<void> => {
    const ms = now() - began;
    const live = await views.digest(name, { everyWay: true });
    comparisons.push({ name, events: built.position, ms, live, rebuilt, equal: live === rebuilt });
    began = now();
  };
  for (const { name } of views.ordered) await compare(name, await built.digest(name, { everyWay: true }));
  for (const index of views.indexes)
    await compare(
      index.name,
      await views.readers.on(built, (upstream) => index.digestRebuilt(upstream(index.follows))),
    );
  return comparisons;
}

/** Folds the events that a build lacks. */
async function bringUp({ log, views, options }: Rebuilding, built: Generation): Promise<void> {
  await projectLog(log, built, views.ordered, options, ({ page, deadLetters, end }) =>
    built.commit(page, { log: end, deadLetters, keepsFeed: false }),
  );
  if (options.stopped?.() === true) throw closed();
}

/** What came while it was built is little, and its progress is not shown. */
function quiet(work: Rebuilding): Rebuilding {
  return { ...work, options: { ...work.options, onProgress: undefined } };
}
