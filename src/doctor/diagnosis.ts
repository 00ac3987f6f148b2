// All checks of `annals doctor`, in the order in which they are shown.
import { claudeCode } from '../agents/claude-code/index.ts';
import type { Annals } from '../api.ts';
import type { InstallRequest } from '../install/home-scripts.ts';
import { type Diagnosis, diagnose } from './check.ts';
import { otherMemories, transcripts } from './claude-checks.ts';
import { diskSpace, homeFiles } from './home-checks.ts';
import { hooks } from './hook-checks.ts';
import { logAndViews, spool } from './log-checks.ts';
import { hookCost, optionalPackages } from './machine-checks.ts';
import { observerCheck } from './observer-check.ts';
import { mcpServer } from './server-check.ts';
import { workerCheck } from './worker-check.ts';

export interface DoctorRequest extends InstallRequest {
  /** The same library on each call. */
  open(): Promise<Annals>;
  /** Unix ms. */
  now(): number;
  readonly fix: boolean;
}

export function diagnosisOf({ open, now, fix, ...request }: DoctorRequest): Promise<Diagnosis> {
  const { home, program, machine } = request;
  const claudeFolder = claudeCode.folder(machine);
  return diagnose(
    [
      homeFiles(home),
      diskSpace(home),
      // Before the log, which reports hooks that cannot run too.
      hooks(request, now),
      mcpServer(request, now),
      logAndViews(open),
      spool(open),
      workerCheck(home, machine.environment),
      observerCheck(open),
      otherMemories(claudeFolder),
      transcripts(claudeFolder, home, open, now),
      optionalPackages(home),
      hookCost(program, machine.windows),
    ],
    { fix, now },
  );
}
