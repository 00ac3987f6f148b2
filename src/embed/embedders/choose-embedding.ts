// From the settings to the embedding of an open home.
import type { Log } from '../../../log/index.ts';
import type { Settings } from '../../config/settings.ts';
import { Embedding } from './embedding.ts';
import type { Model } from './model.ts';

/** The embedder of the settings. What a model needs is loaded only where they name one. */
export async function embeddingOf(settings: Settings, home: string): Promise<(log: Log) => Embedding> {
  const { embedder } = settings;
  let open = (): Model => {
    throw new TypeError('The table that ships is no model.');
  };
  if (embedder === 'minilm' || embedder === 'remote') {
    const { openModel } = await import('./open-model.ts');
    open = () => openModel(settings, home, process.env);
  }
  return (log) => new Embedding(embedder, open, log);
}
