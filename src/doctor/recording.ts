// Whether what agents do now is recorded, and what keeps it from being recorded. Fast enough to be asked often.
import type { Intake, RecordingProblem } from '../http/control.ts';
import type { Recording } from '../http/schemas/health.ts';
import { type InstallRequest, scriptProblem } from '../install/home-scripts.ts';
import { type HookState, hookStates } from '../install/hook-status.ts';
import { pluginAndSwitches } from './claude-checks.ts';
import { FREE_NONE_BYTES, freeAt, unwritableReason } from './home-checks.ts';

interface Options {
  freeBytes?(path: string): number;
}

/** Writing fails below this. */
const FULL_BYTES = 1024 ** 2;

export async function recordingOf(
  request: InstallRequest,
  { folders, problems }: Intake,
  { freeBytes = freeAt }: Options = {},
): Promise<Recording> {
  const states = await hookStates(request);
  const found = await Promise.all(states.map((state) => agentOf(state, request)));
  const agents = found.filter(({ isHere }) => isHere);
  const recorded = agents.filter((agent) => agent.recorded);
  const runsScript = states.some(({ installed, byPlugin }) => installed === true || byPlugin);
  const script = runsScript ? await scriptProblem(request) : null;
  const { failures, warnings } = homeProblems(request.home, freeBytes);
  const failing = [
    ...failures,
    ...(script === null ? [] : [{ message: script, advice: '`annals doctor --fix` writes it again.' }]),
    // A full disk is the reason of everything else.
    ...(failures.length > 0 ? [] : problems),
  ];
  const rest = [...warnings, ...agents.flatMap((agent) => agent.problems)];
  return {
    state:
      failing.length > 0
        ? 'failing'
        : recorded.length > 0
          ? 'on'
          : folders.length > 0
            ? 'transcripts'
            : 'off',
    problems: [...failing, ...rest],
    agents: agents.map(({ title, recorded }) => ({ title, recorded })),
  };
}

async function agentOf(state: HookState, request: InstallRequest) {
  const { agent, present, installed, byPlugin } = state;
  const findings = agent.name === 'claude-code' ? await pluginAndSwitches(state, request) : [];
  const problems = findings.filter((finding) => finding.state === 'problem');
  const isOff = findings.some(({ stops }) => stops === true);
  return {
    title: agent.title,
    isHere: present || installed !== false || byPlugin,
    recorded: (installed === true || byPlugin) && !isOff,
    problems: problems.map(({ message, advice = null }) => ({ message, advice })),
  };
}

function homeProblems(home: string, freeBytes: (path: string) => number) {
  const free = freeBytes(home);
  const why = unwritableReason(home);
  const problem = (message: string, advice: string): RecordingProblem[] => [{ message, advice }];
  if (free < FULL_BYTES)
    return {
      failures: problem(`The disk of ${home} is full.`, 'Make room. The next hook then records what waits.'),
      warnings: [],
    };
  return {
    failures:
      why === null
        ? []
        : problem(`${home} cannot be written: ${why}.`, 'Make it writable, or set `ANNALS_HOME`.'),
    warnings:
      free >= FREE_NONE_BYTES
        ? []
        : problem(
            `Only ${Math.floor(free / 1024 ** 2)} MiB are free on the disk of ${home}.`,
            'Make room before it is full.',
          ),
  };
}
