// The order of a session: the transcript's line order where it is known, else time, else event id. Items that
// only a hook told are set in after the last line that is not later than they are. The order is a string, so a
// late item never renumbers its neighbours, and it is total: offset and time are never compared in turns.

export interface Placed {
  readonly id: string;
  /** The sub-agent's own thread; empty for the main thread and inline side-chains. */
  readonly thread: string;
  readonly offset: number | null;
  /** Which block of its line; 0 for the usual one block a line. */
  readonly block: number;
  readonly at: number | null;
}

/** Order strings by item id. Main thread first, then each sub-agent's thread. */
export function orderItems(items: readonly Placed[]): Map<string, string> {
  const orders = new Map<string, string>();
  for (const [thread, members] of byThread(items)) {
    const prefix = thread === '' ? '0' : `1${thread}`;
    const told = members.filter((item) => item.offset !== null).sort((a, b) => a.offset! - b.offset!);
    const latest: number[] = [];
    for (const item of told) latest.push(Math.max(latest.at(-1) ?? 0, item.at ?? 0));
    for (const item of members) {
      if (item.offset !== null)
        orders.set(item.id, `${prefix} ${pad(item.offset)} ${String(item.block).padStart(3, '0')}`);
      else {
        const at = item.at ?? 0;
        const before = lastNotAfter(latest, at);
        const anchor = before < 0 ? 0 : told[before]!.offset!;
        orders.set(item.id, `${prefix} ${pad(anchor)} ${AFTER_LINE} ${pad(at)} ${item.id}`);
      }
    }
  }
  return orders;
}

/** Sorts behind every block of the line it follows. */
const AFTER_LINE = '999';

/** Index of the last of ascending `times` that is ≤ `at`; -1 when there is none. */
function lastNotAfter(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function byThread(items: readonly Placed[]): Map<string, Placed[]> {
  const threads = new Map<string, Placed[]>();
  for (const item of items) {
    const members = threads.get(item.thread);
    if (members === undefined) threads.set(item.thread, [item]);
    else members.push(item);
  }
  return threads;
}

/** Fourteen digits hold any byte offset and any Unix ms. */
function pad(value: number): string {
  return String(value).padStart(14, '0');
}
