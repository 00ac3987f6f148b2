// Every setting, with its default and meaning, in `config.json` in the home. A missing setting has its default. An
// invalid value is replaced by its default and reported in `degraded`. If excluded folders may be lost with it, nothing
// is recorded until the file is fixed, and `pausedBecause` says why.
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { isRecord } from '../../log/index.ts';
import { exclusionPatterns, isUnderstood } from '../capture/workdirs/exclude.ts';
import { jsonOf } from './json-with-comments.ts';
import { workerSetting } from './worker-setting.ts';

/** Matches only names. A key itself must never be written to the file. */
export const VARIABLE_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

export const EMBEDDERS = ['static', 'minilm', 'remote', 'none'] as const;

export const PROVIDERS = ['auto', 'anthropic', 'openai', 'claude-command', 'none'] as const;

export const AUTO = ['off', 'on', 'cheap'] as const;

const address = z
  .string()
  .refine(isServiceAddress, 'It takes an http or https address without user, password, query or fragment.')
  .nullable()
  .default(null);
const modelName = z.string().min(1).max(200).nullable().default(null);
const keyVariable = z
  .string()
  .regex(VARIABLE_NAME, 'It takes the name of a variable, in capitals; never the key itself.')
  .nullable()
  .default(null);
const dollars = z.number().min(0).nullable();
const off = z.boolean().default(false);

export const SETTINGS = z.object({
  exclude: z
    .array(
      z
        .string()
        .regex(/\S/, 'A pattern must not be empty.')
        .refine(
          isUnderstood,
          'A pattern must not begin with !, $name, %name% or ~name, hold [ { | or !( , or go through . or .. : write one for each folder, in full, with ? in place of such a character.',
        ),
    )
    .default([])
    .describe(
      'Folders whose sessions are never kept, with all that is in them: "~/clients/**". * and ? stay within one name, ** goes to any depth. A pattern that does not begin with / or ~ means folders of that name anywhere.',
    ),
  embedder: z
    .enum(EMBEDDERS)
    .default('static')
    .describe(
      'What makes vectors of texts: static (a table that ships with Annals), minilm (a model in a package that you install), remote (a service, to which the texts are sent) or none (words only). See docs/embedders.md.',
    ),
  'embedder.url': address.describe(
    'Of a remote embedder: its address up to /v1, like http://localhost:11434/v1.',
  ),
  'embedder.model': modelName.describe('Of a remote embedder: the name of its model, like nomic-embed-text.'),
  'embedder.keyVariable': keyVariable.describe(
    'Of a remote embedder: the name of the environment variable that holds its key, like OPENAI_API_KEY. The key itself is never stored.',
  ),
  'embedder.inputTypes': off.describe(
    'Of a remote embedder: whether requests say which texts are documents and which are queries (input_type, as Voyage takes it).',
  ),
  'embedder.modelPath': z
    .string()
    .refine(isAbsolute, 'It takes the whole path of a folder.')
    .nullable()
    .default(null)
    .describe(
      'Of minilm with transformers.js: the folder of the model, by its whole path, with config.json, tokenizer.json and onnx/.',
    ),
  indexMemory: z
    .number()
    .int()
    .min(1)
    .default(256)
    .describe(
      'MiB that loaded search indexes may take together; beyond it, the projects not searched for the longest time are unloaded. 100,000 records take about 65.',
    ),
  indexGraphFrom: z
    .number()
    .int()
    .min(1)
    .default(200_000)
    .describe(
      'From this many vectors in a project on, a graph finds the nearest ones, if hnswlib-node is installed; otherwise every vector is compared.',
    ),
  'observer.provider': z
    .enum(PROVIDERS)
    .default('auto')
    .describe(
      "Which service has a model write observations: anthropic, openai (any service with OpenAI's chat API), claude-command (your own claude command, for those with a subscription), none (rules write them), or auto: anthropic if its key is in the environment, else none. See docs/observer-models.md.",
    ),
  'observer.auto': z
    .enum(AUTO)
    .default('off')
    .describe(
      'Whether the worker has the model asked about each turn when it has ended: off (only `annals observe` asks), on, or cheap (turns of a quarter of an hour in one batch at half price, answered within a day; a service without batches is asked as with on). Turns that are older than three days are left to `annals observe`.',
    ),
  'observer.model': modelName.describe(
    'The name of its model. Default: claude-haiku-5-5; with openai it must be named.',
  ),
  'observer.mode': z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'It takes the name of a mode, as `annals mode list` shows it.')
    .default('code')
    .describe(
      'What is worth remembering: code, or the name of a file in the folder modes of the home. See docs/modes.md.',
    ),
  'observer.url': address.describe(
    'Its address. Of anthropic: without /v1, for a gateway. Of openai: up to /v1, like http://localhost:11434/v1; default: OpenRouter.',
  ),
  'observer.keyVariable': keyVariable.describe(
    'The name of the environment variable that holds its key. Default: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN; with openai none, but OPENROUTER_API_KEY for OpenRouter. The key itself is never stored.',
  ),
  'observer.command': z
    .string()
    .min(1)
    .max(1_000)
    .default('claude')
    .describe('Of claude-command: the path of the command, or a name that the PATH finds.'),
  'observer.inputPrice': dollars
    .default(null)
    .describe(
      'Dollars per million tokens that the model reads, with observer.outputPrice. Needed for a budget in dollars if Annals does not know the price of the model; 0 for one on this machine.',
    ),
  'observer.outputPrice': dollars.default(null).describe('Dollars per million tokens that the model writes.'),
  'observer.usdPerDay': dollars
    .default(0.25)
    .describe(
      'Dollars that the model may cost in 24 hours; none: no limit. About 300 turns of claude-haiku-5-5, counted with their worst case until the answer comes.',
    ),
  'observer.usdPerSession': dollars
    .default(null)
    .describe('Dollars that the model may cost for one session.'),
  'observer.usdPerCall': dollars
    .default(0.05)
    .describe(
      'Dollars that one request may cost at most; none: no limit. A long turn may cost a cent with claude-haiku-5-5, and twenty with claude-sonnet-5-5.',
    ),
  'observer.tokensPerDay': z
    .number()
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Tokens that requests and answers may have in 24 hours, for a model without a price.'),
  worker: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether `annals up` and the start of a session start the worker, the process that records in the background: on or off. `annals worker start` always does.',
    ),
  'worker.idleMinutes': z
    .number()
    .min(0)
    .max(35_000)
    .default(30)
    .describe('The worker ends after this many minutes in which nothing happened; 0: never.'),
  'http.port': z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .nullable()
    .default(37_780)
    .describe(
      "Port of the worker's HTTP API on 127.0.0.1; when it is taken, the next free one, as `annals worker status` shows. none: no HTTP API.",
    ),
  'recall.prompt': off.describe(
    'Whether a prompt is answered with what earlier sessions know about it, if that is clear: at most three items, some 180 tokens (never more than 400). Needs a worker and curl.',
  ),
  'recall.error': off.describe(
    'Whether a failed command is answered with how the same error was fixed before, if the log proves it. Needs a worker and curl.',
  ),
  'recall.edit': off.describe(
    'Whether a file that is read or changed for the first time in a session is answered with what earlier sessions know of it, if it did not change since. Needs a worker and curl.',
  ),
});

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** Environment variables that override the file. */
export const SETTING_VARIABLES: { readonly [Name in keyof Settings]?: string } = {
  exclude: 'ANNALS_EXCLUDE',
  worker: 'ANNALS_WORKER',
};

