// Opens the model that the settings name. Loaded only if they name one: most homes use the built-in table.

import type { Settings } from '../../config/settings.ts';
import { wait } from '../../platform/clock.ts';
import { incomplete } from './embedding.ts';
import { openMiniLm } from './minilm.ts';
import type { Model } from './model.ts';
import { packageFolders } from './packages.ts';
import { openRemote } from './remote-embedder.ts';

/** @throws AnnalsError EMBEDDER_MISSING with what to do */
export function openModel(
  settings: Settings,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): Model {
  if (settings.embedder === 'minilm')
    return openMiniLm({ folders: packageFolders(home), modelPath: settings['embedder.modelPath'] });
  const { 'embedder.url': url, 'embedder.model': model, 'embedder.keyVariable': keyVariable } = settings;
  if (url === null)
    throw incomplete(
      'A remote embedder needs an address.',
      'For example: annals config set embedder.url http://localhost:11434/v1',
    );
  if (model === null)
    throw incomplete(
      'A remote embedder needs the name of a model.',
      'For example: annals config set embedder.model nomic-embed-text',
    );
  return openRemote({
    url,
    model,
    keyVariable,
    key: () => (keyVariable === null ? null : environment[keyVariable]?.trim() || null),
    inputTypes: settings['embedder.inputTypes'],
    wait,
  });
}
