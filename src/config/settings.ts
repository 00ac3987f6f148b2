// Every setting, with its default and its meaning. They stand in `config.json` in the home; what is missing has
// its default, what cannot be understood is left at its default and said in `degraded`: a typing error in a
// settings file must never cost a memory.
import * as z from 'zod';
import { exclusionPatterns } from '../capture/exclude.ts';
import { jsonOf } from './json-with-comments.ts';

export const SETTINGS = z.object({
  exclude: z
    .array(z.string())
    .default([])
    .describe(
      'Folders whose sessions are never kept, as globs: "~/clients/**". A pattern without a slash means a folder of that name.',
    ),
  indexMemory: z
    .number()
    .int()
    .min(1)
    .default(256)
    .describe(
      'MiB that loaded search indexes may take together; beyond it, projects that were not searched for longest are let go. 100,000 records take about 65.',
    ),
});

/** Variables of the environment that win over the file, and how each is read. */
export const SETTING_VARIABLES: {
  readonly [Name in keyof Settings]?: {
    readonly variable: string;
    readonly read: (text: string) => Settings[Name];
  };
} = { exclude: { variable: 'ANNALS_EXCLUDE', read: exclusionPatterns } };

export type Settings = z.output<typeof SETTINGS>;

export interface ReadSettings {
  readonly settings: Settings;
  /** What was not understood, one sentence each. */
  readonly degraded: readonly string[];
}

/**
 * Settings from the text of `config.json` (null when there is no such file) and the environment, which wins:
 * ANNALS_EXCLUDE holds patterns with commas between them. Never throws.
 */
export function parseSettings(
  text: string | null,
  environment: Readonly<Record<string, string | undefined>> = {},
): ReadSettings {
  const { settings, degraded } = parseFile(text);
  const exclude = environment.ANNALS_EXCLUDE;
  if (exclude === undefined) return { settings, degraded };
  return { settings: { ...settings, exclude: exclusionPatterns(exclude) }, degraded };
}

function parseFile(text: string | null): ReadSettings {
  const defaults = SETTINGS.parse({});
  if (text === null || text.trim() === '') return { settings: defaults, degraded: [] };
  let value: unknown;
  try {
    value = jsonOf(text);
  } catch {
    return { settings: defaults, degraded: ['config.json is no JSON; every setting has its default.'] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { settings: defaults, degraded: ['config.json holds no object; every setting has its default.'] };
  }
  const settings: Record<string, unknown> = { ...defaults };
  const degraded: string[] = [];
  for (const [name, given] of Object.entries(value)) {
    const schema = (SETTINGS.shape as Record<string, z.ZodType>)[name];
    if (schema === undefined) {
      degraded.push(`config.json has a setting that is not known: ${JSON.stringify(name.slice(0, 60))}.`);
      continue;
    }
    const parsed = schema.safeParse(given);
    if (parsed.success) settings[name] = parsed.data;
    else degraded.push(`The setting ${name} in config.json has not the right form; it has its default.`);
  }
  return { settings: settings as Settings, degraded };
}
