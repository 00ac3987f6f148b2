// Builds all views from the start of the log in a generation next to the live one: for a rebuild, which swaps it in, and
// for `verify --rebuilt`, which compares it and throws it away.
import type { Log } from '../../log/index.ts';
import type { Projector } from './contract/projector.ts';
import { createGeneration, discard, type GenerationContext } from './generation-folders.ts';
import { type ProjectOptions, projectLog } from './project-log.ts';
import type { Generation } from './store/generation.ts';

/** Null when it was stopped; then nothing is left behind, as after an error. @throws AnnalsError LOG_DAMAGED, DISK_FULL */
export async function buildGeneration(
  log: Log,
  context: GenerationContext,
  ordered: readonly Projector[],
  options: ProjectOptions,
): Promise<Generation | null> {
  const generation = await createGeneration(context);
  let isBuilt = false;
  try {
    await projectLog(log, generation, ordered, options, ({ page, deadLetters, end }) =>
      generation.commit(page, { log: end, deadLetters, keepsFeed: false }),
    );
    isBuilt = options.stopped?.() !== true;
  } finally {
    if (!isBuilt) await discard(context, generation);
  }
  return isBuilt ? generation : null;
}
