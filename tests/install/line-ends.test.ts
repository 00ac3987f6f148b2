import { expect, test } from 'vitest';
import { appendJson } from '../../src/config/json-text.ts';
import { claudeForm, withHooks } from '../helpers/installed-hooks.ts';

test('an edit terminates on a comment that ends with a lone carriage return, and such a file is not edited', () => {
  const text = '{\r"a": 1 // one, two\r}\r';
  const handler = { type: 'command', command: 'true' };
  expect(() => withHooks(text, [{ event: 'Stop', matcher: null, handler }], claudeForm())).toThrow(
    'one of its lines ends with a lone carriage return',
  );
  expect(appendJson(text, [], 'b', 2)).toContain('"b": 2');
});
