import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonProblem, parseJson } from '../../log/index.ts';

const LIMITS = { depthMax: 3, valuesMax: 10 };

describe('JSON from outside', () => {
  it.each([
    '[[[1]]]',
    '{"a":{"b":[2]}}',
    '"[[[[[["',
    '{"[[[[":"]]]]{{{{"}',
    '["\\"[[[[", "\\\\", [[]]]',
    '7',
  ])('is parsed up to the depth limit: %s', (text) => {
    expect(parseJson(text, LIMITS)).toEqual({ value: JSON.parse(text) });
  });

  it.each(['[[[[1]]]]', '{"a":{"b":{"c":{}}}}', '["\\\\",[[[]]]]', '[[[['])(
    'is refused above the depth limit, before it is parsed: %s',
    (text) => {
      expect(parseJson(text, LIMITS)).toEqual({ problem: 'nested deeper than 3 levels' });
    },
  );

  it('is refused when it has too many values of any kind', () => {
    const problem = 'made of more than 10 values';
    expect(parseJson('[1,2,3,4,5,6,7,8,9]', LIMITS)).toEqual({ value: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
    expect(parseJson('[1,2,3,4,5,6,7,8,9,10]', LIMITS)).toEqual({ problem });
    expect(parseJson(`{${'"a":1,'.repeat(12)}"a":1}`, LIMITS)).toEqual({ problem });
    expect(parseJson('[[],[],[],[],[]]', LIMITS)).toEqual({ problem });
  });

  it('needs no stack when it is a million levels deep or has millions of brackets', () => {
    expect(parseJson('['.repeat(1_000_000))).toEqual({ problem: 'nested deeper than 100 levels' });
    expect(parseJson('{"a":'.repeat(500_000))).toEqual({ problem: 'nested deeper than 100 levels' });
    expect(parseJson(`[${'[],'.repeat(4_000_000)}[]]`)).toEqual({
      problem: 'made of more than 100000 values',
    });
  });

  it('is reported as "not JSON" when it is invalid, and may begin with a byte order mark', () => {
    for (const text of ['', '{', '{"a"', '"', '"\\', '// [', 'NaN', '\u0000'])
      expect(parseJson(text)).toEqual({ problem: 'not JSON' });
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
  });

  it('within the limits is parsed as JSON.parse parses it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it('with comments is counted as a JSONC parser reads it', () => {
    const comments = { comments: true };
    expect(jsonProblem('{/* [[[[ " */ "a": 1} // [[[[', LIMITS, comments)).toBeNull();
    expect(jsonProblem('// say "hi\n[[[[1]]]]', LIMITS, comments)).toMatch(/deeper/);
    expect(jsonProblem('"torn\n[[[[1]]]]', LIMITS, comments)).toMatch(/deeper/);
    expect(jsonProblem('[[[ /* open', LIMITS, comments)).toBeNull();
  });
});
