// Writes dist/….code: V8's code cache of the command, taken after it ran the operations that users wait for: search,
// context, status, and the start of a session with a turn waiting in the spool. It saves a search or a session start
// 80 to 110 of about 330 ms of processor time. The file name contains the machine type and the V8 version.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { compiledCode } from './compiled-code.mjs';
import { root, run } from './run.mjs';

const path = join(root, 'dist/command.cjs');
/** The working directory of the example sessions. */
const CWD = '/home/robin/birdfeeder';
const [, , givenHome] = process.argv;

if (givenHome === undefined) process.exitCode = compileAhead();
else await compileCommand(givenHome);

/** In a process of its own, so that the cache contains only the code that the operations run. */
function compileAhead() {
  const home = mkdtempSync(join(tmpdir(), 'annals-build-'));
  const options = { stdio: ['ignore', 'ignore', 'inherit'] };
  const input = JSON.stringify({ session_id: 'next', cwd: CWD, source: 'startup' });
  try {
    return (
      run(process.execPath, ['dist/cli.cjs', '--home', home, 'import', 'examples', '--json'], options) ||
      run(process.execPath, ['scripts/compile-ahead.mjs', home], {
        stdio: ['pipe', 'ignore', 'inherit'],
        input,
      })
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function compileCommand(home) {
  const { script, main } = load();
  process.once('exit', () => writeFileSync(compiledCode, script.createCachedData()));
  for (const words of [
    ['search', 'why did the import fail'],
    ['search', 'feeder.ts', '--json'],
    ['context', '--cwd', CWD],
    ['status'],
  ])
    await main(['--home', home, ...words]);
  leaveTurn(home);
  await main(['--home', home, 'hook', 'claude-code', 'session-context']);
}

function load() {
  const script = new Script(readFileSync(path, 'latin1'), { filename: path });
  return { script, ...script.runInThisContext()(createRequire(path), join(root, 'dist')) };
}

/** Writes the spool files of one turn, as hooks do. */
function leaveTurn(home) {
  const folder = join(home, 'spool/new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const common = { session_id: 'waiting', cwd: CWD, prompt_id: 'p-1' };
  const newEvents = [
    { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Look at the feeder.', source: 'user' },
    {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command: 'npm test' },
      tool_response: { stdout: '1 passed', stderr: '', interrupted: false },
    },
    { ...common, hook_event_name: 'Stop', last_assistant_message: 'The feeder works.' },
  ];
  for (const [index, one] of newEvents.entries())
    writeFileSync(join(folder, `claude-code-${index}`), JSON.stringify(one), { mode: 0o600 });
}