export type Settings = z.output<typeof SETTINGS>;

export interface ReadSettings {
  readonly settings: Settings;
  /** What was not understood, one sentence each. */
  readonly degraded: readonly string[];
  /**
   * Why nothing may be recorded, as a sentence without its full stop. Null when everything important was understood.
   */
  readonly pausedBecause: string | null;
}

/**
 * Settings from the text of `config.json` (null when there is no such file) and the environment, which overrides it:
 * ANNALS_EXCLUDE holds patterns separated by commas, ANNALS_WORKER is on or off. Never throws.
 */
export function parseSettings(
  text: string | null,
  environment: Readonly<Record<string, string | undefined>> = {},
): ReadSettings {
  const read = parseFile(text);
  const settings = { ...read.settings, ...settingsOf(environment) };
  return settings.exclude.every(isUnderstood)
    ? { ...read, settings }
    : paused('ANNALS_EXCLUDE has a pattern that is not understood', settings, read.degraded);
}

/** Those that the environment sets. An empty variable sets none. */
export function settingsOf(environment: Readonly<Record<string, string | undefined>>): Partial<Settings> {
  const exclude = exclusionPatterns(environment.ANNALS_EXCLUDE ?? '');
  return { ...(exclude.length === 0 ? {} : { exclude }), ...workerSetting(environment) };
}

/** The defaults, but nothing may be recorded. `why` completes the sentence "config.json …". */
export function unreadableSettings(why: string): ReadSettings {
  return paused(`config.json ${why}`, SETTINGS.parse({}));
}

/** Begins the sentence that says so. */
export const PAUSED = 'Nothing is recorded until the settings are fixed';

function paused(because: string, settings: Settings, degraded: readonly string[] = []): ReadSettings {
  const sentence = `${PAUSED}: ${because}. Hook files wait in the spool.`;
  return { settings, degraded: [sentence, ...degraded], pausedBecause: because };
}

/** More reasons do not help. */
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
  const lost: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(SETTINGS.shape, name)) {
      // It may be a misspelled "exclude".
      lost.push(`has an unknown setting: ${JSON.stringify(name.slice(0, 60))}`);
      continue;
    }
    const parsed = SETTINGS.shape[name as keyof Settings].safeParse(value);
    if (parsed.success) settings[name] = parsed.data;
    else if (name === 'exclude') lost.push(`has an "exclude" ${exclusionProblem(parsed.error)}`);
    else degraded.push(`The setting ${name} in config.json has the wrong form; the default is used.`);
  }
  const known = settings as Settings;
  return lost.length === 0
    ? { settings: known, degraded, pausedBecause: null }
    : paused(`config.json ${lost.slice(0, PROBLEMS_SHOWN).join(', and ')}`, known, degraded);
}

/** By its place: a pattern may name what must not be told. */
function exclusionProblem({ issues }: z.ZodError): string {
  const [at] = issues[0]?.path ?? [];
  return typeof at === 'number'
    ? `whose pattern ${at + 1} is not understood`
    : 'that is not a list of patterns';
}

/** @throws Error whose message completes the sentence "config.json …" */
function settingsIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = jsonOf(text);
  } catch (error) {
    throw new Error(`cannot be read (${(error as Error).message})`);
  }
  if (isRecord(value)) return value;
  throw new Error('does not hold an object');
}
