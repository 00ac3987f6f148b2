// What to say when another home uses the identity of this machine.
import type { Log } from '../../log/index.ts';
import { syncKeys } from './rows/sync-rows.ts';

/** After so long without a sign of it, it is said no more. */
const SAID_MS = 30 * 86_400_000;

/** One sentence for `degraded`, or null. @param now Unix ms */
export async function copiedHome(log: Pick<Log, 'cursors'>, now: number): Promise<string | null> {
  const [row] = await log.cursors(syncKeys.copied);
  return copiedSentence((row?.value as number | undefined) ?? null, now);
}

/** @param at when another home last said something, Unix ms; null if none did */
export function copiedSentence(at: number | null, now: number): string | null {
  if (at === null || now - at > SAID_MS) return null;
  const day = new Date(at).toISOString().slice(0, 10);
  return (
    `Another home shares under the identity of this machine, last on ${day}: the folder of the home was copied, or put back ` +
    'from a copy. Neither gets what the other one sends. Keep one; on the other one, or here if this home was put back, ' +
    '`annals export`, move the home away, `annals restore`, and take a new invitation (docs/team.md#a-copied-home).'
  );
}
