import { describe, expect, test } from 'vitest';
import type { ForgetPlan } from '../../src/api.ts';
import { insideAgent } from '../../src/cli/inside-agent.ts';
import { call } from './call.ts';
import { FORGET_PLAN, fakeAnnals } from './fake-annals.ts';

const asked = (calls: readonly (readonly unknown[])[]) => calls.map(([method]) => method);

describe('annals forget', () => {
  test('counts as called by a person if the variables that agents set are missing or empty', () => {
    expect(insideAgent({})).toBe(false);
    expect(insideAgent({ CLAUDECODE: '', ANNALS_AGENT: '' })).toBe(false);
    expect(insideAgent({ CLAUDECODE: '1' })).toBe(true);
  });

  test('says that a time to come leaves nothing out', async () => {
    const forget = async (before: string) => (await call(['forget', '--before', before, '--dry-run'])).stderr;
    expect(await forget('2099-01-01')).toContain('is in the future: this means everything up to now.');
    expect(await forget('2026-01-01')).not.toContain('future');
  });

  test('shows what will be forgotten and what stays, and asks', async () => {
    const { code, stdout, stderr, annals } = await call(['forget', 'p-k3j5'], {
      terminal: { columns: 100 },
      environment: { NO_COLOR: '1' },
      answer: 'y',
    });
    expect(annals.calls).toEqual([['forget', { ids: ['p-k3j5'] }, false, false]]);
    expect(stdout).toContain('To be forgotten: 1 prompt; 2 events in one session');
    expect(stdout).toContain('The doormat');
    expect(stdout).toContain(
      'Share a long word or a line with it: 1 answer. They stay; --with-copies includes them.',
    );
    expect(stderr).toContain('It cannot be undone. [y/N]');
    expect(stdout).toContain('found 0 times');
    expect(stdout).toContain('“under the doormat”');
    expect(code).toBe(0);
  });

  test('says how many items a list leaves out, and for which words an item is named', async () => {
    const [thing] = FORGET_PLAN.things;
    const matched = { before: '…so that nobody has to ask where the ', text: 'Key', after: ' lies' };
    const things = Array.from({ length: 200 }, (_, number) => ({ ...thing!, id: `p-${number}`, matched }));
    things[1] = { ...things[1]!, title: 'Two keys' };
    const copies = { ...FORGET_PLAN.copies, items: 11, things: things.slice(0, 11) };
    const lines = async (forgetting: ForgetPlan) => {
      const annals = fakeAnnals({ forgetting });
      return (await call(['forget', '--query', 'key', '--dry-run'], { annals })).stdout.split('\n');
    };
    const many = await lines({ ...FORGET_PLAN, items: 235, things, copies });
    expect(many).toContain('  and 215 more (--dry-run --json lists the first 200)');
    expect(many).toContain('  and 3 more (--dry-run --json lists them)');
    expect(many[2]).toMatch(/^ +…y has to ask where the Key lies$/);
    expect(many.slice(3, 5).join('\n')).toMatch(/Two keys\n.*The doormat$/);
    const few = await lines({ ...FORGET_PLAN, items: 35, things: things.slice(0, 35) });
    expect(few).toContain('  and 15 more (--dry-run --json lists them)');
    expect((await lines(FORGET_PLAN)).join('\n')).not.toContain('more (');
  });

  test('does nothing when the answer is no', async () => {
    const { code, stdout, stderr } = await call(['forget', 'p-k3j5'], {
      terminal: { columns: 100 },
      answer: '',
    });
    expect(code).toBe(1);
    expect(stdout).not.toContain('Forgotten');
    expect(stderr).toContain('Nothing was changed.');
  });

  test('needs --yes without a terminal, after it has looked whether there is anything to forget', async () => {
    for (const words of [
      ['forget', 'p-k3j5'],
      ['forget', 'p-k3j5', '--json'],
    ]) {
      const { code, annals } = await call(words);
      expect(code).toBe(2);
      expect(annals.calls).toEqual([['forget', { ids: ['p-k3j5'] }, false, true]]);
    }
    const { code, json } = await call([
      'forget',
      '--query',
      'the doormat',
      '--with-copies',
      '--yes',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ outcome: 'forgotten', plan: FORGET_PLAN, proof: { ok: true } });
  });

  test.each([
    ...['CLAUDECODE', 'CODEX_THREAD_ID', 'GEMINI_CLI', 'QWEN_CODE', 'OPENCODE'],
    ...['ANNALS_AGENT', 'ANNALS_INTERNAL'],
  ])('only proposes and prints the command when %s is set, even with --yes', async (mark) => {
    const words = ['forget', '--query', "robin's doormat", '--with-copies', '--yes'];
    const { code, stdout, annals } = await call(words, { environment: { [mark]: '1' } });
    expect(stdout).toBe("annals forget --query 'robin'\\''s doormat' --with-copies\n");
    const selection = { query: "robin's doormat", withCopies: true };
    expect(annals.calls).toEqual([['act', { act: 'forget', selection, author: 'agent' }]]);
    expect(code).toBe(1);
    const { json } = await call([...words, '--json'], { environment: { [mark]: '1' } });
    expect(json()).toMatchObject({ outcome: 'proposed', proposal: 'ab'.repeat(16) });
    const there = await call(['--home', '/srv/other', ...words], { environment: { [mark]: '1' } });
    expect(there.stdout).toContain(' --home /srv/other\n');
  });

  test('shows the plan with --dry-run, also to an agent', async () => {
    const annals = fakeAnnals();
    const { code, stdout } = await call(['forget', '--session', '6f1d2c1e', '--dry-run'], {
      annals,
      environment: { CLAUDECODE: '1' },
    });
    expect(asked(annals.calls)).toEqual(['forget']);
    expect(annals.calls[0]).toEqual(['forget', { session: '6f1d2c1e' }, false, true]);
    expect(stdout).toContain('To be forgotten');
    expect(stdout).not.toContain('Forgotten:');
    expect(code).toBe(0);
  });
});

test('annals compact prints its result', async () => {
  const { stdout, json } = await call(['compact', '--json']);
  expect(json()).toEqual({ bytesBefore: 4_000_000, bytesAfter: 1_000_000, ms: 900 });
  expect(stdout).not.toBe('');
});
