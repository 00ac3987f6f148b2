// Catching the views up with the log, which is all that a start after a crash does; from zero it also runs the log
// through again aside, and says whether anything came out differently.
import type { Progress, ViewReport } from '../api.ts';
import type { Home } from './home.ts';

export async function replay(
  { from, onProgress }: { from?: 0; onProgress?: Progress },
  { runner, now }: Pick<Home, 'runner' | 'now'>,
): Promise<{ views: (ViewReport & { changed: boolean })[] }> {
  const began = now();
  const progress = onProgress === undefined ? {} : { onProgress };
  await runner.catchUp(progress);
  const rebuilt = from === 0 ? await runner.verifyRebuilt(progress) : null;
  const ms = now() - began;
  const reports = runner.states().map(async ({ name, position }) => {
    const compared = rebuilt?.find((one) => one.name === name);
    const digest = compared?.live ?? (await runner.digest(name));
    return { name, events: position, ms, digest, changed: compared?.equal === false };
  });
  return { views: await Promise.all(reports) };
}
