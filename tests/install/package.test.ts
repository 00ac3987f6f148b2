// The package as a person gets it: packed and installed in one go, without a network, an npm cache or install scripts, into
// a folder with a space, and run there.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCommand } from '../e2e/command.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { REPOSITORY } from '../helpers/program.ts';

const folder = sharedFolder('package');
const project = join(folder, 'a project');
const installed = join(project, 'node_modules', 'annals');
/** The command by the name that npm gives it. */
const command = join(project, 'node_modules', '.bin', 'annals');
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  ANNALS_HOME: join(folder, 'a home'),
  ANNALS_WORKER: 'off',
};

beforeAll(() => {
  buildCommand();
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  // Otherwise a folder would only be linked.
  npm('install', '--install-links', '--ignore-scripts', REPOSITORY);
});
afterAll(() => {
  annals('worker', 'stop');
});

function npm(...words: readonly string[]): string {
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'empty cache')];
  return run('npm', [...words, ...options], project);
}

function annals(...words: readonly string[]): string {
  return run(command, words, project);
}

function manifest(): { readonly man: readonly string[] } {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
}

/** The exit code and output of a command that fails. */
function failure(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, words, { env: environment, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function run(program: string, words: readonly string[], cwd: string): string {
  return execFileSync(program, words, { cwd, env: environment, encoding: 'utf8', stdio: 'pipe' });
}

test('no program holds the languages of the schema library, a quarter of what a worker loads', () => {
  const programs = readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.cjs'));
  expect(programs).toContain('worker.cjs');
  expect(programs).toContain('home-thread-rest.cjs');
  const german = 'Ung\\xFCltige Eingabe';
  expect(
    programs.filter((name) => readFileSync(join(installed, 'dist', name), 'utf8').includes(german)),
  ).toEqual([]);
});

test('it has no source, no test and no source map, and nothing was installed beside it', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'annals',
  ]);
  for (const name of ['src', 'log', 'projections', 'tests', 'scripts'])
    expect(existsSync(join(installed, name)), name).toBe(false);
  const built = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(built).toContain('cli.cjs');
  // npm links manual pages only from a list.
  const [page = ''] = manifest().man;
  expect(existsSync(join(installed, page)), page).toBe(true);
  expect(built.filter((name) => name.endsWith('.map'))).toEqual([]);
});

test('the command imports and finds by words and by meaning', () => {
  expect(JSON.parse(annals('import', join(installed, 'examples'), '--json'))).toMatchObject({
    sessions: 2,
    prompts: 5,
  });
  const answer = JSON.parse(annals('search', 'which', 'clock', '--explain', '--json'));
  expect(answer.degraded).toEqual([]);
  expect(answer.results[0].shares.words).toBeGreaterThan(0);
  expect(answer.results.some(({ shares }: { shares: { meaning: number } }) => shares.meaning > 0)).toBe(true);
});

test('the worker starts, answers a search and ends', () => {
  expect(JSON.parse(annals('worker', 'start', '--json'))).toMatchObject({ outcome: 'started' });
  expect(JSON.parse(annals('search', 'clock', '--json')).results).not.toEqual([]);
  expect(JSON.parse(annals('worker', 'stop', '--json'))).toEqual({ stopped: true });
});

test('a program imports the library', () => {
  const program =
    "import('annals').then(async ({ openAnnals }) => {" +
    'const annals = await openAnnals({ home: process.env.ANNALS_HOME });' +
    'console.log((await annals.status()).log.events); await annals.close(); })';
  expect(Number(run(process.execPath, ['-e', program], project))).toBeGreaterThan(0);
});

test('without a binary of LevelDB for this machine the command says what to do, and a hook stays silent', () => {
  const binaries = join(installed, 'node_modules', 'classic-level', 'prebuilds');
  renameSync(binaries, `${binaries}.away`);
  try {
    const { status, stdout, stderr } = failure('status');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^error: LevelDB could not be loaded: No native build was found for platform=.+\nInstall .+\.\n$/,
    );
    expect(JSON.parse(failure('status', '--json').stdout).error.code).toBe('BINARY_MISSING');
    expect(failure('--home', folder, 'hook', 'claude-code')).toEqual({ status: 0, stdout: '', stderr: '' });
  } finally {
    renameSync(`${binaries}.away`, binaries);
  }
});
