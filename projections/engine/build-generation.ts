// Builds views from zero in generations of their own, beside the live ones: for a rebuild, which swaps them
// in, and for a check, which compares and throws them away. Nothing that is read is touched.
import type { Log } from '../../log/index.ts';
import { isDownstreamProjector, isLogProjector, type Projector } from './contract/projector.ts';
import { type Fill, type FillOptions, fillFromLog, fillFromRows } from './fill.ts';
import { createGeneration, discard, type GenerationContext } from './generation.ts';
import type { KvView } from './store/kv-view.ts';

export interface Built {
  readonly projector: Projector;
  readonly view: KvView;
  /** From the start of its filling to its end; first views and whatever follows them are filled together. */
  readonly ms: number;
}

export interface BuildRequest {
  readonly log: Log;
  readonly generationContext: GenerationContext;
  /** In an order in which each stands after the one it follows. */
  readonly projectors: readonly Projector[];
  /** The live view of this name, for followers whose upstream is not built anew. */
  readonly live: (name: string) => KvView;
  readonly now: () => number;
  readonly fill: FillOptions;
}

/**
 * Builds the views up to the log's head. The caller swaps them in or discards them.
 * null when it was stopped on the way; then nothing is left behind, as after an error.
 */
export async function buildGenerations(request: BuildRequest): Promise<readonly Built[] | null> {
  const { log, generationContext, projectors, fill, now } = request;
  const views = new Map<string, KvView>();
  const ms = new Map<string, number>();
  let finished = false;
  try {
    for (const projector of projectors)
      views.set(projector.name, await createGeneration(generationContext, projector));
    const withFollowers = <P extends Projector>(projector: P): Fill<P> => ({
      projector,
      view: views.get(projector.name)!,
      followed: false,
      followers: projectors
        .filter(isDownstreamProjector)
        .filter(({ follows }) => follows === projector.name)
        .map(withFollowers),
    });
    const timed = async (work: () => Promise<void>, roots: readonly Fill[]): Promise<void> => {
      const started = now();
      await work();
      const took = now() - started;
      const note = ({ projector, followers }: Fill): void => {
        ms.set(projector.name, took);
        followers.forEach(note);
      };
      roots.forEach(note);
    };
    const firsts = projectors.filter(isLogProjector).map(withFollowers);
    await timed(() => fillFromLog(log, firsts, fill), firsts);
    for (const projector of projectors.filter(isDownstreamProjector)) {
      // Whatever follows one of these moves along with it.
      if (views.has(projector.follows)) continue;
      const root = withFollowers(projector);
      await timed(() => fillFromRows(root, request.live(projector.follows), fill), [root]);
    }
    finished = !(fill.stopped?.() ?? false);
    if (!finished) return null;
    return projectors.map((projector) => ({
      projector,
      view: views.get(projector.name)!,
      ms: ms.get(projector.name)!,
    }));
  } finally {
    if (!finished) for (const view of views.values()) await discard(generationContext.generations, view);
  }
}
