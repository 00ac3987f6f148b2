// Every setting, with its default and its meaning. They stand in `config.json` in the home; what is missing has its
// default. A value that cannot be understood is left at its default and said in `degraded`, unless folders that are
// to be left out may be lost with it: then nothing is kept until the file is mended, and `pausedBecause` says why.
import * as z from 'zod';
import { exclusionPatterns } from '../capture/workdirs/exclude.ts';
import { jsonOf } from './json-with-comments.ts';

/** What only a name may be: never the key itself, which would then stand in the file. */
export const VARIABLE_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

export const EMBEDDERS = ['static', 'minilm', 'remote', 'none'] as const;

export const SETTINGS = z.object({
  exclude: z
    .array(z.string().regex(/\S/, 'A pattern must not be empty.'))
    .default([])
    .describe(
      'Folders whose sessions are never kept, as globs: "~/clients/**". A pattern without a slash means a folder of that name.',
    ),
  embedder: z
    .enum(EMBEDDERS)
    .default('static')
    .describe(
      'What makes vectors of texts: static (a table that ships with Annals), minilm (a model in a package that you install), remote (a service, to which the texts are sent) or none (words alone). See docs/embedders.md.',
    ),
  'embedder.url': z
    .string()
    .refine(isServiceAddress, 'An http or https address without user, password, query or fragment.')
    .nullable()
    .default(null)
    .describe('Of a remote embedder: its address up to /v1, like http://localhost:11434/v1.'),
  'embedder.model': z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Of a remote embedder: the name of its model, like nomic-embed-text.'),
  'embedder.keyVariable': z
    .string()
    .regex(VARIABLE_NAME, 'The name of a variable, in capitals; never the key itself.')
    .nullable()
    .default(null)
    .describe(
      'Of a remote embedder: the name of the environment variable that holds its key, like OPENAI_API_KEY. The key itself is kept nowhere.',
    ),
  'embedder.inputTypes': z
    .boolean()
    .default(false)
    .describe(
      'Of a remote embedder: whether it is told which texts are documents and which are queries (input_type, as Voyage takes it).',
    ),
  'embedder.modelPath': z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Of minilm with transformers.js: the folder of the model, with config.json, tokenizer.json and onnx/.',
    ),
  indexMemory: z
    .number()
    .int()
    .min(1)
    .default(256)
    .describe(
      'MiB that loaded search indexes may take together; beyond it, projects that were not searched for longest are let go. 100,000 records take about 65.',
    ),
  indexGraphFrom: z
    .number()
    .int()
    .min(1)
    .default(200_000)
    .describe(
      'Vectors of one project from which on a graph finds the nearest, where hnswlib-node is installed; below it, and without it, every vector is looked at.',
    ),
});

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

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
  /** Why nothing may be kept; completes the sentence "config.json …". Null when all that matters was understood. */
  readonly pausedBecause: string | null;
}

/**
 * Settings from the text of `config.json` (null when there is no such file) and the environment, which wins:
 * ANNALS_EXCLUDE holds patterns with commas between them. Never throws.
 */
export function parseSettings(
  text: string | null,
  environment: Readonly<Record<string, string | undefined>> = {},
): ReadSettings {
  const read = parseFile(text);
  const exclude = exclusionPatterns(environment.ANNALS_EXCLUDE ?? '');
  if (exclude.length === 0) return read;
  return { ...read, settings: { ...read.settings, exclude } };
}

/** As if nobody had set anything, but nothing may be kept. `why` completes the sentence "config.json …". */
export function unreadableSettings(why: string): ReadSettings {
  return { settings: SETTINGS.parse({}), degraded: [pausedSentence(why)], pausedBecause: why };
}

export function pausedSentence(why: string): string {
  return `Nothing is kept until the settings are mended: config.json ${why}. What hooks leave waits.`;
}

/** More reasons say no more. */
const PROBLEMS_SHOWN = 3;

function parseFile(text: string | null): ReadSettings {
  if (text === null || text.trim() === '')
    return { settings: SETTINGS.parse({}), degraded: [], pausedBecause: null };
  let given: Readonly<Record<string, unknown>>;
  try {
    given = settingsIn(text);
  } catch (error) {
    return unreadableSettings((error as Error).message);
  }
  const settings: Record<string, unknown> = { ...SETTINGS.parse({}) };
  const degraded: string[] = [];
  const paused: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(SETTINGS.shape, name)) {
      // It may be "exclude" with a typing error.
      paused.push(`has a setting that is not known: ${JSON.stringify(name.slice(0, 60))}`);
      continue;
    }
    const parsed = SETTINGS.shape[name as keyof Settings].safeParse(value);
    if (parsed.success) settings[name] = parsed.data;
    else if (name === 'exclude') paused.push('has an "exclude" that is no list of patterns');
    else degraded.push(`The setting ${name} in config.json has not the right form; it has its default.`);
  }
  const pausedBecause = paused.length === 0 ? null : paused.slice(0, PROBLEMS_SHOWN).join(', and ');
  if (pausedBecause !== null) degraded.unshift(pausedSentence(pausedBecause));
  return { settings: settings as Settings, degraded, pausedBecause };
}

/** @throws Error whose message completes the sentence "config.json …" */
function settingsIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = jsonOf(text);
  } catch (error) {
    throw new Error(`cannot be read (${(error as Error).message})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new Error('holds no object');
}
