#!/usr/bin/env node
// The command `annals`: runs the one file that the build makes of it, with the code that V8 compiled of it when it
// was built. Compiling two dozen modules anew was a third of what a search took. V8 itself refuses code of another
// version or other flags, and compiles what it needs; without the file it is the same.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { main } from './command-line.ts';

/** The bundle is a function, so that it sees no global of ours: how to load what is outside of it, and where it lies. */
type Bundle = (load: NodeJS.Require, folder: string) => { readonly main: typeof main };

const path = join(import.meta.dirname, 'command.cjs');
// Latin-1, because the build writes nothing but ASCII, and that needs no decoding.
const script = new Script(readFileSync(path, 'latin1'), { filename: path, cachedData: compiledCode() });
const bundle = script.runInThisContext() as Bundle;
await bundle(createRequire(path), import.meta.dirname).main(process.argv.slice(2));

function compiledCode(): Buffer | undefined {
  try {
    return readFileSync(`${path}.code`);
  } catch {
    // Only slower without it.
    return undefined;
  }
}
