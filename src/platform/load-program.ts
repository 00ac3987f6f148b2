// Runs a program that scripts/build.mjs made, with the code that V8 compiled at build time: compiling two dozen modules
// on each start took a third of the time of a search.
import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Program = (
  exports: object,
  load: (id: string) => unknown,
  module: { exports: object },
  path: string,
  folder: string,
) => void;

/** The second file of a program (scripts/build-in-two.mjs), which has compiled code too. */
const REST = /^\.\/[a-z-]+-rest\.cjs$/;

/** What the program exports. `path` is a CommonJS file. */
export function loadProgram<Exports extends object>(path: string): Exports {
  const module = { exports: {} };
  const { exports } = module;
  const program = programScript(path, compiledCode(path)).runInThisContext() as Program;
  const require = createRequire(path);
  const load = (id: string) => (REST.test(id) ? loadProgram(join(dirname(path), id)) : require(id));
  program(exports, load, module, path, dirname(path));
  return module.exports as Exports;
}

function programScript(path: string, cachedData: Buffer | undefined): Script {
  const bytes = readFileSync(path);
  // The build writes ASCII, which as Latin-1 needs no decoding.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  // The compiled code contains the file name that it was compiled with. A path would be that of the build's machine.
  return new Script(Module.wrap(text), { filename: basename(path), cachedData });
}

/**
 * What scripts/compile-ahead.mjs wrote, undefined if it wrote none for this machine type and V8. V8 rejects code that was
 * compiled with other flags; the program is then compiled at start, which is only slower.
 */
function compiledCode(path: string): Buffer | undefined {
  const { platform, arch, versions } = process;
  try {
    return readFileSync(path.replace(/\.cjs$/, `-${platform}-${arch}-${versions.v8}.code`));
  } catch {
    return undefined;
  }
}
