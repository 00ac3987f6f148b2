// Reads the settings without loading the schema library when nothing is set: most homes have no config.json, and
// loading the library is most of a short command's time.
import { isLink, readRegularFile } from '../platform/regular-file.ts';
import type { ReadSettings, Settings } from './settings.ts';
import { workerSetting } from './worker-setting.ts';

/** Equals what `SETTINGS` of settings.ts gives for an empty file. */
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
  'observer.provider': 'auto',
  'observer.auto': 'off',
  'observer.model': null,
  'observer.mode': 'code',
  'observer.url': null,
  'observer.keyVariable': null,
  'observer.command': 'claude',
  'observer.inputPrice': null,
  'observer.outputPrice': null,
  'observer.usdPerDay': 0.25,
  'observer.usdPerSession': null,
  'observer.usdPerCall': 0.05,
  'observer.tokensPerDay': null,
  worker: 'on',
  'worker.idleMinutes': 30,
  'http.port': 37_780,
  'recall.prompt': false,
  'recall.error': false,
  'recall.edit': false,
};

/** Far above any settings file. */
const CONFIG_BYTES_MAX = 1024 * 1024;

/** Settings from the file at a path and the environment, as `parseSettings` of settings.ts. Never throws. */
export async function settingsAt(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadSettings> {
  const file = readConfigFile(path);
  if ('text' in file) return readSettings(file.text, environment);
  const { unreadableSettings } = await import('./settings.ts');
  return unreadableSettings(file.why);
}

/**
 * Null when there is no file. A broken link counts as a file that cannot be read, because a person made it for a
 * reason.
 */
export function readConfigFile(
  path: string,
): { readonly text: string | null } | { readonly why: string; readonly code: string } {
  const file = readRegularFile(path, { bytesMax: CONFIG_BYTES_MAX, followLinks: true });
  if ('why' in file) {
    if (file.code !== 'ENOENT') return file;
    return isLink(path) ? { code: file.code, why: 'is a broken link' } : { text: null };
  }
  const text = file.bytes.toString('utf8');
  return Buffer.from(text).equals(file.bytes) ? { text } : { code: 'EILSEQ', why: 'is not UTF-8' };
}

/** As `parseSettings` of settings.ts. Never throws. */
export async function readSettings(
  text: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadSettings> {
  if (text === null && environment.ANNALS_EXCLUDE === undefined) {
    const settings = { ...DEFAULTS, ...workerSetting(environment) };
    return { settings, degraded: [], pausedBecause: null };
  }
  const { parseSettings } = await import('./settings.ts');
  return parseSettings(text, environment);
}
