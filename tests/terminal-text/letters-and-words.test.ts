import { expect, test } from 'vitest';
import { mentions } from '../../src/terminal-text/letters-and-words.ts';

test.each([
  ['Run npm test first', 'npm test', true],
  ['Run npm tests', 'npm test', false],
  ['Run it', '', false],
  ['', '', false],
])('“%s” mentions “%s”: %s', (text, name, isMentioned) => {
  expect(mentions(text, name)).toBe(isMentioned);
});
