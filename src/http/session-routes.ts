// Routes for a program that reports its own session: the brief at the start, then prompts, tool uses and the end. And
// payloads of hooks, as an agent sends them.
import * as z from 'zod';
import { AGENTS, agentNamed } from '../agents/index.ts';
import type { ListedSummary, ReportOutcome, SessionReport } from '../api.ts';
import { answerToStart, startedSession } from '../brief/start-answer.ts';
import { HttpError } from './http-error.ts';
import { contextQuery, NAMES_PROJECT, namesProject } from './reading-routes.ts';
import { defineRoute, type Exchange, type Route, type Services } from './route.ts';
import { listedItems } from './schemas/lists.ts';
import { contextAnswer } from './schemas/reading.ts';

const WAIT_MAX_S = 110;

const reporter = {
  agent: z.string().min(1).max(40).default('api').describe('Lower-case letters, digits and hyphens.'),
  session: z.string().min(1).max(500),
  cwd: z.string().min(1).max(4_096).exactOptional(),
  at: z.number().int().exactOptional().describe('Unix ms; default now.'),
};
const outcome = z.enum(['recorded', 'duplicate', 'private', 'excluded', 'forgotten']);
const EXAMPLE = { session: 'example-1', cwd: '/home/u/feeder' };

const start = defineRoute({
  method: 'get',
  path: '/api/session/start',
  summary: 'The brief for a session that starts, for the agent and for the person.',
  query: z.strictObject(contextQuery).refine(namesProject, NAMES_PROJECT),
  example: { query: { cwd: '/home/u/feeder', kind: 'startup' } },
  answer: contextAnswer,
  failures: [404],
  run: ({ query }, { annals }) => annals.context({ ...query, isStarting: true, form: 'both', color: false }),
});

const prompt = defineRoute({
  method: 'post',
  path: '/api/session/prompt',
  summary: 'Records a prompt. `prompt` of the answer names it in the reports of its turn.',
  access: 'capture',
  body: z.strictObject({ ...reporter, text: z.string() }),
  example: { body: { ...EXAMPLE, text: 'Widen the chute' } },
  answer: z.object({ outcome, prompt: z.string().nullable() }),
  run: ({ body }, { annals }) => annals.report({ kind: 'prompt', ...body }),
});

const observation = defineRoute({
  method: 'post',
  path: '/api/session/observation',
  summary: 'Records a tool use.',
  access: 'capture',
  body: z.strictObject({
    ...reporter,
    prompt: z.string().max(100).exactOptional().describe('Needed in a session with private prompts.'),
    id: z
      .string()
      .min(1)
      .max(200)
      .exactOptional()
      .describe('A second report with the same id is a duplicate.'),
    tool: z.string().min(1).max(200),
    input: z.json().exactOptional(),
    result: z.string().exactOptional(),
    outcome: z.enum(['ok', 'failed', 'cancelled']).exactOptional(),
    error: z.string().exactOptional(),
    durationMs: z.number().int().min(0).exactOptional(),
  }),
  example: {
    body: {
      ...EXAMPLE,
      tool: 'Edit',
      input: { file_path: '/home/u/feeder/chute.ts' },
      result: 'The file was updated.',
    },
  },
  answer: z.object({ outcome }),
  async run({ body: { tool, ...report } }, { annals }) {
    return { outcome: (await annals.report({ kind: 'tool', name: tool, ...report } as never)).outcome };
  },
});

const end = defineRoute({
  method: 'post',
  path: '/api/session/end',
  summary:
    'Records the end of a session. With `wait`, answers when the last turn has its summary, or when the time is over.',
  access: 'capture',
  query: z.strictObject({
    wait: z
      .union([z.enum(['true', 'false']), z.string().regex(/^\d{1,3}$/)])
      .default('false')
      .describe(`Seconds, at most ${WAIT_MAX_S}; true: ${WAIT_MAX_S}.`),
  }),
  body: z.strictObject({
    ...reporter,
    prompt: z.string().max(100).exactOptional(),
    reason: z.string().max(200).exactOptional(),
    answer: z.string().exactOptional().describe('The final answer of the agent.'),
  }),
  example: { query: { wait: 'true' }, body: { ...EXAMPLE, answer: 'I widened the chute to 9 cm.' } },
  answer: z.object({
    outcome,
    summary: listedItems.summary
      .nullable()
      .describe('null: none yet, not asked for, or the token may not read.'),
  }),
  async run({ query: { wait }, body }, { annals }, exchange) {
    const { outcome } = await annals.report({ kind: 'end', ...body });
    const seconds = wait === 'true' ? WAIT_MAX_S : wait === 'false' ? 0 : Math.min(Number(wait), WAIT_MAX_S);
    const summary =
      seconds === 0 || exchange.access !== 'full'
        ? null
        : await summaryWithin(seconds * 1_000, body, { annals, outcome }, exchange);
    return { outcome, summary } as never;
  },
});

