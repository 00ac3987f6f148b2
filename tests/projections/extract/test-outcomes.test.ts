// The outcome of a test run: by its exit status, else by its runner's summary line, else unknown.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

interface Run {
  readonly command: string;
  readonly printed: string;
  readonly failed?: boolean;
}

/** The test evidence of a turn that ran these commands. */
const toldOf = async (...runs: readonly Run[]) => (await evidenceOf(...runs)).tests;

async function evidenceOf(...runs: readonly Run[]) {
  const session = new Session();
  session.prompt('Make the feeder open before dusk, please.');
  session.edited('/home/u/app/src/feed.ts');
  for (const { command, printed, failed } of runs)
    failed ? session.failed(command, printed) : session.ran(command, printed);
  session.reply('Changed the feeder so that it opens an hour before dusk on every day of the week.');
  const { observations } = await remembered(session);
  return observations[0]!.evidence;
}

async function outcomeOf(command: string, printed: string, failed = false) {
  const [test] = await toldOf({ command, printed, failed });
  return test?.after ?? null;
}

const NOISE =
  'src/api.test.ts:\nerror: Database connection failed\n  at submit (api.test.ts:3:1)\n2 failed jobs were retried\nFAILED to reach host\n';

describe('Whether tests ran again with an unknown outcome', () => {
  const passed = { command: 'npm test', printed: 'Tests  9 passed (9)' };
  const IN_LOOP =
    'for c in $(git rev-list main); do\n  git checkout -q $c\n  out=$(cd src && npm test 2>&1 | grep fail)\n  [ -z "$out" ] && echo "OK $c"\ndone';
  const unknown = { command: 'go test ./... 2>&1 | grep -c hatch', printed: '3' };

  it.each([
    ['after the last known one', [passed, unknown], true],
    ['before it', [unknown, passed], false],
    ['alone', [unknown], true],
    ['in a loop that keeps their output', [passed, { command: IN_LOOP, printed: 'OK one\nOK two' }], true],
    ['in a variable', [passed, { command: 'out=$(npm test 2>&1)', printed: '' }], true],
    ['in backticks', [passed, { command: 'out=`npm test`', printed: '' }], true],
    ['between quotes', [passed, { command: 'echo "it\'s $(npm test 2>&1 | tail -1)"', printed: '' }], true],
    ['in words only', [passed, { command: "echo '$(npm test)'", printed: '$(npm test)' }], false],
    ['not at all', [passed], false],
  ])('is known: %s', async (_, runs, unclear) => {
    expect((await evidenceOf(...runs)).testsUnclear).toBe(unclear);
  });
});

describe('A command', () => {
  const evidence = async (tell: (session: Session) => void) => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    tell(session);
    session.reply('Changed the feeder so that it opens an hour before dusk on every day of the week.');
    const [row] = (await remembered(session)).observations;
    return { ...row!.evidence, files: row!.filesModified };
  };

  it.each([
    ['RESULT: FAIL (0/1 scored)', null],
    ['error: failed to push some refs', null],
    [`fatal: no seeds\n${'sown\n'.repeat(200)}`, null],
    ['Fehler: Keine Samen', null],
    ['erreur : pas de graines', null],
    ['错误：没有种子', null],
    ['RESULT: PASS', 'ok'],
    ['0 errors: all is sown', 'ok'],
    ['Error: boom (expected by the test)', 'ok'],
    ['error: 0', 'ok'],
    ['error : none', 'ok'],
  ])('that prints a failure is not known to have ended well: %s', async (printed, outcome) => {
    const commands = ['make seeds', 'sow --all'];
    const told = await evidence((session) => {
      for (const command of commands) session.ran(command, printed);
    });
    expect(told.commands).toEqual(commands.map((command) => ({ command, outcome })));
  });

  it('that the person refused says nothing of the tests', async () => {
    const { tests, testsUnclear } = await evidence((session) => {
      session.ran('npm test', 'Tests  9 passed (9)');
      session.use('refused', 'Bash', { command: 'npm test' });
      session.result(
        'refused',
        "The user doesn't want to proceed with this tool use.",
        {},
        { is_error: true },
      );
    });
    expect([tests[0]?.after, testsUnclear]).toEqual(['passed', false]);
  });

  it('ran where the transcript says that the shell was', async () => {
    const { tests } = await evidence((session) => {
      session.use('below', 'Bash', { command: 'npm test' }, { cwd: '/home/u/app/web' });
      session.result('below', 'Tests  9 passed (9)');
    });
    expect(tests[0]?.command).toBe('npm test (in web)');
  });

  it('that moves a file gives it its new name', async () => {
    const { files } = await evidence((session) => session.ran('mv src/feed.ts src/dusk.ts', ''));
    expect(files).toEqual(['src/dusk.ts']);
  });
});

