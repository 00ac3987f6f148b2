// Builds views from zero in generations of their own, beside the live ones: for a rebuild, which swaps them
// in, and for a check, which compares and throws them away. Nothing that is read is touched.
import type { Log } from '../log/index.ts';
import { type FillOptions, fillFromLog, fillFromRows } from './fill.ts';
import { createGeneration, discard, type Workshop } from './generation.ts';
import type { KvView } from './kv-view.ts';
import { isFirst, type Projector } from './projector.ts';

export interface Built {
  readonly projector: Projector;
  readonly view: KvView;
  /** From the start of its own filling to its end; first views are filled together. */
  readonly ms: number;
}

export interface BuildRequest {
  readonly log: Log;
  readonly workshop: Workshop;
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
export async function buildAside(request: BuildRequest): Promise<readonly Built[] | null> {
  const { log, workshop, projectors, fill, now } = request;
  const views = new Map<string, KvView>();
  const ms = new Map<string, number>();
  let finished = false;
  try {
    for (const projector of projectors)
      views.set(projector.name, await createGeneration(workshop, projector));
    const started = now();
    const firsts = projectors.flatMap((projector) =>
      isFirst(projector) ? [{ projector, view: views.get(projector.name)!, followed: false }] : [],
    );
    await fillFromLog(log, firsts, fill);
    for (const { projector } of firsts) ms.set(projector.name, now() - started);
    for (const projector of projectors) {
      if (isFirst(projector)) continue;
      const since = now();
      const upstream = views.get(projector.follows) ?? request.live(projector.follows);
      await fillFromRows({ projector, view: views.get(projector.name)!, upstream, followed: false }, fill);
      ms.set(projector.name, now() - since);
    }
    finished = !(fill.stopped?.() ?? false);
    if (!finished) return null;
    return projectors.map((projector) => ({
      projector,
      view: views.get(projector.name)!,
      ms: ms.get(projector.name)!,
    }));
  } finally {
    if (!finished) for (const view of views.values()) await discard(workshop.shelf, view);
  }
}