type ReportedSession = Pick<SessionReport, 'agent' | 'session'>;

interface Awaited {
  readonly annals: Services['annals'];
  readonly outcome: ReportOutcome['outcome'];
}

/** The summary of the session's last turn, once that turn has one; null when the time is over or the client is gone. */
async function summaryWithin(
  ms: number,
  { agent, session }: ReportedSession,
  { annals, outcome }: Awaited,
  { signal }: Exchange,
): Promise<ListedSummary | null> {
  if (outcome === 'excluded') return null;
  let wake = () => {};
  let isOver = signal.aborted;
  const over = () => {
    isOver = true;
    wake();
  };
  const newest = async <K extends 'summary' | 'turn'>(kind: K) =>
    (await annals.list(kind, { agent, session, limit: 1 }).catch(() => null))?.items[0];
  let changes = 0;
  const unsubscribe = annals.onChange(() => {
    changes += 1;
    wake();
  });
  const timer = setTimeout(over, ms);
  signal.addEventListener('abort', over, { once: true });
  try {
    for (;;) {
      const seen = changes;
      const summary = await newest('summary');
      const last = await newest('turn');
      if (last === undefined || last.private) return null;
      if (summary?.turn === last.id) return summary;
      if (isOver) return null;
      if (seen === changes)
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (isOver) resolve();
        });
    }
  } finally {
    clearTimeout(timer);
    unsubscribe();
    signal.removeEventListener('abort', over);
  }
}

const HOOK_AGENTS = AGENTS.filter(({ hooks }) => hooks !== null).map(({ name }) => name);

const hook = defineRoute({
  method: 'post',
  path: '/hooks/{agent}',
  summary:
    'Takes the payload of a hook as the agent sends it, and answers as the agent expects: an object, empty unless a session starts and the token may read.',
  access: 'capture',
  params: z.object({ agent: z.string() }),
  raw: true,
  body: z.unknown(),
  example: {
    params: { agent: 'claude-code' },
    body: {
      session_id: 'example-2',
      transcript_path: '/home/u/.claude/projects/-home-u-feeder/example-2.jsonl',
      cwd: '/home/u/feeder',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Widen the chute',
    },
  },
  answer: z.object({
    hookSpecificOutput: z
      .object({ hookEventName: z.literal('SessionStart'), additionalContext: z.string() })
      .exactOptional(),
    systemMessage: z.string().exactOptional(),
    additionalContext: z.string().exactOptional().describe('The form of Copilot CLI.'),
    additional_context: z.string().exactOptional().describe('The form of Cursor.'),
  }),
  failures: [404, 413],
  async run({ params: { agent }, body }, { annals, hooks }, { access }) {
    if (!HOOK_AGENTS.includes(agent))
      throw new HttpError(404, 'NOT_FOUND', 'No agent with hooks has this name.', {
        hint: `One of: ${HOOK_AGENTS.join(', ')}.`,
      });
    const payload = body as Buffer;
    hooks.take(agent, payload);
    return access === 'full' ? answerOf(agent, payload, annals) : {};
  },
});

/** As the agent's hook prints it: the brief when a session starts, else nothing. */
async function answerOf(name: string, payload: Buffer, annals: Services['annals']): Promise<object> {
  const hooks = agentNamed(name)!.hooks!;
  const start = startedSession(hooks, payload.toString('utf8'));
  if (start === null) return {};
  const { output, injection } = await answerToStart({ name, hooks }, start, annals);
  // What cannot be recorded must not keep the session from its context.
  if (injection !== null) await annals.recordInjection(injection).catch(() => undefined);
  return output === '' ? {} : (JSON.parse(output) as object);
}

export const sessionRoutes: readonly Route[] = [start, prompt, observation, end, hook];
