// `npm test`: everything a change must pass, cheapest first; stops at the first step that fails.
// Further arguments go to vitest: npm test -- tests/cli. The last line is always the test counts, or the step that
// failed before the tests.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './node-version.mjs';
import { install } from './install.mjs';
import { root, tool } from './run.mjs';

const folders = ['log', 'projections', 'src', 'tests', 'bench'].filter((name) =>
  existsSync(join(root, name)),
);

const steps = [
  ['install', () => install()],
  [
    'types',
    () =>
      tool('typescript', 'tsc', ['--noEmit']) || tool('typescript', 'tsc', ['--noEmit', '-p', 'src/viewer']),
  ],
  ['lint and format', () => tool('@biomejs/biome', 'biome', ['check', '.'])],
  [
    'import direction',
    () => tool('dependency-cruiser', 'depcruise', [...folders, '--config', '.dependency-cruiser.cjs']),
  ],
  ['build', async () => (await import('./build.mjs')).build()],
];

process.exitCode = await test(process.argv.slice(2));

async function test(vitestArguments) {
  for (const [name, step] of steps) {
    console.log(`\n── ${name}`);
    const code = await step();
    if (code !== 0) {
      console.log(`\nThe step "${name}" failed; the tests were not run.`);
      return code;
    }
  }
  console.log('\n── tests');
  return runTests(vitestArguments);
}

function runTests(vitestArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'annals-tests-'));
  const report = join(folder, 'report.json');
  const code = tool('vitest', 'vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...vitestArguments,
  ]);
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  rmSync(folder, { recursive: true, force: true });
  if (counts === null) {
    console.log('The test runner ended without a report.');
    return code || 1;
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = counts;
  console.log(
    `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`,
  );
  return code;
}
