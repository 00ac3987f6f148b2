// What edits do to the lines of a file, in the forms in which the agents write edits.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../log/index.ts';
import { addedLines, changedLines, patchedLines } from '../../../projections/tools/changed-lines.ts';

const CHANGE = { old_string: 'one\ntwo\n', new_string: 'one\nand a half\ntwo\n' };
const BACK = { old_string: 'half\nand a half\ntwo', new_string: 'half\ntwo' };
const patch = (...lines: string[]) =>
  ['*** Begin Patch', '*** Update File: src/a.ts', '@@', ...lines, '*** End Patch'].join('\n');

describe('The lines that an edit changes', () => {
  test.each<[string, Json, Json]>([
    ['with other lines around it', CHANGE, BACK],
    ['in other fields', { oldString: 'two', newString: '2' }, { old_str: '2', new_str: 'two' }],
    [
      'among several',
      { edits: [CHANGE, { old_string: 'x', new_string: 'y' }] },
      { edits: [{ old_string: 'y', new_string: 'x' }, BACK] },
    ],
  ])('cancel those of an edit that takes it back: %s', (_, change, back) => {
    expect(changedLines(change)).not.toBe(0);
    expect(addedLines(changedLines(change), changedLines(back))).toBe(0);
  });

  test('are the same in a patch', () => {
    const lines = patchedLines(patch(' one', '+and a half', ' two'));
    expect(lines).toBe(changedLines(CHANGE));
    expect(addedLines(lines, patchedLines(patch(' one', '-and a half')))).toBe(0);
  });

  test('count each time', () => {
    const twice = { old_string: 'one', new_string: 'one\nand a half\nand a half' };
    expect(addedLines(changedLines(twice), changedLines(BACK))).not.toBe(0);
  });

  test.each<[string, Json]>([
    ['all places are replaced', { ...CHANGE, replace_all: true }],
    ['one of several replaces all places', { edits: [CHANGE, { ...CHANGE, replace_all: true }] }],
    ['the whole file is written', { content: 'one\ntwo' }],
    ['it is a text', 'one'],
    ['it is a list', [CHANGE]],
  ])('are not known if %s', (_, input) => {
    expect(changedLines(input)).toBeNull();
    expect(addedLines(changedLines(CHANGE), changedLines(input))).toBeNull();
  });

  test.each(['*** Add File: src/b.ts', '*** Delete File: src/b.ts', '*** Move to: src/b.ts'])(
    'are not known of a patch with “%s”',
    (line) => expect(patchedLines(patch(line, '+one'))).toBeNull(),
  );
});
