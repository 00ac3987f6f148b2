// The log by day, from a sample of its events, so that the cost does not depend on the size of the log.
import type { Growth } from '../api/stats.ts';
import type { Home } from '../home/home.ts';

const SAMPLE_EVENTS = 10_000;

/** @param most how many events are looked at */
export async function growthOf({ log }: Pick<Home, 'log'>, most = SAMPLE_EVENTS): Promise<Growth> {
  const sample = await log.sample(most);
  const days = new Map<string, { events: number; bytes: number }>();
  for (const { at, bytes } of sample) {
    if (at === null) continue;
    const day = new Date(at).toISOString().split('T', 1)[0]!;
    const sum = days.get(day) ?? { events: 0, bytes: 0 };
    days.set(day, { events: sum.events + 1, bytes: sum.bytes + bytes });
  }
  const events = log.head().position;
  const written = sample.reduce((sum, { bytes }) => sum + bytes, 0);
  const onDisk = await log.bytes();
  return {
    days: [...days]
      .sort(([one], [other]) => Date.parse(one) - Date.parse(other))
      .map(([day, sum]) => ({
        day,
        events: Math.round((sum.events * events) / sample.length),
        bytes: Math.round((sum.bytes * onDisk) / written),
      })),
    events,
    sampled: sample.length,
  };
}
