import { describe, expect, it } from 'vitest';
import { withoutEmphasis } from '../../../projections/extract/text/emphasis.ts';
import { plainMarkdown } from '../../../projections/extract/text/markdown.ts';
import { textTitle } from '../../../projections/memory/turn-documents.ts';

describe('Markdown’s emphasis', () => {
  it.each([
    [
      'rename strategy_options to attribution_calculation',
      'rename strategy_options to attribution_calculation',
    ],
    ['**Fixed** the `strategy_options` of *all* parsers', 'Fixed the strategy_options of all parsers'],
    ['**strategy_options** stays', 'strategy_options stays'],
    ['***both*** and *one two*', 'both and one two'],
    ['__init__ calls _private_name of snake_case', '__init__ calls _private_name of snake_case'],
    ['`__init__` and `src/*.ts`', '__init__ and src/*.ts'],
    ['**`src/my_file.ts`** — *moved*', 'src/my_file.ts — moved'],
    ['Updated **`a_b.go`** and `**kwargs`', 'Updated a_b.go and **kwargs'],
    ['src/*.ts and a * b and 2*3*4', 'src/*.ts and a * b and 2*3*4'],
    ['SELECT * FROM cats WHERE a_b = 1', 'SELECT * FROM cats WHERE a_b = 1'],
    ['**a whole sentence that goes on', 'a whole sentence that goes on'],
    ['and ends here**.', 'and ends here.'],
    ['f(**kwargs) and f(*args)', 'f(**kwargs) and f(*args)'],
  ])('%s', (marked, words) => {
    expect(withoutEmphasis(marked)).toBe(words);
    expect(textTitle(marked)).toBe(words);
    expect(plainMarkdown(marked)).toBe(words);
  });

  it('is removed in linear time, however often it seems to begin', () => {
    for (const piece of ['*a', '_a', '** a', '__a ', '`', '_*', 'a_', '*_ ', '_a_a ', '**a_ '])
      expect(withoutEmphasis(piece.repeat(50_000))).toBeTypeOf('string');
  });

  it('removes list marks from titles', () => {
    expect(textTitle('* fix my_helper')).toBe('fix my_helper');
    expect(textTitle('- **my_helper** is gone')).toBe('my_helper is gone');
    expect(textTitle('## __init__ of the package')).toBe('__init__ of the package');
  });
});

describe('The title of a text', () => {
  it.each([
    ['[[ ## user_query ## ]]\n\nReply with the marker.', 'Reply with the marker.'],
    ['<user_query>\nWiden the chute\n</user_query>', 'Widen the chute'],
    ['<user_query>Widen the chute</user_query>', 'Widen the chute'],
    ['[[ ## user_query ## ]]', '[[ ## user_query ## ]]'],
    ['It found this:\n\nfold the changes. Then commit.', 'It found this: fold the changes.'],
    ['It found this:', 'It found this'],
    [
      'the feeder works now but I think its door is off:\n\nBuilt: feeder',
      'the feeder works now but I think its door is off',
    ],
  ])('passes over what a program wrote around it, and does not end in a colon: %j', (text, title) => {
    expect(textTitle(text)).toBe(title);
  });
});
