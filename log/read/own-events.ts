// Which events this machine wrote, also before its log was restored. The others came from other machines.
import type { Log } from '../log.ts';

export function isOwnEvent(
  { origin }: { readonly origin: string },
  log: Pick<Log, 'origin' | 'logId'>,
): boolean {
  return origin === log.origin || origin === log.logId;
}
