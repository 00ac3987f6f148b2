// Builds the command in two files. V8 prepares every function of a script before it runs the first, so a search does not
// load what it does not need: of 2.9 MB it needs 0.9. dist/command.cjs holds what nearly every call and a search need,
// dist/command-rest.cjs everything else, loaded at its first use. Loading took a search 28 ms in one file, 13 in two, with
// compiled code.
//
// esbuild splits ES modules only, so each of its parts is then made CommonJS and becomes a function that runs once:
//
//   command.cjs       parts = {'./command.js': (exports, require, module) => { … }, …}
//   command-rest.cjs  the same of the other parts
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ENTRY = 'src/cli/command-line.ts';
/** What is loaded for a search, one module after the other; the first file holds all that these import. */
const SOON = [
  ENTRY,
  'src/cli/run-command.ts',
  'src/cli/process-world.ts',
  'src/cli/commands/search.ts',
  'src/index.ts',
];

/** Returns esbuild's metafile. `settings` are those of a bundle in one file. */
export async function buildCommand(esbuild, dist, settings) {
  const { metafile, outputFiles } = await esbuild.build({
    ...settings,
    entryPoints: { command: ENTRY },
    outdir: dist,
    format: 'esm',
    outExtension: {},
    supported: {},
    splitting: true,
    write: false,
    sourcemap: false,
    chunkNames: '[name]-[hash]',
  });
  const soon = neededBy(SOON, metafile);
  const parts = { soon: [], later: [] };
  for (const { path, text } of outputFiles) {
    const { code } = await esbuild.transform(text, {
      format: 'cjs',
      target: settings.target,
      charset: settings.charset,
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
    });
    const name = `./${basename(path)}`;
    parts[soon.has(name) ? 'soon' : 'later'].push(`${JSON.stringify(name)}(exports,require,module){${code}}`);
  }
  const run = `module.exports=(${runParts})({${parts.soon.join(',\n')}},require)`;
  writeFileSync(join(dist, 'command.cjs'), `"use strict";${run};\n`);
  writeFileSync(
    join(dist, 'command-rest.cjs'),
    `"use strict";module.exports={${parts.later.join(',\n')}};\n`,
  );
  return { metafile };
}

/** The names of the parts with these modules, and of all parts that they import at once. */
function neededBy(modules, { outputs }) {
  const needed = new Set();
  const add = (path) => {
    const name = `./${basename(path)}`;
    if (needed.has(name) || outputs[path] === undefined) return;
    needed.add(name);
    for (const { kind, path: imported } of outputs[path].imports)
      if (kind === 'import-statement') add(imported);
  };
  for (const module of modules) {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module);
    if (found === undefined) throw new Error(`${module} is not loaded by a dynamic import any more.`);
    add(found[0]);
  }
  return needed;
}

/** Runs in dist/command.cjs, as text: returns what the command exports. Other programs (`.cjs`) and packages are not parts. */
function runParts(parts, load) {
  const known = new Map();
  let rest = null;
  const require = (id) => {
    if (!/^\.\/.*\.js$/.test(id)) return load(id);
    const loaded = known.get(id);
    if (loaded !== undefined) return loaded.exports;
    if (parts[id] === undefined) rest ??= load('./command-rest.cjs');
    const module = { exports: {} };
    known.set(id, module);
    (parts[id] ?? rest[id])(module.exports, require, module);
    return module.exports;
  };
  return require('./command.js');
}
