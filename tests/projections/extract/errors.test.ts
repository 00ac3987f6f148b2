// Which line of an error is kept, and which fix.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

/** A test that fails, is explained, and passes after an edit. */
async function met(printed: string, runnerLine?: string) {
  const session = new Session();
  session.prompt('Make the feeder open before dusk, please.');
  session.failed('npm test', printed);
  if (runnerLine !== undefined) session.reply(runnerLine);
  session.edited('/home/u/app/src/feed.ts').ran('npm test', 'Tests  9 passed (9)');
  session.reply('Changed the feeder so that it opens an hour before dusk.');
  const { observations } = await remembered(session);
  return observations[0]!.evidence.errors[0]!;
}

describe('The fix of a failing test', () => {
  it.each<[string, string | null, (session: Session) => void]>([
    ['an edit of code', 'edits to feed.ts', (one) => one.edited('/home/u/app/src/feed.ts')],
    ['an edit of a document', null, (one) => one.edited('/home/u/app/README.md')],
    [
      'code beside a document',
      'edits to feed.ts',
      (one) => one.edited('/home/u/app/src/feed.ts').wrote('/home/u/app/a.md'),
    ],
    [
      'edits before and after it failed again',
      'edits to hatch.ts, feed.ts',
      (one) =>
        one
          .edited('/home/u/app/src/hatch.ts')
          .failed(
            'npm test',
            'FAIL src/dusk.test.ts > opens before dusk\nAssertionError: expected 19 to be 18',
          )
          .edited('/home/u/app/src/feed.ts'),
    ],
    [
      'a command that changed files',
      null,
      (one) => one.ran("sed -i 's/1/2/' src/feed.ts", '').edited('/home/u/app/src/hatch.ts'),
    ],
    [
      'a folder that was made',
      null,
      (one) => one.wrote('/home/u/app/src/hatch.ts').ran('mkdir generated', ''),
    ],
  ])('%s: %s', async (_, fixedBy, change) => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session
      .edited('/home/u/app/src/before.ts')
      .failed('npm test', 'FAIL src/dusk.test.ts > opens before dusk\nAssertionError: expected 19 to be 18');
    change(session);
    session.ran('npm test', 'Tests  9 passed (9)');
    session.reply('Changed the feeder so that it opens an hour before dusk.');
    const { observations } = await remembered(session);
    expect(observations[0]!.evidence.errors[0]?.fixedBy ?? null).toBe(fixedBy);
  });
});

describe('The error line', () => {
  it.each([
    [
      'Go',
      '=== RUN   TestDusk\n    dusk_test.go:12: opened at 19:00, want 18:00\n--- FAIL: TestDusk (0.00s)\n    dusk_test.go:12: opened at 19:00, want 18:00\nFAIL',
      'TestDusk: dusk_test.go:12: opened at 19:00, want 18:00',
    ],
    [
      'ExUnit',
      'warning: variable "x" is unused\n\n  1) test opens before dusk (Feeder.DuskTest)\n     test/dusk_test.exs:9\n     ** (RuntimeError) no clock configured\n',
      'opens before dusk: (RuntimeError) no clock configured',
    ],
    [
      'pytest',
      '....F\nE   ValueError: no clock\nFAILED tests/test_dusk.py::test_opens - ValueError: no clock',
      'tests/test_dusk.py::test_opens',
    ],
    [
      'TypeScript',
      '> tsc --noEmit\n\nsrc/dusk.ts(4,7): error TS2322: Type "string" is not assignable to type "number".',
      'src/dusk.ts(4,7): error TS2322',
    ],
    [
      'an assertion below its heading',
      'Error Trace:\t/app/dusk_test.go:9\n\tError:      \tNot equal: \n\t            \texpected: 18\n\t            \tactual  : 19',
      'expected: 18',
    ],
  ])('of %s', async (_, printed, line) => {
    expect((await met(`Exit code 1\n${printed}`)).error).toContain(line);
  });

  it('is not a warning, and not a long line of data', async () => {
    const data = `<svg>${'<path d="M0 0 undefined"/>'.repeat(40)}</svg>`;
    const { error } = await met(`warning: unused import\n${data}\nReferenceError: dusk is not defined`);
    expect(error).toBe('ReferenceError: dusk is not defined');
  });
});

