// All checks of `annals doctor`, in the order in which they are shown.
import type { InstallRequest } from '../agents/claude-code/install/install-hooks.ts';
import type { Annals } from '../api.ts';
import { type Diagnosis, diagnose } from './check.ts';
import { hooks, otherMemories, transcripts } from './claude-checks.ts';
import { diskSpace, homeFiles } from './home-checks.ts';
import { logAndViews, spool } from './log-checks.ts';
import { hookCost, optionalPackages } from './machine-checks.ts';
import { workerCheck } from './worker-check.ts';

export interface DoctorRequest extends InstallRequest {
  /** The same library on each call. */
  open(): Promise<Annals>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Unix ms. */
  now(): number;
  readonly fix: boolean;
}

export function diagnosisOf({ open, now, fix, environment, ...request }: DoctorRequest): Promise<Diagnosis> {
  const { home, claudeFolder, program, windows } = request;
  return diagnose(
    [
      homeFiles(home),
      diskSpace(home),
      logAndViews(open),
      spool(open),
      workerCheck(home, environment),
      hooks(request, now),
      otherMemories(claudeFolder),
      transcripts(claudeFolder, open, now),
      optionalPackages(home),
      hookCost(program, windows),
    ],
    { fix },
  );
}
