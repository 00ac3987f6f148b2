// The settings, without the schema library where nobody set anything: most homes have no config.json, and loading
// the library is most of a short command's time.
import type { ReadSettings, Settings } from './settings.ts';

/** What `SETTINGS` of settings.ts gives for an empty file. */
export const DEFAULTS: Settings = {
  exclude: [],
  embedder: 'static',
  'embedder.url': null,
  'embedder.model': null,
  'embedder.keyVariable': null,
  'embedder.inputTypes': false,
  'embedder.modelPath': null,
  indexMemory: 256,
  indexGraphFrom: 200_000,
};

/** As `parseSettings` of settings.ts. Never throws. */
export async function readSettings(
  text: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadSettings> {
  if (text === null && environment.ANNALS_EXCLUDE === undefined) return { settings: DEFAULTS, degraded: [] };
  const { parseSettings } = await import('./settings.ts');
  return parseSettings(text, environment);
}
