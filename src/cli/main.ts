#!/usr/bin/env node
// The command `annals`: runs the bundle that the build makes, with the code that V8 compiled at build time. Compiling
// two dozen modules on each start took a third of the time of a search. Compiled code from another machine, Node
// version or set of flags is rejected by its file name or by V8; the bundle is then compiled at start, which is slower.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { main } from './command-line.ts';
import { version } from './package.ts';

/** The bundle is one function. Its arguments replace module globals: `require`, and the folder of the bundle. */
type Bundle = (load: NodeJS.Require, folder: string) => { readonly main: typeof main };

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V'))
  process.stdout.write(`${version()}\n`);
else void command().main(words);

function command(): ReturnType<Bundle> {
  const path = join(import.meta.dirname, 'command.cjs');
  // The build writes ASCII only, and Latin-1 needs no decoding.
  const script = new Script(readFileSync(path, 'latin1'), { filename: path, cachedData: compiledCode() });
  const bundle = script.runInThisContext() as Bundle;
  return bundle(require, import.meta.dirname);
}

/** Reads the compiled code that scripts/compile-ahead.mjs wrote. */
function compiledCode(): Buffer | undefined {
  const { platform, arch, versions } = process;
  try {
    return readFileSync(join(import.meta.dirname, `command-${platform}-${arch}-${versions.v8}.code`));
  } catch {
    // Without it the start is only slower.
    return undefined;
  }
}
