// `npm run examples`: writes the example transcripts from the two stories beside this file. The same stories
// give the same bytes; a test fails when the files are not what the stories say.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { monday } from './monday.mjs';
import { tuesday } from './tuesday.mjs';

/** Paths relative to examples/, with what they hold. */
export function exampleFiles() {
  const stories = { ...monday(), ...tuesday() };
  return Object.fromEntries(
    Object.entries(stories).map(([path, content]) => [`birdfeeder/${path}`, content]),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, content] of Object.entries(exampleFiles())) {
    const whole = join(import.meta.dirname, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    console.error(`Wrote examples/${path}`);
  }
}