describe('A test run', () => {
  it.each([
    ['mix test', 'Finished in 0.03 seconds\n3 tests, 0 failures, 3 skipped'],
    ['bundle exec rake test', '3 runs, 0 assertions, 0 failures, 0 errors, 3 skips'],
    ['npx playwright test', 'Running 5 tests using 1 worker\n-----\n\n  5 skipped'],
    ['node --test', 'ok 1 - opens # SKIP\n# tests 1\n# pass 0\n# fail 0\n# skipped 1'],
    ['bun test', ' 0 pass\n 3 skip\n 0 fail\nRan 3 tests across 1 file.'],
  ])('whose tests were all skipped did not pass: %s', async (command, printed) => {
    expect(await toldOf({ command, printed })).toEqual([]);
  });

  it.each([
    ['cd ../clock && node --test', 'node --test (in /home/u/clock)'],
    ['cd /home/u/clock && node --test', 'node --test (in /home/u/clock)'],
    ['cd /home/u/app && node --test', 'node --test'],
    ['cd .. && node --test', 'node --test'],
    ['cd $CLOCK && node --test', 'node --test'],
  ])('includes its folder when that is not the project: %s', async (command, expected) => {
    expect((await toldOf({ command, printed: '# pass 2\n# fail 0' })).map((one) => one.command)).toEqual([
      expected,
    ]);
  });

  it('is named without the loop around it', async () => {
    const command = 'for i in 1 2 3; do npm test --silent 2>&1; done';
    expect((await toldOf({ command, printed: '# pass 2\n# fail 0' })).map((one) => one.command)).toEqual([
      'npm test --silent',
    ]);
  });

  it('has pytest’s summary without the rules around it', async () => {
    const printed = '========= 1 failed, 2 passed in 9.19s =========';
    const [test] = await toldOf({ command: 'pytest', printed, failed: true });
    expect(test!.runnerLine).toBe('1 failed, 2 passed in 9.19s');
  });
});

