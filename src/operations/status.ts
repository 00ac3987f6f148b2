// How things stand, on one screen: nothing is changed by asking.
import type { Status } from '../api.ts';
import { spoolFiles, spoolFolders } from '../capture/spool/files.ts';
import { spoolHealth } from '../capture/spool/health.ts';
import { spoolCounts } from '../capture/spool/tally.ts';
import { hookProblems, hooksInstalled } from '../install/standing.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { projectCounts } from './projects.ts';
import { sizeOf } from './size.ts';

export async function statusOf(opened: Opened): Promise<Status> {
  const { paths, log, runner, views, embedding, drained, now } = opened;
  await runner.catchUp();
  await embedding.refresh(views.memory);
  const head = log.head().position;
  const states = runner.states();
  const spool = await spoolHealth(spoolFiles, spoolFolders(paths.home), now());
  return {
    home: paths.home,
    log: { events: head, head, bytes: await log.bytes() },
    size: await sizeOf(opened),
    views: states.map(({ name, version, position, lag }) => ({ name, version, position, lag })),
    spool: { new: spool.new, bad: spool.bad, taken: await spoolCounts(log) },
    hooks: [{ agent: 'claude-code', installed: await hooksInstalled(paths.home) }],
    worker: null,
    projects: await projectCounts(views),
    degraded: [
      ...problemsOf(opened),
      ...embedding.problems(),
      ...new Set([...spool.problems, ...drained.problems]),
      ...(await hookProblems(paths.home)),
      ...states
        .filter(({ deadLetters }) => deadLetters > 0)
        .map(
          ({ name, deadLetters }) =>
            `${deadLetters} events could not be folded into the ${name} view; \`annals rebuild ${name}\` tries them again.`,
        ),
    ],
  };
}
