// Brings the indexes of all projects up after an import: the words first, so that everything can be found, then the vectors.
import type { EmbedReport, ImportOptions } from '../api.ts';
import { embedWaiting } from '../embed/embed-reactor.ts';
import type { Home } from '../home/home.ts';
import { listProjectIndexes } from '../home/home-projects.ts';

/** Everything in the log can then be found by its words. */
export async function makeSearchable({ runner, readers, text, views }: Home): Promise<void> {
  await runner.catchUp();
  for (const project of await listProjectIndexes(views))
    await readers.query((upstream) => text.store(upstream(text.follows), project));
}

/** First the model's vectors, if the settings name a model. */
export async function makeVectors(
  { onEmbedded, onVectors, signal }: Pick<ImportOptions, 'onEmbedded' | 'onVectors' | 'signal'>,
  home: Home,
): Promise<EmbedReport | null> {
  const { readers, vectors, views, embedding } = home;
  const embedded = embedding.usesModel ? await embedWaiting({ onProgress: onEmbedded, signal }, home) : null;
  const projects = await listProjectIndexes(views);
  for (const [done, project] of projects.entries()) {
    if (signal?.aborted === true) break;
    onVectors?.(done, projects.length);
    await readers.query((upstream) => vectors.store(upstream(vectors.follows), project));
  }
  return embedded;
}
