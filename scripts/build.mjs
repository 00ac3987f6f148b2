// Builds dist/: the command (dist/cli.cjs), the library (dist/index.js), the programs that both of them load with V8's
// code cache, the viewer (dist/viewer), the types, and the licences of the packages in them. Only LevelDB's native binary stays outside the
// bundles: `level` is thirty small files, and resolving them took a command 20 ms. Its version is pinned, because the
// binary and its caller must match.
// `--if-stale` does nothing when nothing changed since the last build; `--no-types` skips the types. `npm run check` checks them.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildInTwo } from './build-in-two.mjs';
import { buildViewer } from './build-viewer.mjs';
import { compiledCode, IN_TWO, PROGRAMS } from './compiled-code.mjs';
import { root, run, tool } from './run.mjs';

const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const sources = [
  'src',
  'log',
  'projections',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/build-in-two.mjs',
  'scripts/build-viewer.mjs',
  'scripts/compile-ahead.mjs',
  'scripts/compiled-code.mjs',
];

/** The package `classic-level` imports its binary by a relative path; the bundle imports it by the package's name. */
const binaryOutside = {
  name: 'binary-outside',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      /[\\/]classic-level[\\/]/.test(importer) ? { path: 'classic-level/binding.js', external: true } : null,
    );
  },
};

/** Modules of Node that short commands often do not need; together they take 14 ms to load. */
const LOADED_LATE = ['child_process', 'crypto', 'fs/promises', 'timers/promises', 'zlib'];
/** It starts threads. Programs of threads need values of that module, which cannot be loaded late. */
const STARTS_THREADS = /[\\/]platform[\\/]threads\.ts$/;

/** Loads such a module at the first use of one of its functions or classes. Nothing else is exported. */
const loadedLate = {
  name: 'loaded-late',
  setup(esbuild) {
    const filter = new RegExp(`^(node:)?(${LOADED_LATE.join('|')})$`);
    esbuild.onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'late'
        ? null
        : { path: path.replace('node:', ''), namespace: 'late', sideEffects: false },
    );
    esbuild.onResolve({ filter: /^node:worker_threads$/ }, ({ importer }) =>
      STARTS_THREADS.test(importer)
        ? { path: 'worker_threads', namespace: 'late', sideEffects: false }
        : null,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
      const names = Object.entries(await import(`node:${path}`)).flatMap(([name, value]) =>
        typeof value === 'function' && name !== 'default' && name !== 'module.exports' ? [name] : [],
      );
      const functions = names.map(
        (name) =>
          `export const ${name} = function (...given) { return new.target ? new (late().${name})(...given) : late().${name}(...given); };`,
      );
      return {
        contents: `let known;\nconst late = () => (known ??= require('node:${path}'));\n${functions.join('\n')}`,
      };
    });
  },
};

/** The command line parser loads `node:child_process` (4 ms) to start subcommands in other files; we have none. */
const nothingStarted = {
  name: 'nothing-started',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'nothing', namespace: 'nothing' } : null,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Clients of services are files of their own, which only who uses the service loads: scripts are not split. */