describe('A test run that ended with status 0', () => {
  it.each([
    [
      'bun test',
      `${NOISE}\n 1351 pass\n 0 fail\n 2939 expect() calls\nRan 1351 tests across 61 files. [910.00ms]`,
    ],
    ['npx vitest run', `${NOISE}\n Test Files  3 passed (3)\n      Tests  41 passed (41)\n   Duration  1.2s`],
    ['npx jest', `${NOISE}\nTest Suites: 3 passed, 3 total\nTests:       41 passed, 41 total`],
    ['go test ./...', `${NOISE}\nok  \tfeeder/src\t0.2s`],
    ['go test -v ./...', `${NOISE}\nok  \tfeeder/src\t0.2s`],
    ['npm test', NOISE],
    ['cd app && npm test', 'all is well'],
    ['set -o pipefail; pytest 2>&1 | tail -5', `${NOISE}\n5 passed in 0.12s`],
    ['set -e; npm run build; npm test', 'done'],
    ['make check', 'done'],
  ])('passed, whatever it printed in between: %s', async (command, printed) => {
    expect(await outcomeOf(command, printed)).toBe('passed');
  });

  it.each([
    ['its summary line says that tests failed', 'npm test', ' 3 pass\n 2 fail\nRan 5 tests across 1 file.'],
    ['there was no test', 'npx vitest run --dir empty', 'No test files found, exiting with code 0'],
    ['there was nothing to run', 'go test ./cmd', 'ok  \tfeeder/cmd\t0.1s [no tests to run]'],
    ['it only compiled', 'go test -c ./cmd -o /dev/null', ''],
    ['it only listed', 'pytest --collect-only', '5 tests collected'],
    ['a runner was installed', 'npm install -D vitest', 'added 3 packages'],
    ['a file of a runner was read', 'cat jest.config.js && echo test', 'module.exports = {}'],
    ['it went to the background', 'npm test > out.txt 2>&1 &', ''],
    ['its failure was allowed', 'npm test || true', ''],
    ['another command ran after it', 'npm test; npm run lint', ''],
    ['it ran in a loop', 'for i in 1 2 3; do npm test; done', ''],
    ['it was only run if something failed', 'npm run build || npm test', ''],
    ['every test was skipped', 'npx jest -t none', 'Tests:       5 skipped, 5 total'],
    ['every test was skipped or is to do', 'npx jest -t none', 'Tests:       5 skipped, 2 todo, 7 total'],
    ['every test was skipped', 'pytest', '===== 2 skipped, 3 deselected, 1 warning in 0.12s ====='],
    ['every test is pending', 'rspec', '5 examples, 0 failures, 5 pending'],
    [
      'every test was skipped',
      'phpunit',
      'OK, but some tests were skipped!\nTests: 5, Assertions: 0, Skipped: 5.',
    ],
    [
      'every test was skipped',
      'dotnet test',
      'Skipped! - Failed:     0, Passed:     0, Skipped:     5, Total:     5',
    ],
  ])('has no known outcome when %s', async (_, command, printed) => {
    expect(await outcomeOf(command, printed)).toBeNull();
  });

  it.each([
    ...['pytest --co -q', 'pytest --fixtures', 'pytest --markers', 'pytest --setup-plan', 'ctest -N'],
    ...['cargo nextest list', 'swift test list', 'make -n test', 'make -j4 -n test', 'rake -n test'],
    ...[
      'bats --count test',
      './gradlew test -m',
      './gradlew --dry-run test',
      'tox --notest',
      'dotnet test -t',
    ],
    ...['mvn -Dmaven.test.skip=true verify', 'mvn test -Dmaven.test.skip', 'mvn verify -DskipTests'],
    ...[
      'go test -run XXX -bench . ./...',
      "go test -run '^$' -bench=. ./...",
      "go test -run 'none' -bench . ./...",
      "go test -run '#' -bench . ./...",
      'go test -run=^$ -bench . ./...',
    ],
    ...[
      'go test ./... -run "^NONE$"',
      'gradle build -x test',
      'gradle check -x test',
      'gradle check -xtest',
      './gradlew -x :app:test check',
    ],
    ...['gradle test --exclude-task test'],
    ...[
      'npm run test:setup',
      'npm run test:db:up',
      'npm run test:build',
      'npm run test:install',
      'yarn test:lint',
    ],
    ...['npm run test:types', 'npm run coverage:report', 'rake test:prepare', 'rails db:test:prepare'],
    ...[
      'make test-deps',
      'make test-clean',
      'mvn test-compile',
      'npm run build:test',
      'npm run test:setup:ci',
    ],
  ])('is no run of tests: %s', async (command) => {
    expect((await evidenceOf({ command, printed: 'BUILD SUCCESSFUL in 3s' })).tests).toEqual([]);
  });

  it.each([
    ...[
      'pytest -n 4',
      'pytest -m slow',
      'pytest --count=5',
      'npx vitest run -t build',
      'make -j4 test',
      'go test -bench . ./...',
    ],
    ...[
      "go test -run 'TestHatch' ./...",
      'mvn verify -DskipTests=false',
      'mvn verify -Dmaven.test.skip=false',
    ],
    ...['gradle check -x lint', 'gradle test -x lint', 'gradle test -x integrationTest', 'cargo nextest run'],
    ...[
      'npm run test:unit',
      'npm run test:ci',
      'npm run test:e2e:chrome',
      'gradle :app:test',
      'gradle :lint:test',
      'cargo test config',
      'npx vitest archive',
      'make -Otarget test',
      'npx nx test build',
      'make test-race',
    ],
    ...['./gradlew :build-tools:test', 'npm test -- setup', 'tox -- -n 4', 'npm test -- --reporter none'],
  ])('is a run of tests: %s', async (command) => {
    expect(await outcomeOf(command, 'done')).toBe('passed');
  });

  it('failed though others were skipped', async () => {
    const printed = '  1 failed\n    hatch.spec.ts:3:1 › opens\n  2 skipped';
    expect(await outcomeOf('npx playwright test', printed, true)).toBe('failed');
  });

  it('passed though some tests were skipped', async () => {
    expect(await outcomeOf('npx jest', 'Tests:       5 skipped, 2 passed, 7 total')).toBe('passed');
    expect(await outcomeOf('pytest', '2 passed, 2 skipped in 0.12s')).toBe('passed');
    expect(await outcomeOf('rspec', '5 examples, 0 failures, 4 pending')).toBe('passed');
  });
});

