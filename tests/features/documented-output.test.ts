// What the documentation shows of the example is what the commands print, but for the room between columns.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { annalsHere } from '../e2e/command.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { testFolder } from '../helpers/views.ts';

/** Documents that show the output of commands on the example. */
const PAGES = ['README.md', 'docs/search.md'];
/** The rest of the output is left out. */
const LEFT_OUT = '[…]';

interface Sample {
  readonly page: string;
  readonly command: string;
  readonly lines: readonly string[];
}

function samplesIn(page: string): Sample[] {
  const text = readFileSync(join(REPOSITORY, page), 'utf8');
  const blocks = [...text.matchAll(/^```console\n\$ annals ((?:search|context) .+)\n([\s\S]+?)```$/gm)];
  return blocks.map(([, command, printed]) => ({
    page,
    command: command!,
    lines: printed!.trimEnd().split('\n'),
  }));
}

/** When the samples were printed. */
const THEN = Date.UTC(2026, 10, 29, 12);

const samples = PAGES.flatMap(samplesIn);

const plain = (line: string) =>
  line
    // The sum of a score is rounded by itself.
    .replace(/^\s*\d+\.\d\d = /, '')
    .replace(/\s+/g, ' ')
    .trim();

test('the samples of the documentation are what the commands print', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(THEN);
  onTestFinished(() => clock.mockRestore());
  const home = join(await testFolder(), 'home');
  await annalsHere(['import', join(REPOSITORY, 'examples/birdfeeder')], { home });
  expect(new Set(samples.map(({ page }) => page))).toEqual(new Set(PAGES));
  for (const { page, command, lines } of samples) {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
    const { stdout } = await annalsHere(words, { home, env: { COLUMNS: '100' } });
    const isPart = lines.at(-1) === LEFT_OUT;
    const printed = stdout.trimEnd().split('\n').map(plain);
    const shown = (isPart ? lines.slice(0, -1) : lines).map(plain);
    expect
      .soft(isPart ? printed.slice(0, shown.length) : printed, `${page}: annals ${command}`)
      .toEqual(shown);
  }
});
