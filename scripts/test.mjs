// `npm test`: everything a change must pass. Without the checks and the build no test is run.
// Further arguments go to vitest: npm test -- tests/cli. The last line is always the test counts, or the step that
// failed before the tests.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './node-version.mjs';
import { install } from './install.mjs';
import { root, start, tool, toolPath } from './run.mjs';

const folders = ['log', 'projections', 'src', 'tests', 'bench'].filter((name) =>
  existsSync(join(root, name)),
);

/** They need nothing of each other and run side by side. */
const CHECKS = [
  ['types', 'typescript-7', 'tsc', ['--noEmit']],
  ['types of the viewer', 'typescript-7', 'tsc', ['--noEmit', '-p', 'src/viewer']],
  ['lint and format', '@biomejs/biome', 'biome', ['check', '.']],
  [
    'import direction',
    'dependency-cruiser',
    'depcruise',
    [...folders, '--config', '.dependency-cruiser.cjs'],
  ],
];

process.exitCode = await test(process.argv.slice(2));

async function test(vitestArguments) {
  console.log('\n── install');
  const installed = install();
  if (installed !== 0) return failed('install', installed);
  const steps = [
    ...CHECKS.map(([name, packageName, command, args]) => [
      name,
      start(toolPath(packageName, command), args),
    ]),
    ['build', start('scripts/build.mjs')],
  ];
  for (const [name, running] of steps) {
    console.log(`\n── ${name}`);
    const { code, output } = await running;
    process.stdout.write(output);
    if (code !== 0) return failed(name, code);
  }
  console.log('\n── tests');
  return runTests(vitestArguments);
}

function failed(name, code) {
  console.log(`\nThe step "${name}" failed; the tests were not run.`);
  return code;
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
