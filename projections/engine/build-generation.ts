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
  return (await continueBuild(log, context, ordered, options, generation)) ? generation : null;
}

/** Brings a build up to the log. False when it was stopped; then it is removed, as after an error. @throws as above */
export async function continueBuild(
  log: Log,
  context: GenerationContext,
  ordered: readonly Projector[],
  options: ProjectOptions,
  generation: Generation,
): Promise<boolean> {
  let isBuilt = false;
  try {
    await projectLog(log, generation, ordered, options, ({ page, deadLetters, end }) =>
      generation.commit(page, { log: end, deadLetters, keepsFeed: false }),
    );
    isBuilt = options.stopped?.() !== true;
  } finally {
    if (!isBuilt) await discard(context, generation);
  }
  return isBuilt;
}
