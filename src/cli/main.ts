#!/usr/bin/env node
// The command `annals`: runs the one script that the build makes of it, with the code that V8 compiled of it when it
// was built. Compiling two dozen modules anew was a third of what a search took. Code of another machine, Node or
// set of flags is refused, by its name or by V8 itself, and what is needed is compiled: slower, and else the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { main } from './command-line.ts';
import { version } from './package.ts';
import { isSessionStart } from './session-start-line.ts';

/** The bundle is a function, so that it sees no global of ours: how to load what is outside of it, and where it lies. */
type Bundle = (load: NodeJS.Require, folder: string) => { readonly main: typeof main };

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V'))
  process.stdout.write(`${version()}\n`);
else void command().main(words);

function command(): ReturnType<Bundle> {
  const path = join(import.meta.dirname, 'command.cjs');
  // Latin-1, because the build writes nothing but ASCII, and that needs no decoding.
  const script = new Script(readFileSync(path, 'latin1'), { filename: path, cachedData: compiledCode() });
  const bundle = script.runInThisContext() as Bundle;
  return bundle(require, import.meta.dirname);
}

/** As scripts/compile-ahead.mjs names it. */
function compiledCode(): Buffer | undefined {
  const { platform, arch, versions } = process;
  const what = isSessionStart(words) === null ? 'command' : 'start';
  try {
    return readFileSync(join(import.meta.dirname, `${what}-${platform}-${arch}-${versions.v8}.code`));
  } catch {
    // Only slower without it.
    return undefined;
  }
}
