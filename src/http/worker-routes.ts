// Routes of the worker itself: health, status, settings, log, stream, stop and restart.
import * as z from 'zod';
import { redactText } from '../capture/redact/index.ts';
import { type Edit, editSettings, NONE, withEdits } from '../config/edit-settings.ts';
import { readConfig, SETTING_NAMES, type SettingName, settingValues } from '../config/setting-values.ts';
import { parseSettings, SETTINGS } from '../config/settings.ts';
import { checkEmbedder } from '../embed/embedders/embedder-needs.ts';
import { homePaths } from '../platform/home-paths.ts';
import { HttpError } from './http-error.ts';
import { defineRoute, type Route, type Services } from './route.ts';
import { setting, statusAnswer } from './schemas/acting.ts';

const LINES_MAX = 5_000;
const STREAM_LAST_MAX = 1_000;

const health = defineRoute({
  method: 'get',
  path: '/api/health',
  summary: 'Whether a worker answers here.',
  access: 'open',
  answer: z.object({ ok: z.literal(true), product: z.literal('annals'), version: z.string() }),
  run: async (_, { version }) => ({ ok: true, product: 'annals', version }) as const,
});

const status = defineRoute({
  method: 'get',
  path: '/api/status',
  summary: 'The state of the home, of the worker, and what waits.',
  answer: statusAnswer,
  async run(_, { annals, control, streams }) {
    const state = await annals.status({ soFar: true });
    return {
      ...state,
      queues: {
        spool: state.spool.new,
        projection: Math.max(0, ...state.views.map(({ lag }) => lag)),
      },
      streams: streams.open,
      process: await control.status(),
    } as never;
  },
});

const settingsAnswer = z.object({ settings: z.array(setting), degraded: z.array(z.string()) });

const readSettings = defineRoute({
  method: 'get',
  path: '/api/settings',
  summary: 'Every setting with its value, its source and what it does. Secrets are masked.',
  answer: settingsAnswer,
  run: (_, services) => shownSettings(services),
});

/** What a person may set it to. */
function wantedValue(schema: z.ZodType) {
  const takes = (value: unknown) => schema.safeParse(value).success;
  return takes(null) && !takes(NONE) ? schema.nullable().or(z.literal(NONE)) : schema.nullable();
}

const writeSettings = defineRoute({
  method: 'put',
  path: '/api/settings',
  summary:
    'Changes settings; null restores a default, "none" removes a limit. All are checked before any is written. The worker applies them within moments.',
  body: z.strictObject(
    Object.fromEntries(
      SETTING_NAMES.map((name) => [name, wantedValue(SETTINGS.shape[name].unwrap()).exactOptional()]),
    ),
  ),
  example: { body: { exclude: ['~/private/**'] } },
  answer: z.object({ ...settingsAnswer.shape, changed: z.array(z.string()), notes: z.array(z.string()) }),
  failures: [409, 503],
  async run({ body }, services) {
    const { annals, environment } = services;
    const path = homePaths(annals.home).config;
    const edits = Object.entries(body).map(
      ([name, value]): Edit => [name as SettingName, () => value ?? undefined],
    );
    const notes = await embedderNotes(edits, path, services);
    const changed = await editSettings(path, edits);
    return {
      ...(await shownSettings({ annals, environment })),
      changed: [...changed],
      notes: [...notes],
    };
  },
});

/** @throws AnnalsError EMBEDDER_MISSING; nothing has been changed then */
async function embedderNotes(
  edits: readonly Edit[],
  path: string,
  { annals, environment }: Services,
): Promise<readonly string[]> {
  if (!edits.some(([name]) => name === 'embedder' || name === 'embedder.url')) return [];
  const { text } = withEdits((await readConfig(path)) ?? '', edits, path);
  return checkEmbedder(parseSettings(text, environment).settings, annals.home, environment);
}

async function shownSettings({ annals, environment }: Pick<Services, 'annals' | 'environment'>) {
  const { settings, degraded } = settingValues(await readConfig(homePaths(annals.home).config), environment);
  return {
    settings: settings.map((one) => ({ ...one, value: masked(one.value) })),
    degraded: degraded.map((sentence) => redactText(sentence)),
  };
}

/** No setting should hold a secret; one that was put there by mistake is not shown. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  return Array.isArray(value) ? value.map(masked) : value;
}

const logs = defineRoute({
  method: 'get',
  path: '/api/logs',
  summary: 'The last lines of the log of the worker.',
  query: z.strictObject({ lines: z.coerce.number().int().min(1).max(LINES_MAX).default(200) }),
  example: { query: { lines: '10' } },
  answer: z.object({ lines: z.array(z.string()) }),
  run: async ({ query }, { control }) => ({ lines: [...(await control.logs(query))] }),
});

const position = z.coerce.number().int().min(0);

const stream = defineRoute({
  method: 'get',
  path: '/api/stream',
  summary:
    'What happens, as server-sent events: captured, projected, summarised, progress. `Last-Event-ID`, or `after`, is the position after which it goes on; without them it begins now.',
  query: z.strictObject({
    after: position.exactOptional(),
    last: z.coerce
      .number()
      .int()
      .min(0)
      .max(STREAM_LAST_MAX)
      .default(0)
      .describe('Without a position: begins with so many of the last events.'),
  }),
  example: { query: { after: '0' } },
  streams: 'text/event-stream',
  answer: z.string(),
  failures: [503],
  run({ query }, { streams }, { request, signal }) {
    const given = request.headers['last-event-id'];
    const last = given === undefined ? query.after : position.safeParse(given).data;
    if (given !== undefined && last === undefined)
      throw new HttpError(400, 'USAGE', 'Last-Event-ID is not a position.', {
        hint: 'Send the last id of the stream.',
      });
    return streams.start(last ?? null, query.last, signal) as never;
  },
});

const stop = defineRoute({
  method: 'post',
  path: '/api/stop',
  summary: 'Ends the worker. Capture goes on without it.',
  status: 202,
  answer: z.object({ stopping: z.literal(true) }),
  async run(_, { control }, { afterAnswer }) {
    afterAnswer(() => control.stop());
    return { stopping: true } as const;
  },
});

const restart = defineRoute({
  method: 'post',
  path: '/api/restart',
  summary: 'Ends the worker and starts another one.',
  status: 202,
  answer: z.object({ restarting: z.literal(true) }),
  async run(_, { control }, { afterAnswer }) {
    afterAnswer(() => control.restart());
    return { restarting: true } as const;
  },
});

export const workerRoutes: readonly Route[] = [
  health,
  status,
  readSettings,
  writeSettings,
  logs,
  stream,
  stop,
  restart,
];
