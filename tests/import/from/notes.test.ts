import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAutoMemory } from '../../../src/import/from/auto-memory.ts';
import { readMarkdown } from '../../../src/import/from/markdown.ts';
import { type Annals, type MemorySource, openAnnals, type ShownItem } from '../../../src/index.ts';

let folder: string;
let annals: Annals;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'annals-test-'));
  annals = await openAnnals({ home: join(folder, 'home') });
});

afterEach(async () => {
  await annals.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, 1_772_600_000, 1_772_600_000);
  return path;
}

const importFrom = (from: MemorySource, path: string, project?: string) =>
  annals.importFrom(from, [path], project === undefined ? {} : { project });

async function item(words: string): Promise<ShownItem> {
  return annals.get((await annals.search(words, { kind: 'imported' })).results[0]!.id);
}

test('a CLAUDE.md is one note of the folder that it is in, and an edited one replaces it', async () => {
  const path = file('birdfeeder/CLAUDE.md', '# Feeder rules\n\nUse UTC for kestrel times.\n');
  expect((await importFrom('markdown', path)).kinds.note).toMatchObject({ new: 1 });
  expect(await item('kestrel')).toMatchObject({
    title: 'Feeder rules',
    project: 'birdfeeder',
    type: 'note',
    at: '2026-03-04T04:53:20.000Z',
    details: { author: 'user', file: path },
  });
  expect((await importFrom('markdown', path)).appended).toBe(0);
  for (const text of ['Use CET for kestrel times.', 'Use UTC for kestrel times.']) {
    file('birdfeeder/CLAUDE.md', `# Feeder rules\n\n${text}\n`);
    expect((await importFrom('markdown', path)).kinds.note).toMatchObject({ changed: 1, new: 0 });
    expect((await item('kestrel')).text).toContain(text);
  }
  expect((await annals.search('kestrel', { kind: 'imported' })).results).toHaveLength(1);
});

test('a folder of notes is read with its front matter, without links and hidden folders', async () => {
  file(
    'notes/coffee.md',
    '---\ntitle: "Brewing"\ntype: decision\ntags: [hot, black]\ndate: 2026-02-01\n---\nUse siskin water.\n',
  );
  file('notes/deep/er.markdown', 'Plain wagtail text without a heading');
  file('notes/.obsidian/hidden.md', 'dunnock');
  file('notes/data.txt', 'dunnock');
  symlinkSync('/etc/passwd', join(folder, 'notes/link.md'));
  expect(await importFrom('basic-memory', join(folder, 'notes'), 'kitchen')).toMatchObject({
    files: 2,
    appended: 2,
    unreadable: [],
  });
  expect(await item('siskin')).toMatchObject({
    title: 'Brewing',
    type: 'decision',
    project: 'kitchen',
    at: '2026-02-01T00:00:00.000Z',
  });
  expect((await annals.search('water concept:black')).results).toHaveLength(1);
  expect(await item('wagtail')).toMatchObject({ title: 'er', text: 'Plain wagtail text without a heading' });
});

test('auto memory belongs to the folder that a transcript beside it names', async () => {
  const line = JSON.stringify({ type: 'user', cwd: '/home/robin/bird.feeder' });
  file('projects/-home-robin-bird-feeder/a.jsonl', `{"type":"summary"}\n${line}\n`);
  file('projects/-home-robin-bird-feeder/memory/MEMORY.md', '# Index\n- [Clock](clock.md)\n');
  file(
    'projects/-home-robin-bird-feeder/memory/clock.md',
    '---\nname: clock\ndescription: how the clock drifts\nmetadata:\n  type: project\n---\nThe fieldfare clock drifts.\n',
  );
  file('projects/-home-robin-other/memory/note.md', 'An unplaced redstart note');
  file('projects/-home-robin-none/b.jsonl', `${line}\n`);
  const report = await importFrom('claude-memory', join(folder, 'projects'));
  expect([report.files, report.appended]).toEqual([3, 3]);
  expect(await item('fieldfare')).toMatchObject({
    title: 'clock',
    type: 'project',
    text: expect.stringContaining('Description: how the clock drifts'),
    details: { author: 'agent', cwd: '/home/robin/bird.feeder' },
  });
  expect((await item('redstart')).details).toMatchObject({ cwd: null });
  // Claude Code deletes transcripts after a time.
  rmSync(join(folder, 'projects/-home-robin-bird-feeder/a.jsonl'));
  expect((await importFrom('claude-memory', join(folder, 'projects'), 'kitchen')).kinds.note).toMatchObject({
    changed: 1,
    unchanged: 2,
  });
  expect((await importFrom('claude-memory', join(folder, 'projects'))).appended).toBe(0);
  expect(await item('fieldfare')).toMatchObject({ details: { cwd: '/home/robin/bird.feeder' } });
  expect(await item('redstart')).toMatchObject({ project: 'kitchen' });
});

