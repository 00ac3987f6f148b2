// Writes dist/….code: V8's code cache of each program, taken after it ran what users wait for. The command: search,
// context, status, and the start of a session with a turn waiting in the spool; it saves a search or a session start
// 80 to 110 of about 330 ms of processor time. The start of a session in a home that a worker serves. The worker and its thread: the start, a turn in the spool, and what
// commands ask. The MCP server: what an agent asks first. The file names contain the machine type and the V8 version.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import threads from 'node:worker_threads';
import { compiledCode, PROGRAMS, programPath } from './compiled-code.mjs';
import { root, run } from './run.mjs';

const COMMAND = programPath('cli');
/** The working directory of the example sessions. */
const CWD = '/home/robin/birdfeeder';
/** Ends a file of the spool: src/capture/spool/end-mark.ts. */
const END_MARK = '\n\u001eend\n';
const ASKED = [
  ['search', 'why is the feeder late'],
  ['search', 'feeder.ts', '--json'],
  ['context', '--cwd', CWD],
  ['status'],
];
const SESSION_START = ['hook', 'claude-code', 'session-context'];
/** In a process of its own, so that the cache contains only the code that ran. */
const STEPS = { command: useCommand, 'session-start': useSessionStart, worker: useWorker, mcp: useMcp };
const [, , step, givenHome] = process.argv;

if (step === undefined) process.exitCode = compileAhead();
else await STEPS[step](givenHome);

function compileAhead() {
  const home = mkdtempSync(join(tmpdir(), 'annals-build-'));
  const input = JSON.stringify({ session_id: 'next', cwd: CWD, source: 'startup' });
  // A worker that the start of a session leaves behind would write to the home while it is removed.
  const env = { ANNALS_WORKER: 'off' };
  const node = (...words) =>
    run(process.execPath, words, { stdio: ['pipe', 'ignore', 'inherit'], input, env });
  try {
    const code =
      node(COMMAND, '--home', home, 'import', 'examples', '--json') ||
      Object.keys(STEPS).reduce((code, name) => code || node('scripts/compile-ahead.mjs', name, home), 0);
    const absent = PROGRAMS.filter((name) => !existsSync(compiledCode(name)));
    for (const name of absent) console.error(`No step loads dist/${name}.cjs.`);
    const left = ['new', 'bad'].flatMap((folder) => entries(join(home, 'spool', folder)));
    for (const name of left) console.error(`The hook's file ${name} was not recorded.`);
    return code || absent.length + left.length;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function useCommand(home) {
  const { main } = load('command');
  for (const words of ASKED) await main(['--home', home, ...words]);
  leaveTurn(home, 'waiting');
  await main(['--home', home, ...SESSION_START]);
}

/** With a worker that runs meanwhile. */
async function useSessionStart(home) {
  const ask = (...words) => promisify(execFile)(process.execPath, [COMMAND, '--home', home, ...words]);
  await ask('worker', 'start');
  await load('session-start').startServedSession({ home, agent: 'claude-code' });
  await ask('worker', 'stop');
}

/** Its thread runs in this one, whose code can be cached. */
async function useWorker(home) {
  const worker = load('worker', { ...threads, Worker: ThreadHere });
  let ready;
  const isReady = new Promise((resolve) => {
    ready = resolve;
  });
  const environment = { CLAUDE_CONFIG_DIR: join(home, 'claude') };
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const options = { home, userHome: home, environment, version, build: null, restart: null };
  const ended = worker.runWorker({ ...options, endsProcess: false, onReady: ready });
  await isReady;
  const { port } = JSON.parse(readFileSync(join(home, 'worker.json'), 'utf8'));
  await fetch(`http://127.0.0.1:${port}/api/health`);
  leaveTurn(home, 'recorded');
  for (const words of [...ASKED, ['worker', 'stop']])
    await promisify(execFile)(process.execPath, [COMMAND, '--home', home, ...words]);
  const { outcome, error } = await ended;
  if (outcome !== 'ended') throw error;
}

/** The library is that of dist/index.js: a library of its own is in no command. */
async function useMcp(home) {
  const { openAnnals } = await import(pathToFileURL(join(root, 'dist/index.js')).href);
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const served = load('mcp').serveMcp({
    ...{ stdin, stdout, version: '0', startedIn: CWD, command: 'annals', home: null },
    memory: {
      connect: async () => null,
      start: async () => {},
      open: () => openAnnals({ home }),
      isWorkerGone: () => false,
    },
    failureOf: () => null,
    log: (line) => console.error(line),
  });
  const clientInfo = { name: 'build', version: '0' };
  const calls = [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }],
    ['tools/list', {}],
    ['tools/call', { name: 'search', arguments: { query: 'why is the feeder late' } }],
    ['tools/call', { name: 'timeline', arguments: {} }],
  ];
  for (const [id, [method, params]] of calls.entries()) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await new Promise((resolve) => stdout.once('data', resolve));
  }
  stdin.end();
  await served;
}

/** In place of the class `Worker`. */
function ThreadHere(_, { argv: [path], workerData }) {
  const { port1, port2 } = new threads.MessageChannel();
  const name = PROGRAMS.find((one) => programPath(one) === path);
  load(name, { ...threads, parentPort: port2, workerData });
  return Object.assign(port1, { terminate: async () => port1.close() });
}

/** As src/platform/load-program.ts, and writes the cache at the end. */
function load(name, ownThreads = threads) {
  const path = programPath(name);
  const script = new Script(Module.wrap(readFileSync(path, 'latin1')), { filename: basename(path) });
  process.once('exit', () => writeFileSync(compiledCode(name), script.createCachedData()));
  const fromDist = createRequire(path);
  const loadPart = (id) => {
    if (id === `./${name}-rest.cjs`) return load(`${name}-rest`, ownThreads);
    return /^(node:)?worker_threads$/.test(id) ? ownThreads : fromDist(id);
  };
  const module = { exports: {} };
  script.runInThisContext()(module.exports, loadPart, module, path, dirname(path));
  return module.exports;
}

function entries(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Writes the spool files of one turn, as hooks do. */
function leaveTurn(home, session) {
  const folder = join(home, 'spool/new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const common = {
    ...{ session_id: session, cwd: CWD, prompt_id: 'p-1' },
    transcript_path: `/home/robin/.claude/projects/-home-robin-birdfeeder/${session}.jsonl`,
  };
  const newEvents = [
    { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Look at the feeder.', source: 'user' },
    {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: `toolu_${session}`,
      tool_input: { command: 'npm test' },
      tool_response: { stdout: '1 passed', stderr: '', interrupted: false },
    },
    { ...common, hook_event_name: 'Stop', last_assistant_message: 'The feeder works.' },
  ];
  for (const [index, one] of newEvents.entries())
    writeFileSync(join(folder, `claude-code-${index}`), `${JSON.stringify(one)}${END_MARK}`, { mode: 0o600 });
}
