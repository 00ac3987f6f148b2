// `annals context --write`: a block in a Markdown file is added, updated and taken out; nothing around it changes.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { stripTags } from '../../src/capture/text/tags.ts';
import { removeContext, writeContext } from '../../src/context-file/context-file.ts';
import { call } from '../cli/call.ts';
import { fakeAnnals } from '../cli/fake-annals.ts';
import { testFolder } from '../helpers/views.ts';

const context = (word: string) =>
  `<annals-context project="birdfeeder">\nRecorded by Annals: ${word} <!-- annals:end -->\n\n## Open\n- one\n</annals-context>`;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await testFolder();
  path = join(folder, 'AGENTS.md');
});
const text = () => readFileSync(path, 'utf8');
const write = (word = 'first', one = 'AGENTS.md') => writeContext(one, folder, context(word));
const remove = () => removeContext('AGENTS.md', folder);

describe('a file', () => {
  test.each([
    ['empty', ''],
    ['one line end', '\n'],
    ['no line end at the end', '# Rules'],
    ['a line end at the end', '# Rules\n'],
    ['empty lines at the end', '# Rules\n\n\n'],
    ['Windows line ends', '# Rules\r\n\r\n- one\r\n'],
    ['Windows line ends, none at the end', '# Rules\r\n- one'],
    ['both line ends', '# Rules\r\n- one\n'],
    ['a byte order mark', '\uFEFF# Rules\n'],
    ['a byte order mark alone', '\uFEFF'],
    ['a block of another tool', '<claude-mem-context>\nx\n</claude-mem-context>\n'],
  ])('with %s: the block is added once, updated, and taken out exactly', async (_, before) => {
    writeFileSync(path, before);
    expect(await write()).toEqual({ path, changed: true });
    const first = text();
    expect(first.startsWith(before)).toBe(true);
    if (before.includes('\r\n'))
      expect(first.slice(before.length).replaceAll('\r\n', '')).not.toContain('\n');
    expect(await write()).toEqual({ path, changed: false });
    await write('second');
    expect(text()).toBe(first.replace('first', 'second'));
    await remove();
    expect(text()).toBe(before);
    expect(await remove()).toEqual({ path, changed: false });
  });

  test('of a project with a > in its name: the block is updated and taken out', async () => {
    const named = (word: string) => context(word).replace('birdfeeder', 'a>b');
    for (const word of ['first', 'second']) await writeContext('AGENTS.md', folder, named(word));
    expect(text()).toContain('second');
    expect(text()).not.toContain('first');
    await remove();
    expect(existsSync(path)).toBe(false);
  });

  test('keeps its mode, and what was written around the block', async () => {
    writeFileSync(path, '# Rules\n', { mode: 0o640 });
    chmodSync(path, 0o640);
    await write();
    writeFileSync(path, `above\n${text()}below\n`);
    await write('second');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(text()).toMatch(
      /^above\n# Rules\n\n<annals-context [\s\S]*second[\s\S]*<\/annals-context>\nbelow\n$/,
    );
    await remove();
    expect(text()).toBe('above\n# Rules\n\nbelow\n');
  });

  test('that was made for the block goes with it, unless something else is in it', async () => {
    await write();
    expect(statSync(path).mode & 0o777).toBe(0o644);
    await write('second');
    await remove();
    expect(existsSync(path)).toBe(false);
    await write();
    writeFileSync(path, `${text()}mine\n`);
    await remove();
    expect(text()).toBe('mine\n');
  });
});

describe('refused, and not changed', () => {
  test.each([
    ['a block without its end', '<annals-context project="x">\n<!-- annals:start: x -->\n', 'is incomplete'],
    ['an end alone', 'a\n<!-- annals:end -->\n', 'is incomplete'],
    ['bytes that are no text', Buffer.from([0x61, 0xff]), 'no text'],
    ['a zero byte', 'a\0b', 'no text'],
  ])('%s', async (_, bad, why) => {
    writeFileSync(path, bad);
    await expect(write()).rejects.toThrow(why);
    await expect(remove()).rejects.toThrow(why);
    expect(readFileSync(path).equals(Buffer.from(bad))).toBe(true);
  });

  test('two blocks', async () => {
    await write();
    writeFileSync(path, text() + text());
    await expect(write()).rejects.toThrow('more than once');
  });

  test('a file in .git, a folder, a read-only file, a folder that is missing', async () => {
    mkdirSync(join(folder, '.git'));
    await expect(write('x', '.git/AGENTS.md')).rejects.toThrow('inside .git');
    await expect(write('x', '.git')).rejects.toThrow('inside .git');
    mkdirSync(join(folder, 'docs'));
    await expect(write('x', 'docs')).rejects.toThrow('was not changed: it');
    await expect(write('x', 'none/AGENTS.md')).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
    // Too long for the name of the new file beside it.
    const long = `${'x'.repeat(245)}.md`;
    await expect(write('x', long)).rejects.toMatchObject({ code: 'HOME_UNWRITABLE' });
    writeFileSync(path, '# Rules\n', { mode: 0o444 });
    await expect(write()).rejects.toThrow('read-only');
    expect(text()).toBe('# Rules\n');
  });

  test('a link that leads outside or nowhere; one inside is followed', async () => {
    const outside = await testFolder();
    writeFileSync(join(outside, 'other.md'), '# Other\n');
    symlinkSync(join(outside, 'other.md'), path);
    await expect(write()).rejects.toThrow('outside of');
    symlinkSync(outside, join(folder, 'linked'));
    await expect(write('x', 'linked/other.md')).rejects.toThrow('outside of');
    symlinkSync('nowhere.md', join(folder, 'broken.md'));
    await expect(write('x', 'broken.md')).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
    expect(readFileSync(join(outside, 'other.md'), 'utf8')).toBe('# Other\n');
    writeFileSync(join(folder, 'real.md'), '# Rules\n');
    symlinkSync('real.md', join(folder, 'CLAUDE.md'));
    expect(await write('x', 'CLAUDE.md')).toEqual({ path: join(folder, 'real.md'), changed: true });
  });
});

test('the block is never new memory: capture removes it whole from what a tool returns', async () => {
  writeFileSync(path, '# Rules\n');
  await write();
  const numbered = text().replaceAll(/^/gm, '    12→');
  const diff = text().replaceAll(/^/gm, '+');
  for (const seen of [text(), numbered, diff]) {
    const { text: kept } = stripTags(seen, { author: 'tool' });
    expect(kept).toContain('# Rules');
    expect(kept).not.toMatch(/Recorded|Open|one|annals:/);
  }
});

test('the command writes the block, and takes it out', async () => {
  const answer = { text: context('first'), tokens: 9, project: 'birdfeeder', items: [] };
  const annals = fakeAnnals({ context: { ...answer, degraded: [], pausedBecause: null } });
  const first = await call(['context', '--write', path], { annals });
  expect([first.code, first.stdout]).toEqual([0, `${path} holds the context now.\n`]);
  expect(text()).toContain('annals:start');
  const again = await call(['context', '--write', path, '--json'], { annals });
  expect(again.json()).toEqual({ path, changed: false });
  await call(['context', '--write', path, '--remove'], { annals });
  expect(existsSync(path)).toBe(false);
  const unknown = await call(['context', '--write', path]);
  expect([unknown.code, existsSync(path)]).toEqual([0, false]);
  expect(unknown.stderr).toContain('There is nothing yet to tell a new session of birdfeeder.');
  expect((await call(['context', '--remove'], { annals })).code).toBe(2);
});
