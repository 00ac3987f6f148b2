// Which commands are known to fail: those whose own status said so several times, and that never passed.
import { describe, expect, it } from 'vitest';
import {
  contextKeys,
  contextProjector,
  failingCalls,
  memoryKeys,
  newestRows,
  type ViewReader,
} from '../../../projections/index.ts';
import { failingLines } from '../../../src/brief/sections/run-commands.ts';
import { remembered, Session } from '../extract/observed.ts';
import { observation, told, viewOf, WORKDIR } from './rows.ts';

const CWD = '/home/u/app';
const ERROR = 'Exit code 1\nTypeError: generate is not a function';

async function viewOfSession(run: (session: Session) => unknown) {
  const session = new Session();
  session.prompt('Build it');
  run(session);
  session.reply('It was tried.');
  const { documents } = await remembered(session);
  const made = documents.map((one) => ({ key: memoryKeys.document(one.id), before: null, after: one }));
  return { view: await viewOf(made), made };
}

async function fails(run: (session: Session) => unknown): Promise<string[]> {
  const { view } = await viewOfSession(run);
  return failingLines(await failingCalls(view, [CWD], 50), []).map(({ text }) => text);
}

describe('A command that failed twice and never passed', () => {
  it('is known to fail, with its last error', async () => {
    const shown = await fails((one) =>
      one.failed('npm run build', 'Exit code 1\nTypeError: old').failed('npm run build', ERROR),
    );
    expect(shown).toEqual([
      '`npm run build` (2 times, never seen passing; last: TypeError: generate is not a function)',
    ]);
  });

  it('is shown with its folder and arguments, as it was called last', async () => {
    const shown = await fails((one) =>
      one.failed('npm run build', ERROR).failed('cd /home/u/app/web && npm run build --verbose 2>&1', ERROR),
    );
    expect(shown[0]).toContain('`cd web && npm run build --verbose` (`npm run build` 2 times, never');
  });

  it.each([
    ['rtk npm test', 'npm test'],
    ['npm test', 'npx npm test'],
    ['npm run build', 'pnpm build'],
  ])('%s names what passes in its place: %s', async (failing, passing) => {
    const shown = await fails((one) => one.failed(failing, ERROR).failed(failing, ERROR).ran(passing));
    expect(shown[0]).toContain(`\`${failing}\` (2 times; last: TypeError`);
    expect(shown[0]).toContain(`; \`${passing}\` passes`);
  });

  it('says so if what passed in its place failed last', async () => {
    const { view, made } = await viewOfSession((one) =>
      one.failed('rtk npm test', ERROR).failed('rtk npm test', ERROR).ran('npm test', '# pass 2\n# fail 0'),
    );
    const rows = [
      observation(2, {
        evidence: { tests: [{ command: 'npm test', before: null, after: 'failed', runnerLine: null }] },
      }),
    ];
    const seen = await viewOf([...made, ...rows.map((row) => told(row))]);
    const newest = await newestRows(seen, [WORKDIR], 'observation', 5);
    const [line] = failingLines(await failingCalls(view, [CWD], 50), newest);
    expect(line!.text).toContain('; `npm test` runs, and failed last');
  });

  it('shows no output that names no error', async () => {
    const said = 'Exit code 1\nThree packages may be newer';
    expect(await fails((one) => one.failed('npm audit', said).failed('npm audit', said))).toEqual([
      '`npm audit` (2 times, never seen passing)',
    ]);
  });
});

it('Of the calls that passed a bounded number is read, and a failing one is looked for by itself', async () => {
  const { view } = await viewOfSession((one) =>
    ['npm run build', 'zig test'].map((call) => one.failed(call, ERROR).failed(call, ERROR)),
  );
  for (let number = 0; number < 1_500; number++)
    view.put(contextKeys.tally(CWD, 'call', `seed ${10_000 + number}`), 1);
  view.put(contextKeys.tally(CWD, 'call', 'zig test'), 1);
  let read = 0;
  const counting: ViewReader = {
    ...view,
    range: async <R>(...range: Parameters<ViewReader['range']>) => {
      const rows = await view.range<R>(...range);
      read += rows.length;
      return rows;
    },
  };
  expect((await failingCalls(counting, [CWD], 50)).map(({ call }) => call)).toEqual(['npm run build']);
  expect(read).toBeLessThan(1_100);
});

describe('Nothing is known of a command that', () => {
  it.each<[string, (session: Session) => unknown]>([
    ['failed once', (one) => one.failed('npm run build', ERROR)],
    [
      'passed before',
      (one) => one.ran('npm run build').failed('npm run build', ERROR).failed('npm run build', ERROR),
    ],
    [
      'passed in a chain',
      (one) => one.failed('make seeds', ERROR).failed('make seeds', ERROR).ran('ls; make seeds && npm test'),
    ],
    [
      'may have passed behind a pipe',
      (one) => one.failed('make seeds', ERROR).failed('make seeds', ERROR).ran('make seeds | tail -3'),
    ],
    [
      'passed with other arguments',
      (one) => one.failed('go test ./hatch', ERROR).failed('go test ./hatch', ERROR).ran('go test ./...'),
    ],
    ['was one of a chain', (one) => one.failed('make a && make b', ERROR).failed('make a && make b', ERROR)],
    [
      'came after another command that may have failed',
      (one) => one.failed('cp a b && make seeds', ERROR).failed('cp a b && make seeds', ERROR),
    ],
    ['only looks', (one) => one.failed('grep x y', ERROR).failed('grep x y', ERROR)],
    ['is git', (one) => one.failed('git push', ERROR).failed('git push', ERROR)],
    [
      'timed out',
      (one) =>
        one
          .failed('make seeds', 'Command timed out after 2m')
          .failed('make seeds', 'Command timed out after 2m'),
    ],
    [
      'found no folder',
      (one) =>
        one
          .failed('cd web && make seeds', 'bash: cd: web: No such file')
          .failed('cd web && make seeds', 'bash: cd: web: No such file'),
    ],
    [
      'the agent did not call',
      (one) =>
        one
          .failed('make seeds', '<tool_use_error>Sibling tool call errored')
          .failed('make seeds', '<tool_use_error>Sibling tool call errored'),
    ],
  ])('%s', async (_, run) => {
    expect(await fails(run)).toEqual([]);
  });
});

it('An error that is printed first counts as a failure although a pipe hides the status', async () => {
  const shown = await fails((one) =>
    one.failed('rtk make', ERROR).ran('rtk make | tail -3', 'error: no such command'),
  );
  expect(shown[0]).toContain('`rtk make` (2 times, never seen passing');
});

it('What is forgotten is counted no longer', async () => {
  const { view, made } = await viewOfSession((one) =>
    one.failed('make seeds', ERROR).failed('make seeds', ERROR).ran('make oil'),
  );
  const before = await view.range('');
  expect(before.some(([rowKey]) => rowKey.includes('oil'))).toBe(true);
  expect(await failingCalls(view, [CWD], 50)).toHaveLength(1);
  const gone = made.map(({ key, after }) => ({ key, before: after, after: null }));
  await contextProjector.fold(gone, view);
  expect(await view.range('')).toEqual([]);
});
