// Hostile hook payloads and reports of sessions, posted to a served home, with valid ones before and after them.
import { join } from 'node:path';
import type { SessionReport } from '../../../src/api.ts';
import { serveHttp } from '../../../src/http/serve-http.ts';
import { type Annals, type LogEvent, openAnnals } from '../../../src/index.ts';
import { asked, waiting } from '../../helpers/spool.ts';
import { type Found, isTooDeep, type MakeCase } from './found.ts';
import { HONEST } from './hooks.ts';
import { type Chance, type Fields, hostileBytes, pick } from './hostile-json.ts';

const TOKEN = 'full-token-full-token-full-token-full-token';
const CAPTURE_TOKEN = 'capture-token-capture-token-capture-token';
const INPUTS_MAX = 64;
const AT_ONCE = 16;

const REPORTS: readonly (readonly [path: string, kind: SessionReport['kind'], body: Fields])[] = [
  [
    'prompt',
    'prompt',
    { session: 's-1', cwd: '/home/u/pond', text: 'Widen the chute', at: 1_770_000_000_000 },
  ],
  ['prompt', 'prompt', { session: 's-2', agent: 'other', text: '<private>hidden</private>' }],
  [
    'observation',
    'tool',
    { session: 's-1', tool: 'Bash', id: 'u-1', input: { command: 'ls' }, result: 'a', durationMs: 3 },
  ],
  ['observation', 'tool', { session: 's-3', tool: 'Edit', input: [1, 2], outcome: 'failed', error: 'no' }],
  ['end', 'end', { session: 's-1', reason: 'exit', answer: 'Done.' }],
];

interface Posted {
  readonly hooks: { taken: number; refused: number };
  /** Reports that were acknowledged as recorded, by kind. */
  readonly recorded: Record<SessionReport['kind'], number>;
  reports: number;
}

const NO_INTAKE = { folders: [], problems: [] };

export const httpCase: MakeCase = async (luck, folder) => {
  const home = join(folder, 'home');
  const annals = await openAnnals({ home });
  const drained = { appended: 0, counted: 0 };
  const errors: unknown[] = [];
  const server = await serveHttp({
    annals: { ...annals, drain: () => drain(annals, drained) },
    control: { status: () => ({}), intake: () => NO_INTAKE, logs: () => [], stop() {}, restart() {} },
    ...{ token: TOKEN, captureToken: CAPTURE_TOKEN, version: '0', port: 0 },
    installation: {
      program: { node: process.execPath, cli: '/nowhere/cli.cjs' },
      machine: { environment: {}, userHome: folder, windows: false },
    },
    onError: (error) => errors.push(error),
  });
  const wrong: string[] = [];
  const posted: Posted = {
    hooks: { taken: 0, refused: 0 },
    recorded: { prompt: 0, tool: 0, end: 0 },
    reports: 0,
  };
  const post = async (path: string, body: string | Buffer): Promise<{ status: number; json: unknown }> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CAPTURE_TOKEN}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return { status: response.status, json: await response.json() };
  };
  const honest = async (session: string) => {
    const hook = await post(
      '/hooks/claude-code',
      JSON.stringify(asked('A question', { session_id: session })),
    );
    const report = await post('/api/session/prompt', JSON.stringify({ session, text: 'A question' }));
    if (hook.status !== 200 || report.status !== 200) wrong.push('a valid input was refused');
  };
  try {
    await honest('honest-1');
    let left = 1 + luck.below(INPUTS_MAX);
    const next = (): Promise<readonly string[]> =>
      luck.below(2) === 0 ? postHook(luck, post, posted) : postReport(luck, post, posted);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) wrong.push(...(await next()));
      }),
    );
    await honest('honest-2');
    await server.close();
    await drain(annals, drained);
    const events: LogEvent[] = [];
    for await (const event of annals.log()) events.push(event);
    wrong.push(...checked(events, posted));
    const files = posted.hooks.taken + 2;
    const known = drained.appended + drained.counted + waiting(home).length;
    if (known !== files) wrong.push(`of ${files} hooks ${known} are accounted for`);
    for (const error of errors) wrong.push(`a bug: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await server.close();
    await annals.close();
  }
  const taken = drained.appended + Object.values(posted.recorded).reduce((sum, count) => sum + count, 0) - 2;
  const parked = waiting(home, 'bad').length;
  return { fates: fatesOf(posted, { taken, parked }), wrong } satisfies Found;
};

async function drain(annals: Annals, drained: { appended: number; counted: number }) {
  const report = await annals.drain();
  const ignored = Object.values(report.ignored).reduce((sum, count) => sum + count, 0);
  drained.appended += report.appended;
  drained.counted += report.duplicates + report.private + report.bad + ignored;
  return report;
}

type Post = (path: string, body: string | Buffer) => Promise<{ status: number; json: unknown }>;

async function postHook(luck: Chance, post: Post, { hooks }: Posted): Promise<readonly string[]> {
  const { status, json } = await post('/hooks/claude-code', hostileBytes(pick(HONEST, luck)(), luck));
  if (status === 200) hooks.taken += 1;
  else hooks.refused += 1;
  if (status === 200 && JSON.stringify(json) === '{}') return [];
  return status === 413 ? [] : [`a hook was answered with ${status} ${JSON.stringify(json)}`];
}

async function postReport(luck: Chance, post: Post, posted: Posted): Promise<readonly string[]> {
  const [path, kind, body] = pick(REPORTS, luck);
  const { status, json } = await post(`/api/session/${path}`, hostileBytes(body, luck));
  posted.reports += 1;
  const { outcome, error } = json as { outcome?: string; error?: { code?: string; message?: string } };
  if (status === 200 && (outcome === 'recorded' || (kind === 'prompt' && outcome === 'private')))
    posted.recorded[kind] += 1;
  if (status === 200) return outcome === undefined ? ['a report has no outcome'] : [];
  const isSaid =
    [400, 413].includes(status) && typeof error?.code === 'string' && (error.message ?? '').length > 3;
  return isSaid ? [] : [`a report was answered with ${status} ${JSON.stringify(json)}`];
}

/** What was acknowledged is in the log, and nothing else is. */
function checked(events: readonly LogEvent[], { recorded }: Posted): readonly string[] {
  const wrong: string[] = [];
  const api = events.filter(({ channel }) => channel === 'api');
  const count = (type: string) => api.filter((event) => event.type === type).length;
  // Two of the prompts are the valid ones.
  const stored = {
    prompt: count('prompt.submitted') - 2,
    tool: count('tool.used'),
    end: count('session.ended'),
  };
  for (const kind of ['prompt', 'tool', 'end'] as const)
    if (stored[kind] !== recorded[kind])
      wrong.push(`of ${recorded[kind]} acknowledged reports (${kind}) ${stored[kind]} are in the log`);
  const honest = events.filter(({ session }) => session?.startsWith('honest-'));
  if (honest.length !== 4) wrong.push(`${4 - honest.length} valid inputs are not in the log`);
  if (events.some((event) => isTooDeep(event))) wrong.push('a body is too deep');
  return wrong;
}

function fatesOf(
  { hooks, reports, recorded }: Posted,
  { taken, parked }: { readonly taken: number; readonly parked: number },
): Found['fates'] {
  const refused = hooks.refused + reports - Object.values(recorded).reduce((sum, count) => sum + count, 0);
  return {
    taken,
    parked,
    refused,
    'left alone': Math.max(0, hooks.taken + reports + hooks.refused - taken - parked - refused),
  };
}
