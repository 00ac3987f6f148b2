import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { call } from './call.ts';

test('without arguments the command prints its overview and exits with 0', async () => {
  const { code, stdout, stderr } = await call([]);
  expect(code).toBe(0);
  for (const { name, summary } of COMMANDS)
    expect(stdout).toMatch(new RegExp(`${name} +${summary.slice(0, 20)}`));
  expect(stderr).toBe('');
});

test.each(COMMANDS.map(({ name }) => name))(
  '%s --help prints a description, options and examples',
  async (name) => {
    const { code, stdout, opened } = await call([name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: annals ${name}`);
    expect(stdout).toContain(`$ annals ${name}`);
    expect(stdout).toContain('--home <folder>');
    expect(opened).toEqual([]);
    expect((await call(['help', name])).stdout).toBe(stdout);
  },
);

test('a mistyped command is wrong use, with a suggestion', async () => {
  const { code, stdout, stderr } = await call(['serch', 'clock']);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe("error: Unknown command 'serch'.\nDid you mean search?\n");
});

test('what is near to nothing gets no suggestion', async () => {
  expect((await call(['help', 'foo'])).stderr).toBe("error: Unknown command 'foo'.\nSee `annals --help`.\n");
  expect((await call(['supersede', 'o-1', '--reason', 'x'])).stderr).toMatch(
    /\nSee `annals supersede --help`\.\n$/,
  );
});

test('help for a mistyped command suggests one too, and help for help is the overview', async () => {
  const mistyped = await call(['serch']);
  expect(await call(['help', 'serch'])).toMatchObject({ code: 2, stdout: '', stderr: mistyped.stderr });
  expect((await call(['--json', 'help', 'serch'])).json()).toMatchObject({
    error: { message: "Unknown command 'serch'.", hint: 'Did you mean search?' },
  });
  expect(await call(['help', 'help'])).toMatchObject({ code: 0, stdout: (await call([])).stdout });
});

test('options without a command are wrong use', async () => {
  const { code, stdout, stderr } = await call(['--no-color']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe('error: No command is given.\nSee `annals --help`.\n');
  expect((await call(['--json'])).json()).toMatchObject({ error: { message: 'No command is given.' } });
});

test('a mistyped option is wrong use, with a suggestion', async () => {
  const { code, stderr } = await call(['search', 'clock', '--projct', 'birdfeeder']);
  expect(code).toBe(2);
  expect(stderr).toContain('--projct');
  expect(stderr).toContain('Did you mean --project?');
});

test.each([
  [['kind:tool', '-type:Bash'], 'kind:tool -type:Bash', {}],
  [['-jest', 'clock', '--limit', '3'], '-jest clock', { limit: 3 }],
  [['rm', '-rf', 'dist', '--', '--force'], 'rm -rf dist --force', {}],
  [['--', 'worker', '-session'], 'worker -session', {}],
])('a word with one dash is a word of the search, in its place: %j', async (words, query, options) => {
  const { code, annals } = await call(['search', ...words]);
  expect(code).toBe(0);
  expect(annals.calls).toContainEqual(['search', query, options]);
});

test.each([
  [['-jest', '--projct', 'x'], 'Did you mean --project?'],
  [['clock', '-limit', '3'], '-limit may be the option --limit or a word to exclude.'],
  [['clock', '-limit', '3'], 'annals search -- clock -limit'],
])('an option that is mistyped is no word of the search: %j', async (words, told) => {
  const { code, stderr, opened } = await call(['search', ...words]);
  expect(code).toBe(2);
  expect(stderr).toContain(told);
  expect(opened).toEqual([]);
});

test.each([
  [['search']],
  [['search', '   ']],
  [['search', 'clock', '--limit', '0']],
  [['search', 'clock', '--limit', 'many']],
  [['search', 'clock', '--kind', 'thought']],
  [['show']],
  [['import']],
  [['import', '']],
  [['import', '--from', 'markdown', '']],
  [['export', '']],
  [['restore', '']],
  [['context', '--cwd', '']],
  [['context', '--write', '']],
  [['context', '--write', '', '--remove']],
  [['agent', 'check', '']],
  [['mode', 'validate', '']],
  [['log', '--type', 'tool.broken']],
  [['replay', '--from', '7']],
  [['save', '--text', 'no title']],
  [['status', 'too', 'many']],
  [['status', '--home', '']],
  [['status', '--home', 'a', '--home', 'b']],
  [['search', 'clock', '--kind', 'prompt', '--kind', 'answer']],
  [['log', '--limit', '2', '--limit=3']],
])('wrong use ends with 2 and touches no log: %j', async (words) => {
  const { code, stdout, stderr, opened } = await call(words);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^error: [A-Z-].+\.\n/);
  expect(stderr).not.toContain('    at ');
  expect(opened).toEqual([]);
});

test('wrong use with --json prints an object on stdout', async () => {
  const { code, json, stderr } = await call(['search', '--json']);
  expect(code).toBe(2);
  expect(json()).toEqual({
    error: {
      code: 'USAGE',
      message: 'There is nothing to search for.',
      hint: 'See `annals search --help`.',
    },
  });
  expect(stderr).toBe('');
  const there = await call(['--home', '/srv/other', 'search', '--json']);
  expect(there.json()).toMatchObject({ error: { hint: 'See `annals search --help`.' } });
});

test('global options work before and after the command', async () => {
  const before = await call(['--home', 'memory', '--json', 'status']);
  const behind = await call(['status', '--json', '--home', 'memory']);
  expect(before.stdout).toBe(behind.stdout);
  expect(before.opened[0]?.home).toBe('/home/robin/birdfeeder/memory');
  expect(behind.opened[0]?.home).toBe('/home/robin/birdfeeder/memory');
});

test('a folder given with --home that is no home is a mistake for commands that read', async () => {
  const world = { isHome: async () => false };
  const { code, stderr, opened } = await call(['search', 'clock', '--home', 'memroy'], { world });
  expect([code, opened]).toEqual([1, []]);
  expect(stderr).toContain('error: There is no home at /home/robin/birdfeeder/memroy.\n');
  for (const words of [['notes'], ['share'], ['share', 'members'], ['logs']])
    expect((await call([...words, '--home', 'memroy'], { world })).stderr).toContain('There is no home at');
  expect((await call(['save', '--title', 'T', '--text', 't', '--home', 'new'], { world })).code).toBe(0);
  expect((await call(['notes', 'add', 'Feed the heron', '--home', 'new'], { world })).code).toBe(0);
});

test('names of commands can be searched for', async () => {
  const { annals, code } = await call(['search', 'log', 'status']);
  expect(code).toBe(0);
  expect(annals.calls[0]).toEqual(['search', 'log status', {}]);
});

test('arguments after -- are never options', async () => {
  const { annals, stdout } = await call(['search', '--', '--json']);
  expect(annals.calls[0]?.[1]).toBe('--json');
  expect(stdout).toBe('');
});
