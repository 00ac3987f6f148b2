import { expect, test } from 'vitest';
import { manPage } from '../../src/cli/reference/man-page.ts';

test('a line of help is never read as a request or an escape by man', () => {
  const page = manPage('one', [{ name: 'log', help: ".start 'quoted'\n'x' C:\\new --json `annals`" }]);
  expect(page).toContain('.SS annals log\n.nf\n');
  expect(page).toContain("\n\\&.start 'quoted'\n");
  expect(page).toContain("\n\\&'x' C:\\enew \\-\\-json \\(gaannals\\(ga\n.fi\n");
});
