// Commands of several packages in one repository, and the last result of tests that is known.
import { describe, expect, it } from 'vitest';
import { runnerOf, typed } from '../../src/brief/sections/run-commands.ts';
import { observation, summary, told } from '../projections/context/rows.ts';
import { agentText, materialOf, textOf } from './material.ts';

const tested = (number: number, command: string, after: 'passed' | 'failed' = 'passed', more = {}) =>
  observation(number, {
    ...more,
    evidence: { tests: [{ command, before: null, after, runnerLine: null }] },
  });

describe('A command of one package', () => {
  it.each([
    ['pnpm --filter @feeder/hatch test', 'pnpm --filter @feeder/clock test'],
    ['npm --prefix hatch run test', 'npm --prefix clock run test'],
    ['npm test --workspace=hatch', 'npm test --workspace=clock'],
    ['go -C hatch test ./...', 'go -C clock test ./...'],
    ['npm test (in hatch)', 'npm test (in clock)'],
  ])('is another one than that of a second package: %s', async (one, other) => {
    expect(runnerOf(one)).not.toBe(runnerOf(other));
    const all = await textOf(tested(1, one), tested(2, other), tested(3, other));
    expect(all).toContain(
      `Test: \`${typed(other)}\` passed in 2 pieces of work; also passed: \`${typed(one)}\` once`,
    );
  });

  it.each([
    ['npx vitest run tests/a.test.ts', 'npx vitest run'],
    ['go test ./hatch -run Opens', 'go test ./...'],
    ['pnpm --filter hatch test --silent', 'pnpm --filter hatch test'],
  ])('is the same with other files and flags: %s', (one, other) => {
    expect(runnerOf(one)).toBe(runnerOf(other));
  });

  it('is listed once with a folder and without, as it was run most often', async () => {
    const plain = [tested(1, 'go test ./...'), tested(2, 'go test ./...')];
    const all = await textOf(tested(3, 'go test ./... (in src)'), ...plain);
    expect(all).toContain('Test: `go test ./...` passed in 2 pieces of work (');
    expect(all).not.toContain('cd src');
  });

  it('that failed stays open if the tests of another package passed', async () => {
    const evidence = {
      tests: [
        { command: 'pnpm --filter hatch test', before: null, after: 'failed' as const, runnerLine: null },
        { command: 'pnpm --filter clock lint', before: null, after: 'failed' as const, runnerLine: null },
      ],
      commands: [{ command: 'pnpm --filter clock test', outcome: 'ok' as const }],
    };
    expect(await textOf(observation(1, { evidence }))).toContain(
      '`pnpm --filter hatch test` failed the last time its end was seen',
    );
  });

  it('that failed may have passed where the folder is not known', async () => {
    const evidence = {
      tests: [{ command: 'npm test (in hatch)', before: null, after: 'failed' as const, runnerLine: null }],
      commands: [{ command: 'npm test', outcome: 'ok' as const }],
    };
    expect(await textOf(observation(1, { evidence }))).not.toContain('the last time its end was seen');
  });
});

