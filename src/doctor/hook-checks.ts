// The hooks of every agent: whether they are installed, those of this version, and can run.
import {
  areScriptsCurrent,
  captureProblems,
  type InstallRequest,
  prepareHome,
} from '../install/home-scripts.ts';
import { type HookState, hookStates, lacksHooks } from '../install/hook-status.ts';
import { install, type Plan } from '../install/installation.ts';
import type { Check, Finding } from './check.ts';
import { pluginAndSwitches } from './claude-checks.ts';

export function hooks(request: InstallRequest, now: () => number): Check {
  return {
    name: 'hooks',
    async look() {
      const findings: Finding[] = [];
      const states = await hookStates(request);
      for (const state of states) findings.push(...(await findingsOf(state, request, now)));
      if (
        states.some(({ installed }) => installed === true) ||
        states.some(({ mcp }) => mcp.state === 'registered')
      )
        findings.push(...(await scriptFindings(request)));
      return findings.length > 0 ? findings : [NO_AGENT];
    },
  };
}

const NO_AGENT: Finding = {
  state: 'warning',
  message: 'No coding agent was found on this machine, so nothing is recorded.',
  advice: 'Start an agent once, then annals install. Transcripts that are elsewhere: annals import <folder>.',
};

async function findingsOf(
  state: HookState,
  request: InstallRequest,
  now: () => number,
): Promise<readonly Finding[]> {
  const { agent, installed } = state;
  if (state.problem !== null) return [unusable(state, state.problem)];
  const special = agent.name === 'claude-code' ? await pluginAndSwitches(state, request) : [];
  if (installed === true) {
    const own = state.elsewhere ? elsewhere(state, request, now) : installedFinding(state, request, now);
    return special.length > 0 && own.state === 'ok' ? special : [...special, own];
  }
  if (special.length > 0) return special;
  if (state.elsewhere) return [elsewhere(state, request, now)];
  return lacksHooks(state) ? [missing(state)] : [];
}

/** Not a problem of ours as long as nothing of ours is in there. */
function unusable({ agent, installed }: HookState, problem: string): Finding {
  return {
    state: installed === null ? 'problem' : 'warning',
    message:
      installed === null
        ? `It is not known whether the hooks of ${agent.title} run. ${problem}`
        : `${agent.title} has no hooks, and none can be installed. ${problem}`,
    advice: `Fix the file, then annals install ${agent.name}.`,
  };
}

function installedFinding(
  { agent, current, plan }: HookState,
  request: InstallRequest,
  now: () => number,
): Finding {
  if (current || plan === null)
    return { state: 'ok', message: `${agent.title}'s hooks are installed and those of this version.` };
  return repairable(`${agent.title}'s hooks are not those of this version.`, plan, request, now);
}

function repairable(message: string, plan: Plan, request: InstallRequest, now: () => number): Finding {
  const { title, name } = plan.agent;
  return {
    state: 'problem',
    message,
    advice: `annals doctor --fix, or annals install ${name}.`,
    fix: async () => {
      const backup = await install(request, plan, now());
      return `Installed the hooks of this version for ${title}${backup === null ? '' : `; backup: ${backup}`}.`;
    },
  };
}

function elsewhere(
  { agent: { title, name }, installed, gone, plan }: HookState,
  request: InstallRequest,
  now: () => number,
): Finding {
  if (gone && plan !== null) {
    const message =
      installed === true
        ? `${title}'s hooks write also to a home that is gone.`
        : `${title}'s hooks write to a home that is gone, so they record nothing.`;
    return repairable(message, plan, request, now);
  }
  return {
    state: 'warning',
    message: `${title}'s hooks write to another home${installed === true ? ' too' : ''}.`,
    advice: `annals install ${name} makes them write to this one.`,
  };
}

function missing({ agent: { title, name, transcripts } }: HookState): Finding {
  const recorded = transcripts === null ? 'not recorded' : 'recorded only when transcripts are imported';
  return {
    state: 'warning',
    message: `${title} has no hooks of Annals: its sessions are ${recorded}.`,
    advice: `annals install ${name} shows the change and asks.`,
  };
}

async function scriptFindings(request: InstallRequest): Promise<readonly Finding[]> {
  const findings: Finding[] = (await captureProblems(request)).map((message) => ({
    state: 'problem',
    message,
  }));
  if (request.machine.windows || (await areScriptsCurrent(request))) return findings;
  return [
    ...findings,
    {
      state: 'problem',
      message: 'The scripts in the home that agents start are not those of this version.',
      advice: 'annals doctor --fix writes them.',
      fix: async () => {
        await prepareHome(request);
        return 'Wrote the scripts in the home.';
      },
    },
  ];
}
