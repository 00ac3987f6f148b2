// Time, processor time and memory, measured the same way in every bench. Ways to do a thing are run in turn,
// round by round, each round beginning with another one, so that a busy moment of the machine hits all alike
// and none always follows the same other.

/** One run. Processor time is that of all threads of the process, LevelDB's too; it says more on a busy machine. */
export interface Sample {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Figures of several runs of one way. */
export interface Timing {
  readonly runs: number;
  readonly ms: number;
  readonly p95Ms: number;
  readonly cpuMs: number;
}

export async function measured<T>(work: () => Promise<T>): Promise<Sample & { readonly value: T }> {
  const elapsed = stopwatch();
  const value = await work();
  return { ...elapsed(), value };
}

/** What has passed since this call, whenever it is asked. */
export function stopwatch(): () => Sample {
  const cpu = process.cpuUsage();
  const start = performance.now();
  return () => {
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { ms, cpuMs: (user + system) / 1000 };
  };
}

/** A way measures itself, so that what it prepares and cleans up stays outside of the figure. */
export type Way = (round: number) => Promise<Sample>;

/** Every way once a round. The samples of each, in the order of the rounds. */
export async function interleaved<Name extends string>(
  rounds: number,
  ways: Readonly<Record<Name, Way>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(ways) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      samples[name].push(await ways[name](round));
    }
  return samples;
}

export function timing(samples: readonly Sample[]): Timing {
  const ms = samples.map((sample) => sample.ms);
  const cpuMs = median(samples.map((sample) => sample.cpuMs));
  return { runs: samples.length, ms: median(ms), p95Ms: percentile(ms, 0.95), cpuMs };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) throw new RangeError('There is no median of nothing.');
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that is not below this share of them: of few values the largest. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

/** The most memory that this process ever held, bytes. */
export function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
