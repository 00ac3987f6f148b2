import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../projections/observer/reply/parse-answer.ts';
import { citedIn } from '../../src/corpus/citations.ts';

describe('an answer', () => {
  test.each([
    ['tags', 'Well: <answer> At dawn [m-aaaaaaaaaaaa]. </answer>', 'At dawn [m-aaaaaaaaaaaa].'],
    ['tags', '<answer>It prints </answer> twice.</answer>', 'It prints </answer> twice.'],
    ['tags', '```\n<no_answer/>\n```', null],
    ['tags', '<answer> </answer>', null],
    ['schema', '{"answer":null,"citations":[]}', null],
    ['schema', '{"answer":"At dawn.","citations":[]}', 'At dawn.'],
  ] as const)('is read: %s %s', (form, text, answer) => {
    expect(parseAnswer(text, form)).toEqual({ valid: true, answer, citations: [] });
  });

  test.each([
    ['tags', 'At dawn.'],
    ['tags', '<answer>At da'],
    ['tags', ''],
    ['schema', '{"answer":"At da'],
    ['schema', '{"answer":7,"citations":[]}'],
    ['schema', '{"answer":"At dawn."}'],
    ['schema', 'null'],
    ['schema', `{"answer":"${'x'.repeat(300_000)}","citations":[]}`],
  ] as const)('is not guessed: %s %.40s', (form, text) => {
    expect(parseAnswer(text, form)).toEqual({ valid: false, reason: expect.any(String) });
  });
});

test('text in brackets that is no id stays as it is', () => {
  const answer =
    'Use [a-z], items[0], a t-distribution and an [e-mail] of the [a-team] with its [x-axis, p-value], see a-team and t-shirt [note].';
  expect(citedIn(answer, [], new Set())).toEqual({ answer, known: [], refused: [] });
});

test.each(['o', 's'])('an id that the model made up of letters is marked: of %s', (kind) => {
  const id = `${kind}-abcdefghijkl`;
  expect(citedIn(`At dawn [${id}].`, [], new Set())).toEqual({
    answer: `At dawn [${id}: not in this corpus].`,
    known: [],
    refused: [id],
  });
});
