// What is wrong in a description: the field, its value, and what is allowed.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDescription } from '../../../src/agents/declared/check-description.ts';
import { parseDescription } from '../../../src/agents/declared/declared-agent.ts';
import { findTranscripts } from '../../../src/agents/find-transcripts.ts';
import { testFolder } from '../../helpers/views.ts';
import { described, HERON, problemsOf, WORLD } from './world.ts';

const rule = (more: object) => ({ ...HERON, rules: [{ record: 'prompt', when: {}, text: 'text', ...more }] });
const PATH = /^a field path such as "message.content\[\].text"/;

describe('A description', () => {
  test('that is right has no problem', () => {
    expect(problemsOf(HERON)).toEqual([]);
    expect(problemsOf(`\uFEFF${JSON.stringify(HERON)}`)).toEqual([]);
  });

  test('finds transcripts in a folder behind a link', async () => {
    const folder = realpathSync(await testFolder());
    mkdirSync(join(folder, 'disk'));
    symlinkSync(join(folder, 'disk'), join(folder, 'linked'));
    writeFileSync(join(folder, 'disk', 'one.jsonl'), '{"type": "user", "text": "Feed the heron"}\n');
    const declared = described({ ...HERON, folders: [join(folder, 'linked')] });
    const [found] = await findTranscripts([declared.agent], WORLD.machine);
    expect(found?.files.map(({ path }) => path)).toEqual([join(folder, 'disk', 'one.jsonl')]);
    expect(await checkDescription(declared, [], WORLD.machine)).toMatchObject({ files: 1 });
  });

  test.each([
    ['{"name": heron}', '', null, /^JSON \(Unexpected token/],
    ['', '', null, /^JSON \(Unexpected end/],
    ['5', '', '5', /^an object with name, title/],
    ['[]', '', '[]', /^an object with name, title/],
    [{ ...HERON, name: undefined }, 'name', null, /^small letters/],
    [{ ...HERON, name: 'My Heron' }, 'name', '"My Heron"', /^small letters/],
    [{ ...HERON, name: 'codex' }, 'name', '"codex"', /^a name of its own: this is Codex's/],
    [{ ...HERON, title: ' ' }, 'title', '" "', /^the name as people write it/],
    [{ ...HERON, folders: [] }, 'folders', '[]', /^a list of 1 to 8 folders/],
    [{ ...HERON, folders: '~/.heron' }, 'folders', '"~/.heron"', /^a list of 1 to 8 folders/],
    [{ ...HERON, folders: ['.heron'] }, 'folders[0]', '".heron"', /^an absolute path, or one that begins/],
    [{ ...HERON, folders: ['~/.heron', '~/'] }, 'folders[1]', '"~/"', /not the home folder/],
    [{ ...HERON, folders: ['/home'] }, 'folders[0]', '"/home"', /not the home folder/],
    [{ ...HERON, folders: ['/'] }, 'folders[0]', '"/"', /not the home folder/],
    [{ ...HERON, folders: ['~/.codex'] }, 'folders[0]', '"~/.codex"', /Codex keeps transcripts there/],
    [
      { ...HERON, folders: ['~/.claude/projects/x'] },
      'folders[0]',
      '"~/.claude/projects/x"',
      /Claude Code keeps transcripts there/,
    ],
    [{ ...HERON, files: '' }, 'files', '""', /^a glob/],
    [{ ...HERON, form: 'yaml' }, 'form', '"yaml"', /^"lines" or "document"/],
    [{ ...HERON, entries: 'a..b' }, 'entries', '"a..b"', PATH],
    [{ ...HERON, entries: 'history' }, 'entries', '"history"', 'the path of a list'],
    [{ ...HERON, recognise: ['type'] }, 'recognise', '["type"]', /^an object with a field path/],
    [{ ...HERON, kind: [] }, 'kind', '[]', PATH],
    [{ ...HERON, injected: ['<note>'] }, 'injected[0]', '"<note>"', /^a list of names of tags/],
    [{ ...HERON, every: { time: 'at' } }, 'every.time', '"at"', /^session, at, cwd, turn/],
    [{ ...HERON, every: { at: 5 } }, 'every.at', '5', PATH],
    [{ ...HERON, rules: {} }, 'rules', '{}', /^a list of 1 to 50 rules/],
    [{ ...HERON, rules: [] }, 'rules', '[]', /^a list of 1 to 50 rules/],
    [{ ...HERON, rules: ['prompt'] }, 'rules[0]', '"prompt"', /^"session", "prompt"/],
    [{ ...HERON, glob: '*' }, 'glob', '"*"', /^name, title, folders/],
    [rule({ record: 'promt' }), 'rules[0].record', '"promt"', /^"session", "prompt"/],
    [rule({ when: undefined }), 'rules[0].when', null, /^an object with a field path/],
    [rule({ when: { 'a..b': 1 } }), 'rules[0].when["a..b"]', '1', PATH],
    [rule({ when: { type: {} } }), 'rules[0].when.type', '{}', /^a text, a number, true, false, null/],
    [rule({ when: { type: [] } }), 'rules[0].when.type', '[]', /^a text, a number, true, false, null/],
    [rule({ text: undefined }), 'rules[0].text', null, PATH],
    [rule({ text: 'a[0]' }), 'rules[0].text', '"a[0]"', PATH],
    [rule({ text: ['a', 'b.'] }), 'rules[0].text[1]', '"b."', PATH],
    [rule({ id: '$' }), 'rules[0].id', '"$"', PATH],
    [rule({ each: '' }), 'rules[0].each', '""', PATH],
    [rule({ name: 'x' }), 'rules[0].name', '"x"', /^record, when, at, cwd, turn, each, id, text/],
    [rule({ record: 'reply', usage: { in: 'x' } }), 'rules[0].usage.in', '"x"', /^input, output, cacheRead/],
    [
      rule({ record: 'reply', usage: { inputHoldsCached: 1 } }),
      'rules[0].usage.inputHoldsCached',
      '1',
      /^true or false/,
    ],
    [rule({ record: 'result', failed: true }), 'rules[0].failed', 'true', /^an object with a field path/],
    [{ ...HERON, rules: [{ record: 'call', when: {} }] }, 'rules[0].name', null, PATH],
    [{ ...HERON, rules: [{ record: 'session', when: {} }] }, 'rules[0].id', null, PATH],
    [
      { ...HERON, rules: [{ record: 'none', when: {}, reason: '' }] },
      'rules[0].reason',
      '""',
      /^a few words/,
    ],
  ] as const)('%j: %s', (description, field, value, allowed) => {
    const problems = problemsOf(description);
    expect(problems.map((one) => one.field)).toContain(field);
    const problem = problems.find((one) => one.field === field)!;
    expect(problem.value).toBe(value);
    expect(problem.allowed).toMatch(allowed);
  });

  test('names every problem, and shortens long values', () => {
    const problems = problemsOf({ ...HERON, name: 'x'.repeat(500), title: '', form: 'x' });
    expect(problems.map(({ field }) => field)).toEqual(['name', 'title', 'form']);
    expect(problems[0]!.value!.length).toBeLessThan(70);
  });

  test('may not have the name of another one', () => {
    const first = parseDescription(JSON.stringify(HERON), WORLD);
    const others = 'agent' in first ? [first.agent] : [];
    const again = parseDescription(JSON.stringify({ ...HERON, folders: ['~/.egret'] }), { ...WORLD, others });
    expect(again).toMatchObject({
      problems: [{ field: 'name', allowed: expect.stringContaining("Heron's") }],
    });
  });
});
