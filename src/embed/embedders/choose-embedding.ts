// Makes the embedding of an open home from its settings.
import type { Log } from '../../../log/index.ts';
import type { Settings } from '../../config/settings.ts';
import { Embedding } from './embedding.ts';
import type { Model } from './model.ts';

/** The embedder of the settings. Code for models is loaded only if the settings name one. */
export async function embeddingOf(
  settings: Settings,
  home: string,
): Promise<(log: Pick<Log, 'cursor' | 'append'>) => Embedding> {
  const { embedder } = settings;
  let open = (): Model => {
    throw new TypeError('The built-in table is not a model.');
  };
  if (embedder === 'minilm' || embedder === 'remote') {
    const { openModel } = await import('./open-model.ts');
    open = () => openModel(settings, home, process.env);
  }
  return (log) => new Embedding(embedder, open, log);
}
