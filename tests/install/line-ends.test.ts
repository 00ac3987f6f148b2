import { expect, test } from 'vitest';
import { withHooks } from '../../src/agents/claude-code/install/claude-settings.ts';
import { appendJson } from '../../src/install/json-text.ts';

test('a comment that only a carriage return ends keeps no edit from ending, and such a file is not edited', () => {
  const text = '{\r"a": 1 // one, two\r}\r';
  const handler = { type: 'command', command: 'true' };
  expect(() => withHooks(text, [{ event: 'Stop', matcher: null, handler }], '/settings.json')).toThrow(
    'a line of it ends with a carriage return alone',
  );
  expect(appendJson(text, [], 'b', 2)).toContain('"b": 2');
});
