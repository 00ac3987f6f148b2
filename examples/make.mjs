// `npm run examples`: generates the example transcripts from monday.mjs and tuesday.mjs. The output is always the
// same; a test fails when the files are stale.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { monday } from './monday.mjs';
import { tuesday } from './tuesday.mjs';

/** Content of each file by its path, relative to examples/. */
export function exampleFiles() {
  const stories = { ...monday(), ...tuesday() };
  return Object.fromEntries(
    Object.entries(stories).map(([path, content]) => [`birdfeeder/${path}`, content]),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, content] of Object.entries(exampleFiles())) {
    const target = join(import.meta.dirname, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    console.error(`Wrote examples/${path}`);
  }
}
