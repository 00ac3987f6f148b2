// Words from users, projects, files and transcript lines are looked up in tables and printed. They must not find the
// inherited properties of objects, and must not control the terminal.
import { expect, test } from 'vitest';
import { AnnalsError } from '../../log/index.ts';
import type { ShownItem } from '../../src/api.ts';
import { DrainTally } from '../../src/capture/spool/drain-tally.ts';
import { parseSettings } from '../../src/config/settings.ts';
import { readWhole } from '../helpers/transcripts.ts';
import { call } from './call.ts';
import { fakeAnnals } from './fake-annals.ts';

const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
const HOSTILE = 'a\u001b]0;owned\u0007b\u001b[31mc\u009b2Jd\u202ee';

// In an object literal __proto__ is not a member: it sets the prototype.
test.each(INHERITED.filter((name) => name !== '__proto__'))('a setting called %s is not known', (name) => {
  const { degraded } = parseSettings(`{${JSON.stringify(name)}: 1}`);
  expect(degraded).toHaveLength(1);
});

test.each(['constructor', 'toString'])('an event or a line called %s is counted', (name) => {
  const tally = new DrainTally();
  tally.ignored(name);
  expect(tally.report().ignored).toEqual({ [name]: 1 });
  const { state } = readWhole(Buffer.from(`${JSON.stringify({ type: name, sessionId: 's' })}\n`));
  expect(state.counts.unknownLines).toEqual({ [name]: 1 });
});

test('control characters in a message, a hint or a stack do not reach the terminal', async () => {
  for (const error of [new AnnalsError('NOT_FOUND', HOSTILE, { hint: HOSTILE }), new Error(HOSTILE)]) {
    const annals = { ...fakeAnnals(), get: () => Promise.reject(error), search: () => Promise.reject(error) };
    const { stderr } = await call(['search', 'x'], { annals, terminal: { columns: 80 } });
    expect(stderr).toContain('abcde');
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202e]|\u001b\]/);
  }
});

test('a mistyped word with control characters is shown without them', async () => {
  const { stderr } = await call([HOSTILE]);
  expect(stderr).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
});

test('evidence is shown field by field, without JSON, empty fields and event ids', async () => {
  const evidence = {
    commands: [{ command: 'npm test', outcome: 'failed', ms: 1200 }],
    tests: [],
    errors: [{ line: 'Cannot find module', fixed: true, seen: ['a', 'b'] }],
    decisions: ['Keep the clock'],
    events: ['161cf3cbe7db1ba9f4f76afac33561bc'],
  };
  const item: ShownItem = {
    id: 'o-q4m2x7c3n5pa',
    kind: 'observation',
    type: 'change',
    title: 'A change',
    text: 'What changed.',
    project: 'birdfeeder',
    session: '6f1d2c1e',
    agent: 'claude-code',
    at: null,
    files: [],
    events: evidence.events,
    details: { evidence },
  };
  const { stdout } = await call(['show', item.id], { annals: fakeAnnals({ items: [item] }) });
  expect(stdout).toContain('command npm test · outcome failed · ms 1,200');
  expect(stdout).toContain('line Cannot find module · fixed true · seen a, b');
  expect(stdout).toContain('Keep the clock');
  expect(stdout).not.toMatch(/[{}[\]"]|tests:|161cf3/);
});
