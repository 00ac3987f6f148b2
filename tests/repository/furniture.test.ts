import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, EVENT_TYPES } from '../../log/index.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { referencePages } from '../../src/cli/reference/reference-pages.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

describe('the documentation', () => {
  test('pages made from the product are up to date (npm run docs)', async () => {
    for (const [path, content] of Object.entries(await referencePages()))
      expect(read(path), path).toBe(content);
  });

  test('names every command, every error code and every event type', () => {
    for (const { name } of COMMANDS) expect(read('docs/cli.md')).toContain(`## annals ${name}\n`);
    for (const code of Object.keys(ERROR_CODES)) expect(read('docs/errors.md')).toContain(`\`${code}\``);
    for (const type of EVENT_TYPES) expect(read('docs/events.md')).toContain(`## ${type}\n`);
  });

  test('describes the JSON of every command', () => {
    for (const { name } of COMMANDS) expect(read('docs/json.md')).toContain(`| \`${name}\` |`);
  });

  test('the README says how to start, how to test, where the data is and how to delete it', () => {
    const readme = read('README.md');
    for (const said of ['npm start', 'npm test', '~/.annals', 'rm -r ~/.annals', 'Limits', 'leaves'])
      expect(readme).toContain(said);
  });

  test('every link inside the repository leads somewhere', () => {
    for (const page of committed().filter((path) => path.endsWith('.md')))
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g))
        expect(existsSync(join(root, page, '..', target)), `${page} links to ${target}`).toBe(true);
  });

  test('every page of docs/ is listed', () => {
    const index = read('docs/README.md');
    for (const name of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))
      if (name !== 'README.md') expect(index, name).toContain(`(${name})`);
  });

  test('every decision is listed, and every dependency has its line', () => {
    const index = read('docs/adr/README.md');
    for (const name of readdirSync(join(root, 'docs/adr')).filter((name) => /^\d{4}-.+\.md$/.test(name)))
      expect(index, name).toContain(`(${name})`);
    const dependencies = read('docs/adr/0005-dependencies.md');
    const names = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    });
    for (const name of names) expect(dependencies).toContain(name);
  });
});

describe('the package', () => {
  test('is Apache-2.0, and says so with the whole licence', () => {
    expect(manifest.license).toBe('Apache-2.0');
    expect(read('LICENSE')).toContain('Apache License\n                           Version 2.0, January 2004');
    expect(read('NOTICE')).toContain('Annals');
  });

  test('runs nothing when it is installed', () => {
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts).not.toHaveProperty(script);
  });

  test('the changelog names this version', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });

  test('the continuous integration runs what a contributor runs', () => {
    expect(read('.ci/run')).toContain('npm test');
    expect(read('.github/workflows/ci.yml')).toContain('.ci/run');
    expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
  });
});

describe('the sources', () => {
  test('name no folder of the machine they were written on', () => {
    const own = /\/work\/(?:main|shared|wt)\b/;
    for (const path of committed().filter((name) => name !== 'tests/repository/furniture.test.ts'))
      expect(own.exec(read(path))?.[0], path).toBeUndefined();
  });

  test('the example transcripts are what their stories say (npm run examples)', async () => {
    const make = await import(pathToFileURL(join(root, 'examples/make.mjs')).href);
    for (const [path, content] of Object.entries(make.exampleFiles()))
      expect(read(`examples/${path}`), path).toBe(content);
  });

  test('a line of an example is one that Claude Code could have written', async () => {
    const make = await import(pathToFileURL(join(root, 'examples/make.mjs')).href);
    for (const [path, content] of Object.entries<string>(make.exampleFiles())) {
      if (!path.endsWith('.jsonl')) continue;
      const lines = content
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const uuids = new Set(lines.map(({ uuid }) => uuid).filter(Boolean));
      const blocks = lines.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
      const used = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      const answered = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id);
      expect(answered, path).toEqual(used);
      expect(new Set(used).size).toBe(used.length);
      for (const { uuid, parentUuid, timestamp, sessionId } of lines) {
        expect(path).toContain(sessionId);
        if (uuid === undefined) continue;
        expect(parentUuid === null || uuids.has(parentUuid)).toBe(true);
        expect(new Date(timestamp).toISOString()).toBe(timestamp);
      }
    }
  });
});

/** Text files that git knows, or, in a package without git, nothing to check. */
function committed(): string[] {
  try {
    const names = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    return names.filter((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile());
  } catch {
    return [];
  }
}
