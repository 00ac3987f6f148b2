// Which line of an error is kept, and what is told about its cure.
import { describe, expect, it } from 'vitest';
import { remembered, Session } from './observed.ts';

/** A test that fails so, is explained so, and passes after an edit. */
async function met(printed: string, said?: string) {
  const session = new Session();
  session.prompt('Make the feeder open before dusk, please.');
  session.failed('npm test', printed);
  if (said !== undefined) session.reply(said);
  session.edited('/home/u/app/src/feed.ts').ran('npm test', 'Tests  9 passed (9)');
  session.reply('Changed the feeder so that it opens an hour before dusk.');
  const { observations } = await remembered(session);
  return observations[0]!.evidence.errors[0]!;
}

describe('The line of an error that is kept', () => {
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
      'a linter',
      'Checking 3 source files ...\n[W] Comparison will never be true',
      '[W] Comparison will never be true',
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

describe('What helped', () => {
  it('is the agent’s sentence between the failure and the pass, with the files', async () => {
    const { fixedBy } = await met(
      'AssertionError: 19 is not 18',
      'I see. The feeder reads the clock in local time, but the test doesn’t set a zone. Let me fix that:',
    );
    expect(fixedBy).toBe(
      'The feeder reads the clock in local time, but the test doesn’t set a zone (edits to feed.ts)',
    );
  });

  it('is what the agent announced, where no cause is told', async () => {
    const { fixedBy } = await met(
      'AssertionError: 19 is not 18',
      'Let me add the missing zone to the clock:',
    );
    expect(fixedBy).toBe('Add the missing zone to the clock (edits to feed.ts)');
  });

  it('is the edited files alone, where nothing was said', async () => {
    expect((await met('AssertionError: 19 is not 18')).fixedBy).toBe('edits to feed.ts');
  });

  it('of a wrong folder is another way of calling, never an edit', async () => {
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
    expect(observations[0]!.evidence.errors.map(({ fixedBy }) => fixedBy)).toEqual([
      'running go test ./src -run TestDusk instead',
    ]);
  });
});
