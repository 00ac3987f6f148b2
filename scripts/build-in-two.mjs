// Builds a program in two files. V8 prepares every function of a script before it runs the first, so a program does not
// load what it does not need: of the 2.9 MB of the command, a search needs 0.9. dist/<name>.cjs holds what nearly every run
// needs, dist/<name>-rest.cjs everything else, loaded at its first use. Loading took a search 28 ms in one file, 13 in two, with
// compiled code.
//
// esbuild splits ES modules only, so each of its parts is then made CommonJS and becomes a function that runs once:
//
//   command.cjs       parts = {'./command.js': (exports, require, module) => { … }, …}
//   command-rest.cjs  the same of the other parts
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Returns esbuild's metafile. `settings` are those of a bundle in one file. The first file holds all that the modules of
 * `soon` import; the first of them is the entry, the others are loaded by a dynamic import.
 */
export async function buildInTwo(esbuild, dist, settings, name, soon) {
  const [entry] = soon;
  const { metafile, outputFiles } = await esbuild.build({
    ...settings,
    entryPoints: { [name]: entry },
    outdir: dist,
    format: 'esm',
    outExtension: {},
    supported: {},
    splitting: true,
    write: false,
    sourcemap: false,
    chunkNames: '[name]-[hash]',
  });
  const first = neededBy(soon, metafile);
  const parts = { first: [], rest: [] };
  for (const { path, text } of outputFiles) {
    const { code } = await esbuild.transform(text, {
      format: 'cjs',
      target: settings.target,
      charset: settings.charset,
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
    });
    const part = `./${basename(path)}`;
    parts[first.has(part) ? 'first' : 'rest'].push(
      `${JSON.stringify(part)}(exports,require,module){${code}}`,
    );
  }
  const run = `module.exports=(${runParts})({${parts.first.join(',\n')}},${JSON.stringify(name)},require)`;
  writeFileSync(join(dist, `${name}.cjs`), `"use strict";${run};\n`);
  writeFileSync(join(dist, `${name}-rest.cjs`), `"use strict";module.exports={${parts.rest.join(',\n')}};\n`);
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

/** Runs in the first file, as text: returns what the program exports. Other programs (`.cjs`) and packages are not parts. */
function runParts(parts, name, load) {
  const known = new Map();
  let rest = null;
  const require = (id) => {
    if (!/^\.\/.*\.js$/.test(id)) return load(id);
    const loaded = known.get(id);
    if (loaded !== undefined) return loaded.exports;
    if (parts[id] === undefined) rest ??= load(`./${name}-rest.cjs`);
    const part = parts[id] ?? rest[id];
    // The names of parts hold a hash of their content, so those of another build are not there.
    if (part === undefined)
      throw new Error(`${name}-rest.cjs is of another build than the program that runs.`);
    const module = { exports: {} };
    known.set(id, module);
    part(module.exports, require, module);
    return module.exports;
  };
  return require(`./${name}.js`);
}
