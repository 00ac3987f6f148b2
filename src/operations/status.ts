// How things stand, on one screen: nothing is changed by asking.
import type { Status } from '../api.ts';
import { list } from '../platform/files.ts';
import type { Opened } from './opened.ts';
import { projectCounts } from './projects.ts';

export async function statusOf({ paths, log, runner, views, settingsDegraded }: Opened): Promise<Status> {
  await runner.catchUp();
  const head = log.head().position;
  const states = runner.states();
  return {
    home: paths.home,
    log: { events: head, head, bytes: await log.bytes() },
    views: states.map(({ name, version, position, lag }) => ({ name, version, position, lag })),
    spool: { new: (await list(paths.spoolNew)).length, bad: (await list(paths.spoolBad)).length },
    worker: null,
    projects: await projectCounts(views),
    degraded: [
      ...settingsDegraded,
      ...log.damage.map(({ message }) => message),
      ...runner.problems.map(({ message }) => message),
      ...states
        .filter(({ deadLetters }) => deadLetters > 0)
        .map(
          ({ name, deadLetters }) =>
            `${deadLetters} events could not be folded into the ${name} view; \`annals rebuild ${name}\` tries them again.`,
        ),
    ],
  };
}