const clientsOutside = {
  name: 'clients-outside',
  setup(esbuild) {
    const filter = /\/(anthropic-sdk|nats-client|postgres-client)\.ts$/;
    esbuild.onResolve({ filter }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${filter.exec(path)[1]}.cjs`, external: true } : null,
    );
  },
};

/** The MCP library brings a validator of JSON Schema (219 kB) for forms that a server shows; ours shows none. */
const withoutValidator = {
  name: 'without-validator',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'without-validator',
    }));
    esbuild.onLoad({ filter: /.*/, namespace: 'without-validator' }, () => ({
      contents:
        "export class DefaultJsonSchemaValidator {}\nexport { default as process } from 'node:process';",
    }));
  },
};

/** Settings shared by all esbuild bundles. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: ['level', 'classic-level', 'node-sqlite3-wasm'],
  // The CommonJS form of jsonc-parser loads its parts by a `require` that bundlers do not recognise.
  mainFields: ['module', 'main'],
  sourcemap: true,
  logLevel: 'warning',
  // Bundled CommonJS packages load Node's modules by `require`, which ES modules do not have.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
  },
};

const shipped = {
  ...bundling,
  outdir: 'dist',
  // LevelDB is external only for the tools of this repository, which do not run from dist/.
  // SQLite finds its WebAssembly file beside itself.
  external: ['node-sqlite3-wasm'],
  plugins: [binaryOutside, nothingStarted, withoutValidator],
  // Comments are most of the size of bundled packages; names stay, for readable stacks.
  minifyWhitespace: true,
  metafile: true,
};

/** The command is CommonJS: for an ES module Node first loads a loader, which takes as long as all of our code. */
const commonJs = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.dirname': '__dirname' },
  banner: {},
};

/** Programs that src/platform/load-program.ts loads: those of worker threads (src/platform/threads.ts), and those of the command. */
const threads = {
  'scan-thread': 'log/verify/scan-thread.ts',
  'search-thread': 'src/forget/search-thread.ts',
  'event-thread': 'src/share/keys/event-thread.ts',
};
const programs = {
  'session-start': 'src/cli/served-session-start.ts',
  mcp: 'src/mcp/program.ts',
  'process-mcp': 'src/cli/process-mcp.ts',
  ...threads,
};
/** Files that Node loads. */
const mains = {
  cli: 'src/cli/main.ts',
  thread: 'src/platform/thread-main.ts',
  'anthropic-sdk': 'src/observer/providers/anthropic-sdk.ts',
  'nats-client': 'src/share/log/nats-client.ts',
  'postgres-client': 'src/share/log/postgres-client.ts',
};

/** A script has no `import()` of its own. */
const script = { ...commonJs, charset: 'ascii', supported: { 'dynamic-import': false } };

const programSettings = {
  ...shipped,
  ...script,
  plugins: [...shipped.plugins, loadedLate, clientsOutside],
};

/** For a bundle that starts threads: their programs, next to it. */
export const threadPrograms = {
  ...bundling,
  ...script,
  entryPoints: { ...threads, 'home-thread': IN_TWO['home-thread'][0], thread: mains.thread },
};

/** Returns 0, or 1 after saying what is wrong. */
export async function build({ ifStale = false, types = true } = {}) {
  if (ifStale && !isStale(types)) return 0;
  const started = performance.now();
  const esbuild = await import('esbuild');
  rmSync(dist, { recursive: true, force: true });
  let bundles;
  let viewerModules;
  try {
    [viewerModules, ...bundles] = await Promise.all([
      buildViewer(join(dist, 'viewer')),
      esbuild.build({
        ...shipped,
        entryPoints: { index: 'src/index.ts' },
        splitting: true,
        chunkNames: 'chunks/[name]-[hash]',
      }),
      esbuild.build({ ...shipped, ...commonJs, entryPoints: mains }),
      esbuild.build({
        ...programSettings,
        entryPoints: programs,
      }),
      ...Object.entries(IN_TWO).map(([name, soon]) => buildInTwo(esbuild, dist, programSettings, name, soon)),
    ]);
  } catch {
    console.error('The build failed; see the lines above.');
    return 1;
  }
  writeLicences(bundles, viewerModules);
  for (const name of [...PROGRAMS, ...Object.keys(programs)]) writeInAscii(join(dist, `${name}.cjs`));
  chmodSync(join(dist, 'cli.cjs'), 0o755);
  if (run(process.execPath, ['scripts/compile-ahead.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] }) !== 0)
    console.error('The code cache could not be written: the command and the worker work, but start slower.');
  if (types && tool('typescript-7', 'tsc', ['-p', 'scripts/tsconfig.types.json']) !== 0) return 1;
  writeFileSync(stamp, types ? 'with types\n' : 'without types\n');
  console.error(`Built dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return 0;
}

/**
 * ASCII needs no decoding (src/platform/load-program.ts). esbuild writes strings in ASCII, but not regular expressions,
 * where this replaces other characters by escapes.
 */
function writeInAscii(path) {
  const text = readFileSync(path, 'utf8');
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(path, text.replace(/[\u0080-\uffff]/g, escaped));
}

/** The licence of every bundled package, which most of them require beside their code. */
function writeLicences(bundles, otherFiles) {
  const outputs = bundles.flatMap(({ metafile }) => Object.values(metafile.outputs));
  const files = outputs.flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
  );
  const folders = new Set(
    [...files, ...otherFiles].flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const name = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
    const text = name === undefined ? statedLicence(folder) : readFileSync(join(root, folder, name), 'utf8');
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${text.trim()}\n`;
  });
  writeFileSync(join(dist, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Of a package without a file of its licence. */
function statedLicence(folder) {
  const { license, author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return `${license}, by ${typeof author === 'string' ? author : author.name}, as its package.json says.`;
}

function isStale(types) {
  if (!existsSync(stamp) || !existsSync(join(dist, 'cli.cjs'))) return true;
  if (types && !existsSync(join(dist, 'types'))) return true;
  // Built by another version of Node.
  if (!PROGRAMS.every((name) => existsSync(compiledCode(name)))) return true;
  const built = statSync(stamp).mtimeMs;
  return sources.some((source) => newestChange(join(root, source)) > built);
}

/** Newest change of a file, or of anything in a folder, in Unix ms. A deleted file changes its folder. */
function newestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, newestChange(join(path, name))),
    stat.mtimeMs,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = await build({
    ifStale: process.argv.includes('--if-stale'),
    types: !process.argv.includes('--no-types'),
  });
