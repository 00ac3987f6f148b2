// Is everything as it was written? The log is walked whole, the views' anchors are held against it as witnesses
// of what it once held, the views' files against their checksums, and with `rebuilt` every view is built again aside and compared.
import type { VerifyProblem } from '../../log/index.ts';
import type { Verification } from '../api.ts';
import type { Home } from './home.ts';

export async function verifyAll(
  options: { rebuilt?: boolean; onProgress?: (done: number, total: number) => void },
  { log, runner }: Home,
): Promise<Verification> {
  const { onProgress } = options;
  const report = await log.verify(onProgress === undefined ? {} : { onProgress });
  const problems: VerifyProblem[] = [...report.problems];
  for (const { view, checkpoint } of runner.checkpoints()) {
    const comparison = await log.compareCheckpoint(checkpoint);
    if (comparison === 'held') continue;
    const message =
      comparison === 'ahead'
        ? `log lost its tail: ${log.head().position} of ${checkpoint.position}, says the ${view} view`
        : `the log's event ${checkpoint.position} is not the one that the ${view} view was made from`;
    problems.push({ kind: 'anchor', position: checkpoint.position, message });
  }
  for (const { view, file } of await runner.damagedFiles()) {
    const message = `the ${view} view's file ${file} is not as it was written; \`annals rebuild ${view}\` mends it`;
    problems.push({ kind: 'view', position: null, message });
  }
  if (options.rebuilt !== true || problems.length > 0)
    return { ok: problems.length === 0, events: report.events, problems };
  const views = await runner.verifyRebuilt(onProgress === undefined ? {} : { onProgress });
  const differing = views.filter(({ equal }) => !equal);
  problems.push(
    ...differing.map(({ name }) => ({
      kind: 'view',
      position: null,
      message: `the ${name} view differs from a rebuild; \`annals rebuild ${name}\` mends it`,
    })),
  );
  return { ok: problems.length === 0, events: report.events, problems, views };
}