describe('A hidden exit status', () => {
  it.each([
    [
      'bun run test 2>&1 | tail -5',
      ' 1290 pass\n 0 fail\n 2795 expect() calls\nRan 1290 tests across 58 files. [755.00ms]',
      'passed',
    ],
    [
      'bun run test 2>&1 | tail -5',
      ' 1351 pass\n 114 fail\n 114 errors\nRan 1465 tests across 176 files. [1017.00ms]',
      'failed',
    ],
    ['npx vitest run | tail', ' Test Files  1 failed | 2 passed (3)\n      Tests  5 passed (5)', 'failed'],
    ['npx jest 2>&1 | tail -4', 'Test Suites: 1 failed, 1 total\nTests:       3 passed, 3 total', 'failed'],
    ['npx mocha | tail -3', '  12 passing (31ms)', 'passed'],
    ['npx mocha | tail -9', '  12 passing (31ms)\n  1 failing\n\n  1) opens at dusk', 'failed'],
    ['node --test | tail -4', '# pass 12\n# fail 0\n# cancelled 0', 'passed'],
    ['python -m pytest -q | tail -1', '1 failed, 12 passed in 0.41s', 'failed'],
    ['uv run pytest | tail -1', '======= 12 passed, 1 warning in 0.41s =======', 'passed'],
    ['go test ./... 2>&1 | tail -20', 'ok  \tfeeder/a\t0.1s\nFAIL\tfeeder/b [build failed]\nFAIL', 'failed'],
    ['cargo test 2>&1 | tail -3', 'test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured', 'passed'],
    [
      'cargo nextest run | tail -2',
      '     Summary [   0.12s] 12 tests run: 11 passed, 1 failed, 0 skipped',
      'failed',
    ],
    ['bundle exec rspec | tail -1', '12 examples, 0 failures, 1 pending', 'passed'],
    ['vendor/bin/phpunit | tail -3', 'FAILURES!\nTests: 12, Assertions: 30, Failures: 1.', 'failed'],
    ['./gradlew test | tail -2', 'BUILD SUCCESSFUL in 3s', 'passed'],
    ['mvn -q test | tail -2', '[ERROR] BUILD FAILURE', 'failed'],
    ['dotnet test | tail -1', 'Test summary: total: 12, failed: 1, succeeded: 11, skipped: 0', 'failed'],
    ['ctest | tail -3', '100% tests passed, 0 tests failed out of 12', 'passed'],
    ['mix test | tail -1', '2 doctests, 12 tests, 1 failure', 'failed'],
    ['deno test | tail -1', 'ok | 12 passed | 0 failed (31ms)', 'passed'],
    [
      'npx turbo run test | tail -4',
      'web:test:  Tests  3 passed (3)\n Tasks:    2 successful, 3 total\nFailed:    api#test\n ERROR  run failed',
      'failed',
    ],
    ['bun run test 2>&1 | tail -3', '✨ All tests passed! The page is ready.', 'passed'],
    ['npx playwright test | tail', '  1 failed\n    hatch.spec.ts:3:1 › opens\n  4 passed (3.0s)', 'failed'],
    ['npx playwright test; true', '  1 flaky\n    hatch.spec.ts:3:1 › opens\n  2 skipped', 'passed'],
    ['tox | tail -2', '  py312: OK\n  congratulations :)', 'passed'],
    ['npm test; echo "exit: $?"', '1 failed, 3 passed in 0.4s\nexit: 1', 'failed'],
    [
      'npm test 2>&1 | tee out.txt',
      'Tests:       3 passed, 3 total\nTest Suites: 1 passed, 1 total',
      'passed',
    ],
  ])('is replaced by the runner’s own summary line: %s', async (command, printed, outcome) => {
    expect(await outcomeOf(command, printed)).toBe(outcome);
  });

  it.each([
    ['only the beginning of the output is shown', 'npx mocha | head -2', '  ✔ opens\n  12 passing (31ms)'],
    ['the output is filtered', 'npx jest 2>&1 | grep Tests:', 'Tests:       3 passed, 3 total'],
    ['the end may be cut off', 'npx mocha | head -90', `${'  ✔ opens\n'.repeat(90)}  12 passing (31ms)`],
    ['there is no summary line', 'npm test | tail -3', 'opened the hatch\nclosed the hatch'],
    [
      'two runs share one summary line',
      'npx jest a; npx vitest run b | tail -3',
      'Test Suites: 1 passed, 1 total',
    ],
    ['the package manager wraps many runners', 'pnpm -r test | grep passed', 'a test: Tests  3 passed (3)'],
    ['a script names an exception', 'npm test | tail -3', 'All tests passed except the one of the lamp'],
    ['a script names another number', 'npm test | tail -3', 'All tests passed: 4 of 5'],
    ['a script asks', 'npm test | tail -3', 'All tests passed? no'],
    ['the command itself prints it', 'npm test; echo "All tests passed"', 'opened\nAll tests passed'],
    ['it reports both pass and fail', 'npm test | tail -20', '12 passed in 0.3s\n 3 pass\n 1 fail'],
  ])('has no known outcome when %s', async (_, command, printed) => {
    expect(await outcomeOf(command, printed)).toBeNull();
  });
});

