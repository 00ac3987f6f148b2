// The requests that this machine made. Requests of other machines of a team come with their events, and each machine has a
// budget, services and batches of its own.
import { isOwnEvent, type Log } from '../../../log/index.ts';

export type OwnLog = Pick<Log, 'getMany' | 'origin' | 'logId'>;

export async function ownRequests<Request extends { readonly asked: { readonly event: string } }>(
  all: readonly Request[],
  log: OwnLog,
): Promise<Request[]> {
  const events = await log.getMany(all.map(({ asked }) => asked.event));
  return all.filter((_, index) => {
    const event = events[index];
    // One that cannot be read counts.
    return event === undefined || isOwnEvent(event, log);
  });
}
