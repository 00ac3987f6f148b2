// Measures each embedder: `npm run bench -- embed [--packages <folder with node_modules>] [--url <…/v1> --model <name>]`.
// Always the table; MiniLM when its packages are found, a service when one is given. Each runs in a process of its own, so
// that memory can be measured.
import { runNode, withProgram } from '../harness/process.ts';
import { type Figure, option, print, type Report } from '../harness/report.ts';
import type { Measured } from './one.ts';

const packages = option('packages');
const url = option('url');
const model = option('model');
const ways: Record<string, readonly string[]> = {
  none: ['none'],
  static: ['static'],
  ...(packages === null ? {} : { minilm: ['minilm', packages] }),
  ...(url === null || model === null ? {} : { remote: ['remote', url, model] }),
};

const reports = await withProgram('bench/embed/one.ts', async (program) => {
  const made: Report[] = [];
  let idle = 0;
  for (const [name, words] of Object.entries(ways)) {
    const { stdout, peakBytes } = await runNode([program, ...words]);
    const one = JSON.parse(stdout) as Measured;
    if (name === 'none') idle = peakBytes;
    else
      made.push({
        bench: `embed ${name}`,
        data: one.data,
        figures: figuresOf(one, peakBytes - idle),
        digest: one.digest,
      });
  }
  return made;
});
print(reports);

function figuresOf(one: Measured, bytes: number): readonly Figure[] {
  const figures: Figure[] = [
    { name: 'first vector, load included', value: one.firstMs, unit: 'ms' },
    { name: 'texts a second', value: (one.texts * 1_000) / one.ms, unit: 'texts/s' },
    { name: 'texts a second of processor time', value: (one.texts * 1_000) / one.cpuMs, unit: 'texts/s' },
    { name: 'a query', value: one.queryMs, unit: 'ms' },
    { name: 'memory beyond an idle Node, at most', value: bytes / 2 ** 20, unit: 'MiB' },
  ];
  if (one.installBytes !== null)
    figures.push({ name: 'on disk', value: one.installBytes / 2 ** 20, unit: 'MiB' });
  return figures;
}
