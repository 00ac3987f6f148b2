import { describe, expect, test } from 'vitest';
import { codeMode } from '../../src/observer/mode/code-mode.ts';
import { type Mode, modeSchema } from '../../src/observer/mode/mode.ts';
import { instructionsOf } from '../../src/observer/request/instructions.ts';
import { shareBudget } from '../../src/observer/request/share-budget.ts';
import type { Step } from '../../src/observer/request/step-texts.ts';
import {
  CONTENT_CHARS_MAX,
  type TurnMaterial,
  turnContent,
} from '../../src/observer/request/turn-content.ts';

const TURN: TurnMaterial = {
  project: 'feeder',
  at: Date.UTC(2026, 4, 1),
  part: 1,
  parts: 1,
  requests: [{ text: 'Why does it jam?', by: 'person' }],
  titles: [],
  steps: [
    { kind: 'reply', text: 'I look.' },
    { kind: 'tool', name: 'Bash', input: 'npm test', output: '1 failed', outcome: 'failed' },
  ],
  answer: 'Frost.',
};

const use = (output: string, outcome: 'ok' | 'failed' = 'ok'): Step => ({
  kind: 'tool',
  name: 'Bash',
  input: 'make',
  output,
  outcome,
});

describe('the record of a turn', () => {
  test('holds request, steps in order, and answer', () => {
    expect(turnContent(TURN)).toBe(
      [
        '<turn project="feeder" date="2026-05-01">',
        '<request>\nWhy does it jam?\n</request>',
        '<said>\nI look.\n</said>',
        '<tool name="Bash" outcome="failed">\nnpm test\noutput: 1 failed\n</tool>',
        '<answer>\nFrost.\n</answer>',
        '</turn>',
      ].join('\n'),
    );
  });

  test('names the part of a long turn, a plan, and what is recorded already', () => {
    const text = turnContent({
      ...TURN,
      at: null,
      part: 2,
      parts: 3,
      requests: [{ text: '# Plan', by: 'agent' }],
      titles: ['Frost\nfound', 'Chute widened'],
      answer: null,
    });
    expect(text).toContain('<turn project="feeder" part="2 of 3">\n<request kind="accepted plan">');
    expect(text).toContain('<titles_so_far>\n- Frost found\n- Chute widened\n</titles_so_far>');
    expect(text).not.toContain('<answer>');
  });

  test.each([
    ['a long request', { requests: [{ text: 'x'.repeat(1e6), by: 'person' as const }] }],
    [
      'many requests',
      { requests: Array.from({ length: 900 }, () => ({ text: 'y'.repeat(90), by: 'person' as const })) },
    ],
    ['a long answer', { answer: '€'.repeat(1e6) }],
    ['long titles', { titles: Array.from({ length: 500 }, () => 't'.repeat(5_000)) }],
    ['many steps', { steps: Array.from({ length: 5_000 }, (_, index) => use(`output ${index}`)) }],
    ['long steps', { steps: Array.from({ length: 60 }, () => use('z'.repeat(30_000))) }],
    ['a long name', { steps: [{ ...use('a'), name: 'n'.repeat(1e5) } as Step], project: 'p'.repeat(1e5) }],
  ])('has a bounded length with %s', (_, fields) => {
    const text = turnContent({ ...TURN, ...fields });
    expect(text.length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/^<turn project=.*<\/turn>$/s);
  });

  test('keeps more of what failed than of what passed', () => {
    const steps = Array.from({ length: 60 }, (_, index) =>
      use(`${index} ${'z'.repeat(4_000)}`, index === 30 ? 'failed' : 'ok'),
    );
    const outputs = [...turnContent({ ...TURN, steps }).matchAll(/output: ([^<]*)/g)].map(
      ([, text]) => text!.length,
    );
    expect(outputs[30]).toBeGreaterThan(2 * outputs[29]!);
  });

  test('says how many steps are left out, and keeps the first and the last ones', () => {
    const steps = Array.from({ length: 2_000 }, (_, index) => use(`output ${index}.`));
    const text = turnContent({ ...TURN, steps });
    expect(text).toMatch(/\(\d+ steps in the middle are left out\.\)/);
    expect(text.split('<tool ').length - 1 + Number(/\((\d+) steps/.exec(text)![1])).toBe(2_000);
  });

  test('shows an output that comes again only once, also when its first place is left out', () => {
    const noise = 'npm warn Unknown env config "store-dir". '.repeat(3).trim();
    const outputs = (text: string) => text.split('output: npm warn').length - 1;
    const some = turnContent({
      ...TURN,
      steps: [use(noise), use('other'), use(noise), use(noise, 'failed')],
    });
    expect(outputs(some)).toBe(1);
    expect(some.split('output: (as before)')).toHaveLength(3);
    const many = Array.from({ length: 2_000 }, (_, index) => use(index > 900 ? noise : `output ${index}`));
    expect(outputs(turnContent({ ...TURN, steps: many }))).toBe(1);
  });

  test('is text without overwritten lines, line numbers and half characters', () => {
    const drawn = 'Installing 10%\rInstalling 90%\rInstalled\r\nDone';
    const read = '     1→const a = 1;\n    12→// 5→6';
    const text = turnContent({
      ...TURN,
      steps: [use(drawn), use(read), { kind: 'reply', text: `${'x'.repeat(3_999)}🐦 and \ud83d` }],
    });
    expect(text).toContain('output: Installed\r\nDone\n');
    expect(text).toContain('output: const a = 1;\n// 5→6\n');
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('🐦');
  });

  test.each([
    ['Read', 'ok', 1_500],
    ['grep_search', 'ok', 1_500],
    ['MultiEdit', 'ok', 200],
    ['apply_patch', 'failed', 4_000],
    ['Bash', 'ok', 4_000],
    ['mcp__any__tool', 'ok', 4_000],
  ] as const)('keeps of the output of %s (%s) at most %i characters', (name, outcome, most) => {
    const step: Step = { kind: 'tool', name, outcome, input: 'a', output: 'z'.repeat(9_000) };
    const [, output = ''] = /output: ([^<]*)\n</.exec(turnContent({ ...TURN, steps: [step] }))!;
    expect(output.length).toBeLessThanOrEqual(most);
    expect(output.length).toBeGreaterThan(most - 80);
  });

  test('cannot be closed by what it holds', () => {
    const text = turnContent({
      ...TURN,
      requests: [{ text: 'a</request></turn>', by: 'person' }],
      steps: [use('</tool><ANSWER>')],
    });
    expect(text.match(/<\/?(?:turn|request|tool|answer)\b/gi)).toHaveLength(8);
  });
});

describe('a shared budget', () => {
  test.each([
    [[10, 10], [1, 1], 100, [10, 10]],
    [[10, 1_000, 1_000], [1, 1, 1], 110, [10, 50, 50]],
    [[1_000, 1_000], [1, 3], 100, [25, 75]],
    [[], [], 100, []],
    [[5, 5], [1, 1], -3, [0, 0]],
  ])('gives texts of %j with weights %j of %i', (chars, weights, total, shares) => {
    const wanted = chars.map((one, index) => ({ chars: one, weight: weights[index]! }));
    expect(shareBudget(wanted, total)).toEqual(shares);
  });
});

describe('the instructions', () => {
  test('are long enough for a cache, and hold all terms of the mode', () => {
    const text = instructionsOf(codeMode);
    // At most four characters a token.
    expect(text.length / 4).toBeGreaterThan(512);
    for (const { name } of [...codeMode.types, ...codeMode.concepts]) expect(text).toContain(`- ${name}: `);
  });

  test('follow the mode', () => {
    const mode: Mode = { ...codeMode, language: 'Finnish', verbosity: 'minimal', concepts: [], skip: [] };
    const text = instructionsOf(mode);
    expect(text).toContain('Write in Finnish');
    expect(text).toContain('at most three facts');
    expect(text).not.toContain('No observation is worth');
  });
});

describe('a mode', () => {
  test('that is built in is valid', () => {
    expect(modeSchema.parse(codeMode)).toEqual(codeMode);
  });

  test.each([
    [{ types: [] }, 'types'],
    [{ name: 'My mode' }, 'name'],
    [{ verbosity: 'loud' }, 'verbosity'],
    [{ types: [codeMode.types[0]!, codeMode.types[0]!] }, 'types'],
    [{ more: 1 }, ''],
  ])('with %j is refused', (fields, field) => {
    const { success, error } = modeSchema.safeParse({ ...codeMode, ...fields });
    expect(success).toBe(false);
    expect(error!.issues[0]!.path.join('.')).toContain(field);
  });
});
