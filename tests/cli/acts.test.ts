// The commands of a person's acts: what reaches the library, and that an agent can only propose.
import { expect, test } from 'vitest';
import type { Proposal } from '../../src/api.ts';
import { call } from './call.ts';
import { fakeAnnals } from './fake-annals.ts';

const ID = 'm-abcdefghijkl';
const FORGETTING: Proposal = {
  ...{ id: 'cd'.repeat(16), act: 'forget', item: null, by: null, title: null, text: null },
  ...{ selection: { query: 'the old password', withCopies: true }, items: [], client: 'codex 1.2', at: null },
};
const EDIT: Proposal = {
  ...{
    id: 'ef'.repeat(16),
    act: 'edit',
    by: null,
    title: null,
    text: 'Run \u001b[2J curl',
    selection: null,
    items: [],
  },
  ...{ item: { id: ID, kind: 'memory', title: 'Use tabs' }, client: null, at: '2026-11-18T12:00:00.000Z' },
};

const BY_ID: Proposal = {
  ...{ ...FORGETTING, id: 'ab'.repeat(16), selection: { ids: ['p-wjqyv67p7g19', 'p-aaaaaaaaaaaa'] } },
  items: [
    { id: 'p-wjqyv67p7g19', kind: 'prompt', title: 'Why does \u001b[2J it jam?' },
    { id: 'p-aaaaaaaaaaaa', kind: 'forgotten', title: '' },
  ],
};

test.each([
  [['pin', ID], { act: 'pin', id: ID }],
  [['unpin', ID], { act: 'unpin', id: ID }],
  [['edit', ID, '--text', 'New'], { act: 'edit', id: ID, text: 'New' }],
  [['edit', ID, '--title', 'New'], { act: 'edit', id: ID, title: 'New' }],
  [['edit', ID, '--undo'], { act: 'unedit', id: ID }],
  [['supersede', ID, '--by', 'o-1'], { act: 'supersede', id: ID, by: 'o-1' }],
  [['supersede', ID, '--undo'], { act: 'unsupersede', id: ID }],
  [['notes', 'add', 'Never', 'push'], { act: 'note', text: 'Never push', cwd: '/home/robin/birdfeeder' }],
  [['notes', 'remove', ID], { act: 'supersede', id: ID }],
])('%j', async (words, input) => {
  const { code, annals, json } = await call([...words, '--json']);
  expect(annals.calls.at(-1)).toEqual(['act', { ...input, author: 'user' }]);
  expect([code, json().outcome]).toEqual([0, 'done']);
  const inside = await call(words, { environment: { CLAUDECODE: '1' } });
  expect(inside.annals.calls.at(-1)).toEqual(['act', { ...input, author: 'agent' }]);
  expect(inside.stdout).toContain('Proposed as abababababab; nothing changed.');
  expect(inside.stderr).toContain('annals proposals confirm abababababab');
});

test('the text of an edit comes from standard input', async () => {
  const dash = await call(['edit', ID, '--title', 'T', '--text', '-'], { stdin: 'New\n' });
  expect(dash.annals.calls.at(-1)?.[1]).toMatchObject({ title: 'T', text: 'New' });
  const { annals } = await call(['edit', ID], { stdin: 'New\n' });
  expect(annals.calls.at(-1)).toEqual(['act', { act: 'edit', id: ID, text: 'New', author: 'user' }]);
  expect((await call(['edit', ID])).stderr).toContain('There is no text');
});

test('notes and proposals are listed without control sequences', async () => {
  expect((await call(['notes'])).stdout).toBe(`${ID}  Never rebase main\n`);
  const annals = fakeAnnals({ proposals: [FORGETTING, EDIT, BY_ID] });
  const { stdout } = await call(['proposals'], {
    annals,
    terminal: { columns: 200 },
    environment: { NO_COLOR: '1' },
  });
  expect(stdout).toContain('cdcdcdcdcdcd  forget everything that contains “the old password”, with copies');
  expect(stdout).toMatch(
    /abababababab {2}forget prompt p-wjqyv67p7g19 “Why does .*it jam\?”, p-aaaaaaaaaaaa \(forgotten\)/,
  );
  expect(stdout).toContain('efefefefefef  edit memory m-abcdefghijkl “Use tabs”');
  expect(stdout).not.toContain('\u001b[2J');
});

test('a person confirms or refuses a proposal, and an agent cannot', async () => {
  const annals = fakeAnnals({ proposals: [FORGETTING, EDIT] });
  await call(['proposals', 'refuse', 'efef'], { annals });
  expect(annals.calls.at(-1)).toEqual(['decide', EDIT.id, { confirmed: false }]);
  const inside = await call(['proposals', 'confirm', 'efef'], { annals, environment: { CLAUDECODE: '1' } });
  expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('Only a person')]);
});

test('confirming a proposal to forget shows the plan and asks', async () => {
  const annals = fakeAnnals({ proposals: [FORGETTING] });
  const person = { annals, terminal: { columns: 100 }, environment: { NO_COLOR: '1' } };
  const declined = await call(['proposals', 'confirm', 'cdcd'], { ...person, answer: 'n' });
  expect([declined.code, declined.stdout]).toEqual([1, expect.stringContaining('To be forgotten: 1 prompt')]);
  expect(declined.stdout).not.toMatch(/Confirmed|Forgotten/);
  const done = await call(['proposals', 'confirm', 'cdcd'], { ...person, answer: 'y' });
  expect(done.code).toBe(0);
  expect(done.stdout).toMatch(/To be forgotten[\s\S]*Forgotten:[\s\S]*found 0 times[\s\S]*Confirmed: forget/);
  expect(annals.calls.at(-1)).toEqual(['decide', FORGETTING.id, { confirmed: true }]);
  const scripted = await call(['proposals', 'confirm', 'cdcd', '--json', '--yes'], { annals });
  expect(scripted.json()).toMatchObject({ outcome: 'confirmed', forgetting: { outcome: 'forgotten' } });
  expect((await call(['proposals', 'confirm', 'cdcd', '--json'], { annals })).code).toBe(2);
});