describe('A check', () => {
  const checked = (number: number, command: string, outcome: 'ok' | 'failed') =>
    observation(number, { evidence: { commands: [{ command, outcome }] } });

  it('of other work is told apart, and one that failed last is left out', async () => {
    const all = await textOf(
      checked(1, 'npm run typecheck', 'ok'),
      checked(2, 'npx tsc --noEmit', 'ok'),
      checked(3, 'npm run typecheck', 'failed'),
      checked(4, 'npm run lint', 'ok'),
      checked(5, 'npm run lint', 'ok'),
    );
    expect(all).toMatch(/`npm run lint` ended well; in other work also: `npx tsc --noEmit` \(/);
  });

  it('of one file is shown only if no other is known, and says so', async () => {
    const one = 'npx eslint --max-warnings 0 .lamp/hatch.ts';
    expect(await textOf(checked(1, one, 'ok'))).toContain(
      `Format, lint, build of single files: \`${one}\` ended well`,
    );
    for (const whole of ['npx eslint -c .eslintrc.json .', 'npx prettier --check README.md src'])
      expect(await textOf(checked(1, whole, 'ok'))).toContain(`Format, lint, build: \`${whole}\``);
    const both = await textOf(checked(1, one, 'ok'), checked(2, one, 'ok'), checked(3, 'npm run lint', 'ok'));
    expect(both).toContain('Format, lint, build: `npm run lint` ended well (');
  });
});

describe('A part of the tests', () => {
  it('is not how everything is tested', async () => {
    const one = 'go test ./hatch -run TestOpens (in src)';
    const all = await textOf(tested(1, one), tested(2, one), tested(3, 'go test ./hatch (in src)'));
    expect(all).toContain('Test: `cd src && go test ./hatch` passed once (');
    expect(all).toContain('One test: `cd src && go test ./hatch -run TestOpens` (');
  });

  it('is shown with the folder in which it runs, or not at all', async () => {
    const all = await textOf(
      tested(1, 'go test ./... (in src)'),
      tested(2, 'go test ./hatch -run TestOpens'),
    );
    expect(all).not.toContain('One test');
  });
});

describe('A test that failed last', () => {
  it('is shown with the run that failed', async () => {
    const all = await textOf(tested(1, 'npm test'), tested(2, 'npm test', 'failed'));
    expect(all).toMatch(/`npm test` passed once; last: failed \(o-0+2, /);
  });
});

describe('A command of a folder', () => {
  it('is shown as one would type it, in every section', async () => {
    expect(typed('npm test (in web site)')).toBe('cd "web site" && npm test');
    expect(typed('npm test')).toBe('npm test');
    const error = { error: 'Cannot find the hatch', command: 'npx tsc --noEmit (in types)', fixedBy: 'oil' };
    const all = await textOf(
      observation(1, {
        evidence: {
          commands: [{ command: 'npm run lint && npx tsc --noEmit (in types)', outcome: 'ok' }],
          tests: [{ command: 'npm test (in hatch)', before: null, after: 'passed', runnerLine: '3 passed' }],
          errors: [error],
        },
      }),
      observation(2),
      summary(2),
    );
    expect(all).toContain('`cd types && npm run lint`, `cd types && npx tsc --noEmit` ended well');
    expect(all).toContain('Test: `cd hatch && npm test` passed once');
    expect(all).toContain('Tests last seen: `cd hatch && npm test` passed (3 passed)');
    expect(all).toContain('Tests: `cd hatch && npm test` passed (3 passed).');
    expect(all).toContain('(on `cd types && npx tsc --noEmit`)');
    expect(all).not.toContain('(in ');
  });
});

describe('A command in a loop or a condition', () => {
  it.each([
    ['for i in 1 2 3; do npm test --silent; done'],
    ['if npm test --silent; then echo fine; fi'],
    ['while ! npm test --silent; do sleep 1; done'],
    ['if true; then (npm test --silent); fi'],
    ['{ npm test --silent; }'],
  ])('is shown without the words of the shell around it: %s', async (command) => {
    expect(await textOf(tested(1, command), tested(2, 'npm test --silent'))).toContain(
      'Test: `npm test --silent` passed in 2 pieces of work (',
    );
  });

  it.each([['for one in a b; do npm test --workspace=$one; done'], ['npm test --workspace="${one}"']])(
    'is not shown if it needs the variable of the loop: %s',
    async (command) => {
      expect(await textOf(tested(1, command))).not.toContain('Test:');
    },
  );
});

describe('Tests that ran again with an unknown outcome', () => {
  const AGAIN = 'outcome not recognised; before that ';
  const unclear = (number: number) => observation(number, { evidence: { testsUnclear: true } });

  it('are mentioned before the last known outcome', async () => {
    expect(await textOf(tested(1, 'npm test'), unclear(2), summary(2))).toContain(
      `Tests last seen: ${AGAIN}\`npm test\` passed`,
    );
  });

  it('are not mentioned before it', async () => {
    expect(await textOf(unclear(1), tested(2, 'npm test'), summary(2))).not.toContain(AGAIN);
  });
});

describe('Without tests in the last session', () => {
  it('those of the newest session that has a result are shown, with their time', async () => {
    const all = await textOf(tested(1, 'npm run old'), tested(11, 'npm test'), observation(21), summary(21));
    expect(all).toMatch(
      /Tests last seen, in session session-: `npm test` passed \(o-\d+, 2026-01-01 11:00\)/,
    );
    expect(all).not.toContain('Tests last seen:');
  });

  it('the text for a resumed session has none of other sessions', async () => {
    const rows = [tested(1, 'npm test'), observation(21), summary(21)].map((row) => told(row));
    const all = agentText(await materialOf(rows, { occasion: 'resume', sessionId: 'session-2' }));
    expect(all).not.toContain('Tests last seen');
  });
});