describe('A test run that ended with another status', () => {
  it.each([
    ['npm test', 'Exit code 1\nopened too late'],
    ['cd app && CI=1 npx jest', 'Exit code 1\nTest Suites: 1 failed, 1 total'],
    ['docker compose exec web pytest', 'Exit code 1\n1 failed in 0.3s'],
  ])('failed: %s', async (command, printed) => {
    expect(await outcomeOf(command, printed, true)).toBe('failed');
  });

  it.each([
    ['its runner is not there', 'npx vitest run', 'Exit code 127\nsh: vitest: command not found'],
    ['the wrapper does not know it', 'rtk bun run test', 'Exit code 2\nerror: unrecognized subcommand ‘bun’'],
    ['there is no such script', 'npm test', 'Exit code 1\nnpm error Missing script: "test"'],
    [
      'the folder is not there',
      'cd app && go test',
      'Exit code 1\n(eval):cd:1: no such file or directory: app',
    ],
    ['it ran out of time', 'npm test', 'Command timed out after 2m 0.0s'],
    ['`timeout` ended it', 'timeout 60 npm test', 'Exit code 124'],
    ['a signal ended it', 'npm test', 'Exit code 137'],
    [
      'another command may have failed',
      'npm run build && npm test && npm run lint',
      'Exit code 2\nsomething went wrong',
    ],
  ])('has no known outcome when %s', async (_, command, printed) => {
    expect(await outcomeOf(command, printed, true)).toBeNull();
  });

  it('passed when its summary line says so although a later command failed', async () => {
    const tests = await toldOf({
      command: 'npm test && npm run lint',
      printed:
        'Exit code 1\nTest Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n✖ 2 problems (2 errors)',
      failed: true,
    });
    expect(tests).toEqual([
      { command: 'npm test', before: null, after: 'passed', runnerLine: 'Tests: 3 passed, 3 total' },
    ]);
  });
});

