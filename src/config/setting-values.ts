// Every setting's current value and its source: the environment, the file, or the default. For showing and changing
// settings.
import { AnnalsError } from '../../log/index.ts';
import { readConfigFile } from './read-settings.ts';
import { parseSettings, SETTING_VARIABLES, SETTINGS, type Settings, settingsOf } from './settings.ts';

export type SettingName = keyof Settings;
export type SettingSource = 'default' | 'file' | 'environment';

export interface SettingValue {
  readonly name: SettingName;
  readonly value: Settings[SettingName];
  readonly source: SettingSource;
  readonly default: Settings[SettingName];
  /** The environment variable that overrides the file; null when there is none. */
  readonly variable: string | null;
  /** What the setting does. */
  readonly about: string;
}

export const SETTING_NAMES = Object.keys(SETTINGS.shape) as SettingName[];

/**
 * Text of the settings file; null when there is none.
 * @throws AnnalsError INPUT_UNREADABLE
 */
export async function readConfig(path: string): Promise<string | null> {
  const file = readConfigFile(path);
  if ('text' in file) return file.text;
  throw new AnnalsError('INPUT_UNREADABLE', `The settings file ${path} ${file.why}.`, {
    hint: 'Nothing is recorded until it is fixed.',
    facts: { path, system: file.code },
  });
}

/** Every setting, in the order of declaration, and what in the file was not understood. */
export function settingValues(
  text: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: readonly SettingValue[]; readonly degraded: readonly string[] } {
  const defaults = parseSettings(null).settings;
  const inFile = parseSettings(text).settings;
  const { settings, degraded } = parseSettings(text, environment);
  const inEnvironment = settingsOf(environment);
  const values = SETTING_NAMES.map((name) => {
    const source: SettingSource = Object.hasOwn(inEnvironment, name)
      ? 'environment'
      : JSON.stringify(inFile[name]) === JSON.stringify(defaults[name])
        ? 'default'
        : 'file';
    const variable = SETTING_VARIABLES[name] ?? null;
    const about = SETTINGS.shape[name].description ?? '';
    return { name, value: settings[name], source, default: defaults[name], variable, about };
  });
  return { settings: values, degraded };
}
