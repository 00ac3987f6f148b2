// Measures time, processor time and memory in the same way for every benchmark. The variants run in turn, round by
// round, and each round begins with another variant, so that load on the machine affects all of them equally and none
// always follows the same other one.

/** One run. Processor time is that of all threads of the process, LevelDB's too; on a busy machine it says more than wall time. */
export interface Sample {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Statistics over several runs of one variant. */
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

/** Returns a function that gives the time and processor time since this call. */
export function stopwatch(): () => Sample {
  const cpu = process.cpuUsage();
  const start = performance.now();
  return () => {
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { ms, cpuMs: (user + system) / 1000 };
  };
}

/** A variant measures itself, so that its setup and cleanup are not counted. */
export type Way = (round: number) => Promise<Sample>;

/** Runs every variant once a round. Returns the samples of each variant in round order. */
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
  if (sorted.length === 0) throw new RangeError('An empty list has no median.');
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that is not below this share of the values; with few values, the largest. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

/** The peak memory of this process, bytes. */
export function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
