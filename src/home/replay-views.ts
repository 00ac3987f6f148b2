// Catches the views up with the log, as a start after a crash does. With `from: 0` it also rebuilds each view next to the
// live one and reports whether they differ.
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