test('while folders are excluded, neither their notes nor those of an unknown folder are imported', async () => {
  await annals.close();
  file('home/config.json', JSON.stringify({ exclude: [join(folder, 'secret/**')] }));
  annals = await openAnnals({ home: join(folder, 'home') });
  const note = file('secret/plans/a.md', 'An excluded brambling');
  const excluded = { appended: 0, skipped: { 'its folder is excluded': 1 } };
  for (const path of [note, dirname(note), join(folder, 'secret')])
    expect(await importFrom('markdown', path)).toMatchObject(excluded);
  expect(await importFrom('markdown', file('open/a.md', 'An open linnet'))).toMatchObject({ appended: 1 });
  expect(await importFrom('markdown', join(folder, 'open'))).toMatchObject({ appended: 0, skipped: {} });
  file('projects/-secret-plans/memory/a.md', 'A note without a transcript');
  expect(await importFrom('claude-memory', join(folder, 'projects'))).toMatchObject({
    appended: 0,
    skipped: { 'its folder is not known, and the settings exclude folders': 1 },
  });
});

test('JSON lines are read by the names of fields that tools use; what cannot be used is counted with its line', async () => {
  const path = file(
    'export.jsonl',
    [
      '{"id":"0b7e2f6a-1111-4222-8333-000000000001","memory":"Prefers goldcrest mornings","user_id":"dev","created_at":"2026-02-03T04:05:06Z","categories":["habits"]}',
      '{"type":"entity","name":"Lapwing","entityType":"service","observations":["It listens on 8080","It is old"]}',
      '{"type":"relation","from":"Lapwing","to":"Curlew","relationType":"calls"}',
      '',
      '{"title":"no text"}',
      'not json',
      '[1]',
      `{"text":"deep","metadata":${'['.repeat(200)}${']'.repeat(200)}}`,
      '{"text":"A godwit in seconds","timestamp":1772600000,"project":"marsh","tags":"wet, cold"}',
    ].join('\n'),
  );
  const report = await importFrom('jsonl', path);
  expect(report).toMatchObject({
    appended: 4,
    skipped: {
      'it has no text in a field of a known name': 1,
      'it is not a JSON object': 2,
      'it is nested deeper than 100 levels': 1,
    },
    skippedItems: [{ what: 'line 5' }, { what: 'line 6' }, { what: 'line 7' }, { what: 'line 8' }],
  });
  expect(await item('goldcrest')).toMatchObject({
    at: '2026-02-03T04:05:06.000Z',
    details: { metadata: { user_id: 'dev' } },
  });
  expect(await item('8080')).toMatchObject({ title: 'Lapwing', type: 'service' });
  expect(await item('curlew')).toMatchObject({ title: 'Lapwing calls Curlew', type: 'relation' });
  expect(await item('godwit')).toMatchObject({ project: 'marsh', at: '2026-03-04T04:53:20.000Z' });
  expect((await importFrom('jsonl', path)).appended).toBe(0);
});

test('a JSON document with a list is read like lines, and a later export of the same memories adds nothing', async () => {
  const memory = { id: '0b7e2f6a-1111-4222-8333-000000000001', memory: 'Likes whimbrels' };
  const first = file('one.json', JSON.stringify({ memory: 'default', results: [memory] }, null, 2));
  const second = file('two.json', JSON.stringify([{ ...memory }, { id: '7', memory: 'A turnstone' }]));
  expect((await importFrom('mem0', first)).appended).toBe(1);
  expect((await importFrom('mem0', second)).appended).toBe(1);
  const third = file('three.json', JSON.stringify([{ id: '7', memory: 'Another sanderling' }]));
  expect((await importFrom('mem0', third)).kinds.note).toMatchObject({ new: 1, changed: 0 });
});

test.each([undefined, 2])(
  'a file of one memory that has a list is that memory, indented by %s',
  async (indent) => {
    const memory = { id: '9', text: 'The dunlin counts in tens', items: ['a', 'b'] };
    const path = file(`alone-${indent}.json`, JSON.stringify(memory, null, indent));
    expect(await importFrom('jsonl', path)).toMatchObject({ appended: 1, skippedItems: [] });
  },
);

test('what does not exist or is no file is refused with the reason', async () => {
  for (const from of ['markdown', 'claude-memory', 'jsonl'] as const)
    await expect(importFrom(from, join(folder, 'missing'))).rejects.toMatchObject({
      code: 'INPUT_UNREADABLE',
      message: expect.stringContaining('does not exist'),
    });
});

test.skipIf(process.platform === 'win32').each([
  ['auto memory', readAutoMemory],
  ['Markdown', readMarkdown],
])('a folder of %s that cannot be read costs only the notes in it', async (_, read) => {
  file('projects/-home-robin-closed/memory/note.md', 'A closed brambling');
  file('projects/-home-robin-open/memory/note.md', 'An open linnet');
  file('projects/-home-robin-open/memory/closed/note.md', 'A closed twite');
  const closed = ['projects/-home-robin-closed', 'projects/-home-robin-open/memory/closed'];
  for (const one of closed) chmodSync(join(folder, one), 0);
  const texts: unknown[] = [];
  const refused: string[] = [];
  await unprivileged(async () => {
    for await (const finding of read(join(folder, 'projects'), 'tool'))
      if ('memory' in finding) texts.push(finding.memory.text);
      else if ('unreadable' in finding) refused.push(finding.unreadable.path);
  });
  for (const one of closed) chmodSync(join(folder, one), 0o700);
  expect(texts).toEqual(['An open linnet']);
  expect(refused).toEqual(closed.map((one) => join(folder, one)));
});

/** Root may read everything. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
