// Writes dist/command-….code: the code that V8 compiled of the command while it did what people wait for: a
// search, the context of a session's start, the status. Its name says for which machine and Node it is.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { compiledCode } from './compiled-code.mjs';
import { root, run } from './run.mjs';

const path = join(root, 'dist/command.cjs');
const home = mkdtempSync(join(tmpdir(), 'annals-build-'));
try {
  // In a process of its own: code that only an import runs would be read by every search.
  process.exitCode = run(process.execPath, ['dist/cli.js', '--home', home, 'import', 'examples', '--json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const script = new Script(readFileSync(path, 'latin1'), { filename: path });
  const { main } = script.runInThisContext()(createRequire(path), join(root, 'dist'));
  for (const words of [
    ['search', 'why did the import fail'],
    ['search', 'feeder.ts', '--json'],
    ['context'],
    ['status'],
  ])
    await main(['--home', home, ...words]);
  writeFileSync(compiledCode, script.createCachedData());
} finally {
  rmSync(home, { recursive: true, force: true });
}
