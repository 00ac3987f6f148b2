// Builds the answer of `status`, from the views as they are. It changes nothing.
import { agentsAt } from '../agents/index.ts';
import { RECALL_OCCASIONS } from '../api/recall.ts';
import type { Status } from '../api.ts';
import { spoolCounts } from '../capture/spool/drain-tally.ts';
import { spoolFiles, spoolFolders } from '../capture/spool/spool-files.ts';
import { spoolHealth } from '../capture/spool/spool-health.ts';
import { settingsAt } from '../config/read-settings.ts';
import type { Settings } from '../config/settings.ts';
import { isOnPath } from '../install/find-agents.ts';
import { captureProblems, type InstallRequest, serverProblem } from '../install/home-scripts.ts';
import { type HookState, hookStates } from '../install/hook-status.ts';
import { type Machine, thisMachine } from '../platform/machine.ts';
import type { Home } from './home.ts';
import { projectCounts } from './home-projects.ts';
import { sizeOf } from './home-size.ts';
import { whyNotStarted } from './worker-starts.ts';

/** @param missing what the views do not hold yet, one sentence each */
export async function statusOf(home: Home, missing: readonly string[]): Promise<Status> {
  const { paths, log, runner, views, embedding, drained, now } = home;
  await embedding.refresh(views.memory);
  const head = log.head().position;
  const states = runner.states();
  const spool = await spoolHealth(spoolFiles, spoolFolders(paths.home), now());
  const request = installRequest(paths.home);
  const hooks = await hookStates(request);
  const { settings } = await settingsAt(paths.config, process.env);
  const { problems: descriptionProblems } = await agentsAt(paths.agents, request.machine);
  return {
    home: paths.home,
    log: { events: head, head, bytes: await log.bytes() },
    size: await sizeOf(home),
    views: states.map(({ name, version, position, lag }) => ({ name, version, position, lag })),
    spool: { new: spool.new, bad: spool.bad, taken: await spoolCounts(log) },
    hooks: hooks.map(({ agent, present, installed, elsewhere, current, byPlugin, mcp }) => ({
      agent: agent.name,
      present,
      installed,
      elsewhere,
      current,
      byPlugin,
      mcp: mcp.state,
    })),
    worker: null,
    observer: await (await import('../observer/observer-state.ts')).observerState(home),
    projects: await projectCounts(views),
    degraded: [
      ...missing,
      ...home.state().problems,
      ...embedding.problems(),
      ...new Set([...spool.problems, ...drained.problems]),
      ...(await hookProblems(hooks, request)),
      ...descriptionProblems,
      ...recallProblems(settings, request.machine),
      ...[whyNotStarted(paths.home)].filter((sentence) => sentence !== null),
      ...states
        .filter(({ deadLetters }) => deadLetters > 0)
        .map(
          ({ name, deadLetters }) =>
            `The ${name} view could not fold ${deadLetters} ${deadLetters === 1 ? 'event' : 'events'}; \`annals rebuild\` tries them again.`,
        ),
    ],
  };
}

/** Windows' hooks name the program; here it is the one that runs. */
function installRequest(home: string): InstallRequest {
  return { home, program: { node: process.execPath, cli: process.argv[1] ?? '' }, machine: thisMachine() };
}

/** @returns what keeps the recall that is switched on from being given */
export function recallProblems(settings: Settings, machine: Machine): readonly string[] {
  const on = RECALL_OCCASIONS.map((occasion) => `recall.${occasion}` as const).filter(
    (name) => settings[name],
  );
  if (on.length === 0) return [];
  const said = `${on.join(', ')} ${on.length === 1 ? 'is' : 'are'} on`;
  if (machine.windows) return [`Nothing is recalled on Windows, though ${said}.`];
  return isOnPath('curl', machine)
    ? []
    : [`Nothing is recalled, though ${said}: the hooks ask with curl, which is not on the PATH.`];
}

async function hookProblems(
  states: readonly HookState[],
  request: InstallRequest,
): Promise<readonly string[]> {
  const unreadable = states.flatMap(({ agent, installed, problem }) =>
    problem === null || installed === false
      ? []
      : [`It is not known whether the hooks of ${agent.title} run. ${problem}`],
  );
  const problems = [
    ...(states.some(({ installed }) => installed === true) ? await captureProblems(request) : []),
    ...(states.some(({ mcp }) => mcp.state === 'registered') ? [await serverProblem(request)] : []),
  ].filter((problem) => problem !== null);
  return [...unreadable, ...problems.map((problem) => `${problem} \`annals doctor --fix\` fixes this.`)];
}