describe('The fix is unknown', () => {
  const cases: [string, (session: Session) => void][] = [
    [
      'when the error is output of the tested code',
      (session) =>
        session
          .failed(
            'bun test',
            'Exit code 1\nerror: Item 3 failed\n 9 pass\n 1 fail\nRan 10 tests across 1 file.',
          )
          .edited('/home/u/app/src/feed.ts')
          .ran('bun test', ' 10 pass\n 0 fail'),
    ],
    [
      'by another command that passes',
      (session) =>
        session
          .failed('bun run test', 'Exit code 1\n(fail) opens at dusk [0.9ms]\n 1 fail')
          .edited('/home/u/app/src/feed.ts')
          .ran('bun run lint', 'Checked 3 files'),
    ],
    [
      'by a narrower run of the same tests',
      (session) =>
        session
          .failed('bun test', 'Exit code 1\n(fail) opens at dusk [0.9ms]\n 1 fail')
          .edited('/home/u/app/src/feed.ts')
          .ran('bun test src/other.test.ts', ' 3 pass\n 0 fail'),
    ],
    [
      'where it failed otherwise in between',
      (session) =>
        session
          .failed('bun test', 'Exit code 1\n(fail) opens at dusk [0.9ms]\n 1 fail')
          .edited('/home/u/app/src/feed.ts')
          .failed('bun test', 'Exit code 1\n(fail) closes at dawn [0.9ms]\n 1 fail')
          .edited('/home/u/app/src/door.ts')
          .ran('bun test', ' 10 pass\n 0 fail'),
    ],
    [
      'where many files were edited',
      (session) => {
        session.failed('bun test', 'Exit code 1\n(fail) opens at dusk [0.9ms]\n 1 fail');
        for (const name of ['a', 'b', 'c', 'd']) session.edited(`/home/u/app/src/${name}.ts`);
        session.ran('bun test', ' 10 pass\n 0 fail');
      },
    ],
    [
      'where a pipe hides how it ended',
      (session) =>
        session
          .failed('npm run build', 'Exit code 1\nsrc/feed.ts(4,7): error TS2322: Type.')
          .edited('/home/u/app/src/feed.ts')
          .ran('npm run build | head -3', 'building'),
    ],
  ];
  it.each(cases)('%s', async (_, tell) => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    tell(session);
    session.reply('Changed the feeder so that it opens an hour before dusk on every day of the week.');
    const { observations } = await remembered(session);
    const fixes = observations[0]!.evidence.errors.map(({ error, fixedBy }) => `${error}: ${fixedBy}`);
    expect(
      fixes.filter((one) => /dusk:? (?!.*null)|Item 3|TS2322.*edits/.test(one) && !/: null$/.test(one)),
    ).toEqual([]);
  });
});

describe('The fix', () => {
  it('is the edited files', async () => {
    expect((await met('AssertionError: 19 is not 18')).fixedBy).toBe('edits to feed.ts');
  });

  it('is not recorded for a wrong folder: another call is no fix', async () => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.go');
    session.failed(
      'go test ./app/src -run TestDusk',
      'Exit code 1\nstat /home/u/app/app/src: directory not found',
    );
    session.edited('/home/u/app/src/other.go').ran('go test ./src -run TestDusk', 'ok  feeder 0.1s');
    session.reply('Changed the feeder so that it opens an hour before dusk.');
    const { observations } = await remembered(session);
    expect(observations[0]!.evidence.errors).toEqual([]);
  });

  it('is not recorded for complaints of a linter or a formatter', async () => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.failed('npm run lint', 'Exit code 1\nsrc/feed.ts:3 error: x is unused');
    session.edited('/home/u/app/src/feed.ts').ran('npm run lint', 'done');
    session.reply('Changed the feeder so that it opens an hour before dusk.');
    expect((await remembered(session)).observations[0]!.evidence.errors).toEqual([]);
  });

  it('is not needed when a wider run of the same tool passed later', async () => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.go');
    session.failed('go test ./dusk -run TestOpen -v -count=1', 'Exit code 1\n--- FAIL: TestOpen\n  want 18');
    session.ran('go test ./...', 'ok  feeder 0.1s');
    session.reply('Changed the feeder so that it opens an hour before dusk.');
    expect((await remembered(session)).observations[0]!.facts.join()).not.toContain('Still failing');
  });

  it.each([
    ['behind a filter', 'npm run build | Select-String SUCCESS', 'done'],
    ['in the background', 'npm run build & sleep 1; tail build.log', 'done'],
  ])('is unknown, and so is the failure, when the command ran again %s', async (_, again, printed) => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    session.failed('npm run build', 'Exit code 2\nsrc/feed.ts(3,1): error TS2322: Type string');
    session.edited('/home/u/app/src/feed.ts').ran(again, printed);
    session.reply('Changed the feeder so that it opens an hour before dusk.');
    expect((await remembered(session)).observations[0]!.facts.join()).not.toContain('Still failing');
  });

  it('is left out in a part of a turn: the work goes on', async () => {
    const session = new Session();
    session.prompt('Make the feeder open before dusk, please.');
    session.edited('/home/u/app/src/feed.ts');
    for (let use = 0; use < 58; use++) session.read(`/home/u/app/src/${use}.ts`);
    session.failed('npm test', 'Exit code 1\nAssertionError: 19 is not 18\nTests  1 failed (9)');
    for (let use = 0; use < 30; use++) session.edited(`/home/u/app/src/${use}.ts`);
    session.ran('npm test', 'Tests  9 passed (9)');
    session.reply('Changed the feeder so that it opens an hour before dusk.');
    const [first, second] = (await remembered(session)).observations;
    expect(first!.facts.join()).not.toMatch(/Still failing|: failed/);
    expect(first!.evidence).toMatchObject({ errors: [], tests: [] });
    expect(second!.evidence.tests).toMatchObject([{ after: 'passed' }]);
  });
});
