// `annals agent check`: what it says of a description, and of the transcripts that it reads.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from './call.ts';

const folder = mkdtempSync(join(tmpdir(), 'annals-agent-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const description = join(folder, 'heron.json');
const transcript = join(folder, 'sessions/one.jsonl');

const LINES = [
  { kind: 'start', id: 'one', cwd: '/home/u/feeder', at: '2026-11-22T18:00:00Z' },
  { kind: 'user', text: 'feed the heron with the key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' },
  { kind: 'tool', call: 'c1', tool: 'sh', input: 'ls' },
  { kind: 'tool', call: 'c2' },
  { kind: 'done', call: 'c1', output: 'a' },
  { kind: 'done', call: 'c9', output: 'b' },
  { kind: 'mood', text: 'fine' },
  { kind: 'mood', text: 'better' },
];

beforeAll(() => {
  mkdirSync(join(folder, 'sessions'));
  writeFileSync(transcript, `${LINES.map((line) => JSON.stringify(line)).join('\n')}\nnot JSON\n`);
  write({});
});

function write(more: object): void {
  const rules = [
    { record: 'session', when: { kind: 'start' }, id: 'id', cwd: 'cwd' },
    { record: 'prompt', when: { kind: 'user' }, text: 'text' },
    { record: 'call', when: { kind: 'tool' }, id: 'call', name: 'tool', input: 'input' },
    { record: 'result', when: { kind: 'done' }, id: 'call', text: 'output' },
    { record: 'reply', when: { kind: 'answer' }, text: 'text' },
  ];
  const whole = {
    name: 'heron',
    title: 'Heron',
    folders: [join(folder, 'sessions')],
    kind: 'kind',
    rules,
    ...more,
  };
  writeFileSync(description, JSON.stringify(whole));
}

test('prints what the transcripts hold, which rules matched, and what looks wrong', async () => {
  const { code, stdout, stderr } = await call(['agent', 'check', description]);
  expect(stdout.split('\n').map((line) => line.trim())).toEqual([
    `${description} describes Heron. Nothing is wrong in it.`,
    'Read 1 file, 9 lines: 1 session, 1 prompt, 1 tool use, 0 replies.',
    expect.stringMatching(/^prompt: feed the heron with the key \[/),
    '',
    'Rules',
    'rules[0] session: 1',
    'rules[1] prompt: 1',
    'rules[2] call: 2; 1 without name',
    'rules[3] result: 2',
    'rules[4] reply: matched nothing',
    '',
    'Look at',
    'lines that no rule is for: mood (2)',
    '1 line is not a JSON object',
    '1 result without a call: do the ids agree?',
    '2 prompts, replies and tool uses without a time',
    '',
  ]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

test('prints the counts as JSON', async () => {
  const { code, json } = await call(['agent', 'check', description, transcript, '--json']);
  expect(code).toBe(0);
  expect(json()).toMatchObject({
    ok: true,
    problems: [],
    name: 'heron',
    files: 1,
    lines: 9,
    parked: 1,
    rules: [{}, {}, { record: 'call', matched: 2, missing: { name: 1 } }, {}, { matched: 0 }],
    unknown: { mood: 2 },
    resultsWithoutCall: 1,
  });
});

test('names each field that is wrong, its value and what is allowed', async () => {
  write({ name: 'Heron', rules: [{ record: 'prompt', when: {} }] });
  const { code, stdout } = await call(['agent', 'check', description]);
  expect(code).toBe(1);
  expect(stdout).toContain('  name: "Heron"\n      allowed: small letters');
  expect(stdout).toContain('  rules[0].text: missing\n      allowed: a field path');
  const asJson = await call(['agent', 'check', description, '--json']);
  expect(asJson.json()).toMatchObject({
    ok: false,
    problems: [
      { field: 'name', value: '"Heron"' },
      { field: 'rules[0].text', value: null },
    ],
  });
  write({});
});

test('fails when there is nothing to read, or a file cannot be read', async () => {
  write({ files: '*.txt' });
  const empty = await call(['agent', 'check', description]);
  expect(empty.code).toBe(1);
  expect(empty.stdout).toContain('No transcript was read');
  write({});
  const missing = await call(['agent', 'check', description, join(folder, 'none.jsonl')]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('none.jsonl: does not exist');
  const none = await call(['agent', 'check', join(folder, 'none.json')]);
  expect(none.code).toBe(1);
  expect(none.stdout).toBe(
    `${join(folder, 'none.json')} cannot be used:\n      allowed: a file that can be read; it does not exist\n`,
  );
});

test('knows no other action', async () => {
  const { code, stderr } = await call(['agent', 'chek', description]);
  expect(code).not.toBe(0);
  expect(stderr).toContain('agent has no action "chek"');
});
