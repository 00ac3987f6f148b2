// Builds the answer of `status`. It changes nothing.

import { hookProblems, hooksInstalled } from '../agents/claude-code/install/hook-status.ts';
import type { Status } from '../api.ts';
import { spoolCounts } from '../capture/spool/drain-tally.ts';
import { spoolFiles, spoolFolders } from '../capture/spool/spool-files.ts';
import { spoolHealth } from '../capture/spool/spool-health.ts';
import type { Home } from './home.ts';
import { projectCounts } from './home-projects.ts';
import { sizeOf } from './home-size.ts';
import { whyNotStarted } from './worker-starts.ts';

export async function statusOf(home: Home): Promise<Status> {
  const { paths, log, runner, views, embedding, drained, now } = home;
  await runner.catchUp();
  await embedding.refresh(views.memory);
  const head = log.head().position;
  const states = runner.states();
  const spool = await spoolHealth(spoolFiles, spoolFolders(paths.home), now());
  return {
    home: paths.home,
    log: { events: head, head, bytes: await log.bytes() },
    size: await sizeOf(home),
    views: states.map(({ name, version, position, lag }) => ({ name, version, position, lag })),
    spool: { new: spool.new, bad: spool.bad, taken: await spoolCounts(log) },
    hooks: [{ agent: 'claude-code', installed: await hooksInstalled(paths.home) }],
    worker: null,
    projects: await projectCounts(views),
    degraded: [
      ...home.state().problems,
      ...embedding.problems(),
      ...new Set([...spool.problems, ...drained.problems]),
      ...(await hookProblems(paths.home)),
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