describe('The last outcome of a test', () => {
  it('is a failure where nothing changed before it ran again with other lines shown', async () => {
    const failed = { command: 'bun test src/', printed: ' 9 pass\n 1 fail\nRan 10 tests.', failed: true };
    const again = { command: 'bun test src/ | grep -E "^src/"', printed: 'src/clock.test.ts:' };
    expect(await toldOf(failed, again)).toMatchObject([{ command: 'bun test src/', after: 'failed' }]);
  });

  it.each([
    [
      'a file was changed, though other tests passed since',
      'sed -i s/dusk/noon/ src/feed.ts',
      ['bun test b.test.ts'],
    ],
    ['a service was started', 'docker compose up -d', []],
    ['stashed changes came back', 'git stash pop', []],
  ])('is no failure where it ran again with an unknown outcome, and %s', async (_, change, known) => {
    const failed = {
      command: 'bun test a.test.ts',
      printed: ' 9 pass\n 1 fail\nRan 10 tests.',
      failed: true,
    };
    const others = known.map((command) => ({ command, printed: ' 9 pass\n 0 fail\nRan 9 tests.' }));
    const again = { command: 'bun test a.test.ts | grep -E "^src/"', printed: 'src/a.test.ts:' };
    const told = await toldOf(failed, { command: change, printed: '' }, ...others, again);
    expect(told.map(({ command }) => command)).toEqual(known);
  });

  it('is not an earlier one when the outcome of the last run is unknown', async () => {
    const passed = { command: 'npm test', printed: 'Tests  9 passed (9)' };
    expect(await toldOf(passed, { command: 'npm test | head -3', printed: 'opening' })).toEqual([]);
  });

  it.each([
    ['ended with an unknown outcome', 'go test ./... | grep -v ok', 'done', []],
    ['passed', 'go test ./...', 'ok  feeder', [{ command: 'go test ./...', after: 'passed' }]],
    ['of a task passed', 'mise run test', 'ok  feeder', [{ command: 'mise run test', after: 'passed' }]],
  ])('is not an earlier failure when a wider run %s', async (_, wide, printed, told) => {
    const failed = { command: 'go test ./feed/', printed: 'Exit code 1\n--- FAIL: TestDusk', failed: true };
    expect(await toldOf(failed, { command: wide, printed })).toMatchObject(told);
  });

  it.each([
    ['of a part of its name', 'go test -tags=dusk -run TestHatch ./feed', []],
    ['of a test with this subtest', 'go test -tags dusk -count=1 -run TestHatch_Opens ./feed', []],
    ['of several names', "go test -tags dusk -run 'TestLamp|TestHatch' ./feed", []],
    ['built without its tag', 'go test -run TestHatch ./feed', ['failed']],
    ['of another count', 'go test -tags dusk -count=50 -run TestHatch ./feed', ['failed']],
    ['of another package', 'go test -tags dusk -run TestHatch ./lamp', ['failed']],
    ['of a name that is not its beginning', 'go test -tags dusk -run "^Hatch" ./feed', ['failed']],
    ['of another subtest', 'go test -tags dusk -run TestHatch/shuts ./feed', ['failed']],
  ])('is not an earlier failure of a test when a run %s passed', async (_, command, failures) => {
    const narrow = 'go test -v -tags dusk -run TestHatch_Opens/early ./feed';
    const failed = { command: narrow, printed: 'Exit code 1\n--- FAIL: TestHatch_Opens', failed: true };
    const told = await toldOf(failed, { command, printed: 'ok  \tfeeder/feed\t0.2s' });
    expect(told.map(({ after }) => after)).toEqual([...failures, 'passed']);
  });

  it('is an earlier failure when all tests of another folder passed', async () => {
    const failed = { command: 'go test ./feed/', printed: 'Exit code 1\n--- FAIL: TestDusk', failed: true };
    const other = { command: 'cd /home/u/app/lamp && npm test', printed: 'Tests  9 passed (9)' };
    expect(await toldOf(failed, other)).toMatchObject([{ after: 'failed' }, { after: 'passed' }]);
  });

  it('is none where nothing was compiled', async () => {
    const printed =
      'Exit code 1\npackage lamp: build constraints exclude all Go files\nFAIL lamp [setup failed]';
    expect(await toldOf({ command: 'go test ./lamp/', printed, failed: true })).toEqual([]);
  });

  it('is that of a failed test’s own line, behind a filter too', async () => {
    const run = { command: 'go test ./... | grep -E "FAIL|PASS"', printed: '--- FAIL: TestDusk (0.01s)' };
    expect(await toldOf(run)).toMatchObject([{ after: 'failed' }]);
  });

  it.each([
    [
      'go test ./feed/ -v 2>&1 | grep -E "^(---|ok|FAIL)" | head -6',
      '--- PASS: TestDusk (0.00s)\nok  \tfeeder\t0.2s',
    ],
    ['mise run test:ci 2>&1 | grep -E "(FAIL|ok)" | tail -20', 'ok  \tfeeder\t0.2s\nok  \tlamp\t(cached)'],
  ])('is in what a filter keeps that shows failures too: %s', async (command, printed) => {
    expect(await toldOf({ command, printed })).toMatchObject([{ after: 'passed' }]);
  });

  it('is that of all tests, though fewer passed again after them', async () => {
    const all = { command: 'mise run test:ci', printed: 'ok  \tfeeder\t0.2s' };
    const one = { command: 'go test ./feed/ -run TestDusk', printed: 'ok  \tfeeder\t0.1s' };
    expect((await toldOf(all, one)).map(({ command }) => command)).toEqual([one.command, all.command]);
  });

  it('is an earlier failure when another test passed', async () => {
    const failed = { command: 'go test ./feed/', printed: 'Exit code 1\n--- FAIL: TestDusk', failed: true };
    expect(await toldOf(failed, { command: 'go test ./lamp/', printed: 'ok  lamp' })).toMatchObject([
      { command: 'go test ./feed/', after: 'failed' },
      { command: 'go test ./lamp/', after: 'passed' },
    ]);
  });

  it('is a failure where only what the tests need was prepared', async () => {
    const failed = { command: 'npm test', printed: 'Exit code 1\nTests  1 failed (9)', failed: true };
    expect(await toldOf(failed, { command: 'npm run test:setup', printed: 'done' })).toMatchObject([
      { command: 'npm test', after: 'failed' },
    ]);
  });

  it('is kept when a later call did not start the runner', async () => {
    const passed = { command: 'npm test', printed: 'Tests  9 passed (9)' };
    const missing = {
      command: 'npm test',
      printed: 'Exit code 1\nnpm error Missing script: "test"',
      failed: true,
    };
    expect(await toldOf(passed, missing)).toMatchObject([{ command: 'npm test', after: 'passed' }]);
  });
});

it.each([
  ['golangci-lint run ./... 2>&1 | head -40', '0 issues.', 'ok'],
  ['npx biome check . | tail -5', 'Checked 12 files in 30ms. No fixes applied.', 'ok'],
  ['golangci-lint run ./... 2>&1 | head -40', 'a.go:1: unused\n1 issues:', null],
  ['gofmt -l . ; golangci-lint run | tail -1', '0 issues.', null],
])('A linter behind a pipe ended well if it prints so: %s', async (command, printed, outcome) => {
  const session = new Session();
  session.prompt('Clean up the feeder');
  session.edited('/home/u/app/src/feed.ts').ran(command, printed);
  session.reply('Cleaned up the feeder so that the hatch has only one name everywhere.');
  const [row] = (await remembered(session)).observations;
  expect(row!.evidence.commands.at(-1)?.outcome).toBe(outcome);
});
