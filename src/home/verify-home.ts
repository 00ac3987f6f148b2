// Verifies a home: walks the whole log, compares it with the views' checkpoint, checks the views' files against their
// checksums, and with `rebuilt` rebuilds every view next to the live one and compares.
import type { VerifyProblem } from '../../log/index.ts';
import type { Verification } from '../api.ts';
import { damagedFile } from './damaged-file.ts';
import type { Home } from './home.ts';

export async function verifyAll(
  options: { rebuilt?: boolean; onProgress?: (done: number, total: number) => void },
  { log, runner, paths }: Home,
): Promise<Verification> {
  const { onProgress } = options;
  const report = await log.verify(onProgress === undefined ? {} : { onProgress });
  const problems: VerifyProblem[] = [...report.problems];
  const damaged = report.ok ? null : await damagedFile(paths.log, true).catch(() => null);
  if (damaged !== null)
    problems.push({ kind: 'store', position: null, message: `the file ${damaged} of the log is damaged` });
  const checkpoint = runner.checkpoint();
  const comparison = checkpoint === null ? 'held' : await log.compareCheckpoint(checkpoint);
  if (checkpoint !== null && comparison !== 'held') {
    const message =
      comparison === 'ahead'
        ? `the log lost its end: it ends at ${log.head().position}, but the views were built up to ${checkpoint.position}`
        : `the log's event ${checkpoint.position} is not the one that the views were built from`;
    problems.push({ kind: 'checkpoint', position: checkpoint.position, message });
  }
  const file = await runner.damagedFile();
  if (file !== null) {
    const message = `the file ${file} of the views is damaged; run \`annals rebuild\``;
    problems.push({ kind: 'view', position: null, message });
  }
  if (options.rebuilt !== true || problems.length > 0)
    return { ok: problems.length === 0, events: report.events, problems };
  const views = await runner.verifyRebuilt(onProgress === undefined ? {} : { onProgress });
  const differing = views.filter(({ equal }) => !equal);
  problems.push(
    ...differing.map(({ name }) => ({
      kind: 'view' as const,
      position: null,
      message: `the ${name} view differs from a rebuild; run \`annals rebuild\``,
    })),
  );
  return { ok: problems.length === 0, events: report.events, problems, views };
}
