// `npm run docs`: writes the generated pages: docs/cli.md and the manual page from the commands' help, docs/errors.md and docs/events.md
// from the tables in log/. A test fails when one is stale.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadTypescript } from './load-typescript.mjs';
import { root } from './run.mjs';

const { referencePages } = await loadTypescript('src/cli/reference/reference-pages.ts');
for (const [path, content] of Object.entries(await referencePages())) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  console.error(`Wrote ${path}`);
}
