// Routes of the agents' settings: what is installed, and installing and uninstalling in two steps, as forgetting.
import * as z from 'zod';
import { claudeCode } from '../agents/claude-code/index.ts';
import { redactText } from '../capture/redact/index.ts';
import {
  afterInstall,
  agentsNamed,
  applyAll,
  type ChangeAct,
  diffOf,
  type FileChange,
  installing,
  planAll,
  uninstalling,
} from '../install/change-agents.ts';
import { hookStates } from '../install/hook-status.ts';
import { isChange, isServerTaken } from '../install/installation.ts';
import { defineRoute, type Route, type Services, type ShownAgentChange } from './route.ts';
import { agentsAnswer, changedFiles, plannedFiles } from './schemas/agents.ts';
import { planChanged } from './shown-plans.ts';

const agents = defineRoute({
  method: 'get',
  path: '/api/agents',
  summary:
    'The agents that hooks can be installed for, whether they are here and report to this home; other memories.',
  answer: agentsAnswer,
  async run(_, { installation }) {
    const { otherMemoriesIn } = await import('../doctor/claude-checks.ts');
    return {
      agents: (await hookStates(installation)).map(({ agent, mcp, plan: _, gone: _gone, ...state }) => ({
        ...state,
        name: agent.name,
        title: agent.title,
        problem: state.problem ?? mcp.problem,
        mcp: mcp.state,
      })),
      otherMemories: [...otherMemoriesIn(claudeCode.folder(installation.machine))],
    };
  },
});

const plan = defineRoute({
  method: 'post',
  path: '/api/agents/plan',
  summary:
    "Shows what installing or uninstalling would change in agents' settings, and changes nothing. The token confirms exactly this, once.",
  body: z.strictObject({
    agents: z.array(z.string().min(1).max(100)).min(1).max(50),
    installs: z.boolean(),
    mcp: z.boolean().default(true).describe('Whether the MCP server is installed too.'),
  }),
  example: { body: { agents: ['codex'], installs: true } },
  answer: z.object({ files: plannedFiles, token: z.string() }),
  async run({ body }, services) {
    const { changes } = await planned(body, services);
    const token = services.agentPlans.remember({ ...body, outcome: outcomeOf(changes) });
    return { files: changes.map(plannedFile), token };
  },
});

const confirm = defineRoute({
  method: 'post',
  path: '/api/agents/confirm',
  summary: 'Installs or uninstalls what a plan showed. If a file changed since, nothing is done.',
  body: z.strictObject({ token: z.string().min(1).max(100) }),
  example: { body: { token: '{agentPlan}' } },
  answer: z.object({ files: changedFiles, sentence: z.string().nullable() }),
  failures: [404, 409],
  async run({ body: { token } }, services) {
    const shown = services.agentPlans.take(token);
    const { act, changes } = await planned(shown, services);
    if (outcomeOf(changes) !== shown.outcome) throw planChanged();
    const applied = await applyAll(changes, act);
    // The frame of every open page says whether sessions are recorded.
    services.streams.noteRecording();
    return {
      files: applied.changes.map((change) => ({
        ...placeOf(change),
        backup: change.backup,
        afterInstall: act.installs && change.error === null ? afterInstall(change.target) : null,
      })),
      sentence: applied.sentence,
    };
  },
});

type Wanted = Omit<ShownAgentChange, 'outcome'>;

/** @throws AnnalsError USAGE: an unknown agent */
async function planned(
  { agents: names, installs, mcp }: Wanted,
  { installation, now }: Pick<Services, 'installation' | 'now'>,
): Promise<{ readonly act: ChangeAct; readonly changes: readonly FileChange[] }> {
  const act = installs ? installing(installation, { mcp, now }) : uninstalling(installation, { now });
  return { act, changes: await planAll(await act.targets(agentsNamed(names)), act) };
}

function outcomeOf(changes: readonly FileChange[]): string {
  return JSON.stringify(
    changes.map(({ plan, error }) => [
      plan?.settings.target,
      plan?.settings.text,
      plan?.text,
      error?.message,
    ]),
  );
}

/** Settings may hold keys of services: they are not shown. */
function plannedFile(change: FileChange): z.input<typeof plannedFiles>[number] {
  const { plan } = change;
  return {
    ...placeOf(change),
    diff: plan === null ? [] : diffOf(plan).map((line) => redactText(line)),
    serverTaken: plan !== null && isServerTaken(plan),
  };
}

function placeOf({ target, plan, error }: FileChange) {
  return {
    agent: target.agent.name,
    holds: [...target.holds],
    path: plan?.settings.target ?? target.path,
    changed: plan !== null && isChange(plan),
    isNew: plan !== null && !plan.settings.exists,
    isRemoved: plan !== null && plan.text === null,
    error: error === null ? null : { code: error.code, message: error.message, hint: error.hint },
  };
}

export const agentRoutes: readonly Route[] = [agents, plan, confirm];
