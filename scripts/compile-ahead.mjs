// Writes dist/….code: the code that V8 compiled of the command while it did what people wait for. One file for the
// start of a session, with a turn that waits in the spool, and one for a search, the context and the status: reading
// in what is not run takes longer than running what is. Their names say for which machine and Node they are.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { compiledCode } from './compiled-code.mjs';
import { root, run } from './run.mjs';

const path = join(root, 'dist/command.cjs');
/** Where the example sessions were held. */
const CWD = '/home/robin/birdfeeder';
const [, , what, givenHome] = process.argv;

if (what === 'start') await compileStart(givenHome);
else if (what === 'command') await compileCommand(givenHome);
else process.exitCode = compileAhead();

/** Each in a process of its own: code that only another one runs would be read by it too. */
function compileAhead() {
  const home = mkdtempSync(join(tmpdir(), 'annals-build-'));
  const options = { stdio: ['ignore', 'ignore', 'inherit'] };
  try {
    const steps = [
      () => run(process.execPath, ['dist/cli.cjs', '--home', home, 'import', 'examples', '--json'], options),
      () => run(process.execPath, ['scripts/compile-ahead.mjs', 'command', home], options),
      () => {
        leaveTurn(home);
        const input = JSON.stringify({ session_id: 'next', cwd: CWD, source: 'startup' });
        return run(process.execPath, ['scripts/compile-ahead.mjs', 'start', home], { ...options, input });
      },
    ];
    return steps.some((step) => step() !== 0) ? 1 : 0;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function compileCommand(home) {
  const { script, main } = load();
  for (const words of [
    ['search', 'why did the import fail'],
    ['search', 'feeder.ts', '--json'],
    ['context', '--cwd', CWD],
    ['status'],
  ])
    await main(['--home', home, ...words]);
  writeFileSync(compiledCode.command, script.createCachedData());
}

async function compileStart(home) {
  const { script, main } = load();
  process.once('exit', () => writeFileSync(compiledCode.start, script.createCachedData()));
  await main(['--home', home, 'hook', 'claude-code', 'session-start']);
}

function load() {
  const script = new Script(readFileSync(path, 'latin1'), { filename: path });
  return { script, ...script.runInThisContext()(createRequire(path), join(root, 'dist')) };
}

/** As hooks leave it in the spool. */
function leaveTurn(home) {
  const folder = join(home, 'spool/new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const said = { session_id: 'waiting', cwd: CWD, prompt_id: 'p-1' };
  const newEvents = [
    { ...said, hook_event_name: 'UserPromptSubmit', prompt: 'Look at the feeder.', source: 'user' },
    {
      ...said,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command: 'npm test' },
      tool_response: { stdout: '1 passed', stderr: '', interrupted: false },
    },
    { ...said, hook_event_name: 'Stop', last_assistant_message: 'The feeder works.' },
  ];
  for (const [index, one] of newEvents.entries())
    writeFileSync(join(folder, `claude-code-${index}`), JSON.stringify(one), { mode: 0o600 });
}
