// Checks of the documentation, the package and the example transcripts.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, EVENT_TYPES } from '../../log/index.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { referencePages } from '../../src/cli/reference/reference-pages.ts';
import { OPERATORS } from '../../src/search/query/query-tokens.ts';
import { read, root, trackedFiles } from './source-files.ts';

const manifest = JSON.parse(read('package.json'));

describe('the documentation', () => {
  test('generated pages are up to date (npm run docs)', async () => {
    for (const [path, content] of Object.entries(await referencePages()))
      expect(read(path), path).toBe(content);
  });

  test('lists every command, error code and event type', () => {
    const absent = (page: string, headings: readonly string[]) =>
      headings.filter((heading) => !read(page).includes(heading));
    const commands = COMMANDS.map(({ name }) => `## annals ${name}\n`);
    expect(absent('docs/cli.md', commands), 'run npm run docs').toEqual([]);
    const codes = Object.keys(ERROR_CODES).map((code) => `\`${code}\``);
    expect(absent('docs/errors.md', codes), 'run npm run docs').toEqual([]);
    const types = EVENT_TYPES.map((type) => `## ${type}\n`);
    expect(absent('docs/events.md', types), 'run npm run docs').toEqual([]);
  });

  test('describes the JSON of every command', () => {
    const missing = COMMANDS.filter(({ name }) => !read('docs/json.md').includes(`| \`${name}\` |`));
    expect(
      missing.map(({ name }) => name),
      'add a line for these commands to docs/json.md',
    ).toEqual([]);
  });

  test('describes every operator of a search', () => {
    const missing = OPERATORS.filter((name) => !read('docs/search.md').includes(`\`${name}:`));
    expect(missing, 'add these operators to the table in docs/search.md').toEqual([]);
  });

  test('the README explains how to start and test, where the data is and how to delete it', () => {
    const readme = read('README.md');
    for (const words of ['npm start', 'npm test', '~/.annals', 'rm -r ~/.annals', 'Limits', 'leaves'])
      expect(readme).toContain(words);
  });

  test('every link inside the repository has a target', () => {
    for (const page of trackedFiles().filter((path) => /\.md$|^llms\.txt$/.test(path)))
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g))
        expect(existsSync(join(root, page, '..', target)), `${page} links to ${target}`).toBe(true);
  });

  test('every page of docs/ is listed', () => {
    const index = read('docs/README.md');
    for (const name of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))
      if (name !== 'README.md') expect(index, name).toContain(`(${name})`);
  });

  test('every decision is listed, and every dependency is justified', () => {
    const index = read('docs/adr/README.md');
    for (const name of readdirSync(join(root, 'docs/adr')).filter((name) => /^\d{4}-.+\.md$/.test(name)))
      expect(index, name).toContain(`(${name})`);
    const dependencies = read('docs/adr/0005-dependencies.md');
    const names = Object.keys({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    });
    for (const name of names) expect(dependencies).toContain(name);
  });
});

describe('the package', () => {
  test('is Apache-2.0 and contains the full licence', () => {
    expect(manifest.license).toBe('Apache-2.0');
    expect(read('LICENSE')).toContain('Apache License\n                           Version 2.0, January 2004');
    expect(read('NOTICE')).toContain('Annals');
  });

  test('contains the packages that it needs, so that installing it downloads nothing', () => {
    expect(manifest.bundleDependencies).toEqual(Object.keys(manifest.dependencies));
    expect(manifest).not.toHaveProperty('optionalDependencies');
  });

  test('runs no scripts when it is installed', () => {
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts).not.toHaveProperty(script);
  });

  test('has this version in the changelog', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });

  test('is tested by continuous integration with npm test', () => {
    expect(read('.ci/run')).toContain('npm test');
    expect(read('.github/workflows/ci.yml')).toContain('.ci/run');
    expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
  });
});

describe('the sources', () => {
  test('contain no path of a development machine', () => {
    const own = /\/work\/(?:main|shared|wt)\b/;
    for (const path of trackedFiles().filter((name) => name !== 'tests/repository/furniture.test.ts'))
      expect(own.exec(read(path))?.[0], path).toBeUndefined();
  });

  test('the example transcripts are up to date (npm run examples)', async () => {
    const make = await import(pathToFileURL(join(root, 'examples/make.mjs')).href);
    for (const [path, content] of Object.entries(make.exampleFiles()))
      expect(read(`examples/${path}`), path).toBe(content);
  });

  test('the example transcripts have the structure of real ones', async () => {
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
