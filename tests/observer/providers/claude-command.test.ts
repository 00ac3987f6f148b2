// Stand-ins for the command are shell scripts. The real one is in tests/real-agents.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ClaudeCommandOptions,
  openClaudeCommand,
} from '../../../src/observer/providers/claude-command.ts';
import { failureOfCall, NEVER, request } from './requests.ts';

const KEY = 'sk-never-to-be-handed-on';

/** @param script of the shell; `$OUT` is a folder for what it leaves */
function standIn(script: string, more: Partial<ClaudeCommandOptions> = {}) {
  const out = mkdtempSync(join(tmpdir(), 'annals-claude-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const command = join(out, 'claude');
  writeFileSync(command, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o755);
  const provider = openClaudeCommand({
    model: 'claude-haiku-5-5',
    command,
    folder: join(out, 'home', 'observer'),
    environment: {
      PATH: process.env.PATH,
      OUT: out,
      ANTHROPIC_API_KEY: KEY,
      CLAUDECODE: '1',
      CLAUDE_CODE_MESSAGING_TOKEN: KEY,
      CLAUDE_CONFIG_DIR: '/config',
    },
    timeoutMs: 10_000,
    graceMs: 50,
    ...more,
  });
  const left = (name: string) => readFileSync(join(out, name), 'utf8');
  /** Processes whose ids the stand-in left in the file `pids`. */
  const running = () => left('pids').trim().split('\n').map(Number).filter(isRunning);
  return { provider, out, left, running };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that nobody has waited for yet has ended.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}

function result(more: object = {}): string {
  return JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: '<skip_summary reason="none"/>',
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 50,
      output_tokens: 7,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
    },
    modelUsage: { 'claude-haiku-5-5': {} },
    ...more,
  });
}

const prints = (text: string) => `cat > /dev/null; cat <<'EOF'\n${text}\nEOF`;
/** Ignores the request to end, and so does its child. */
const STUBBORN =
  "trap '' TERM; (sleep 60 & echo $! >> $OUT/pids; wait) & echo $! >> $OUT/pids; echo $$ >> $OUT/pids";

describe('The claude command', () => {
  it('is asked one question, without tools, hooks, plugins, MCP servers and transcripts', async () => {
    const { provider, out, left } = standIn(
      `cat > $OUT/input; pwd -P > $OUT/pwd; env > $OUT/env; printf '%s\\n' "$@" > $OUT/args; ${prints(result())}`,
    );
    expect(await provider.ask(request(), NEVER)).toEqual({
      text: '<skip_summary reason="none"/>',
      form: 'tags',
      stopReason: 'end_turn',
      usage: { input: 50, output: 7, cacheRead: 3, cacheWrite: 4 },
      model: 'claude-haiku-5-5',
    });
    expect(left('input')).toBe(` ${request().content}`);
    expect(left('pwd').trim()).toBe(join(out, 'home', 'observer'));
    const words = left('args').split('\n');
    for (const word of ['-p', '--safe-mode', '--strict-mcp-config', '--no-session-persistence', '--tools'])
      expect(words).toContain(word);
    expect(words.slice(-5, -1)).toEqual([
      '--model',
      'claude-haiku-5-5',
      '--system-prompt',
      'Describe the turn.',
    ]);
  });

  it('gets a long text as input: other users of the machine can read arguments', async () => {
    const { provider, left } = standIn(
      `cat > $OUT/input; printf '%s\\n' "$@" > $OUT/args; ${prints(result())}`,
    );
    await provider.ask(request({ shared: 'What they have in common.' }), NEVER);
    expect(left('input')).toBe(` What they have in common.\n\n${request().content}`);
    expect(left('args')).not.toContain('in common');
  });

  it('gets ANNALS_INTERNAL and the user’s settings, but no key and nothing of a session around us', async () => {
    const { provider, left } = standIn(`env > $OUT/env; ${prints(result())}`);
    await provider.ask(request(), NEVER);
    const environment = left('env');
    expect(environment).toContain('ANNALS_INTERNAL=1\n');
    expect(environment).toContain('CLAUDE_CONFIG_DIR=/config\n');
    expect(environment).toContain('CLAUDE_CODE_MAX_OUTPUT_TOKENS=500\n');
    expect(environment).toContain('API_TIMEOUT_MS=10000\n');
    expect(environment).not.toMatch(/^CLAUDECODE=/m);
    expect(environment).not.toContain(KEY);
  });

  it('runs once at a time', async () => {
    const { provider, left } = standIn(
      `echo start >> $OUT/log; sleep 0.02; echo end >> $OUT/log; ${prints(result())}`,
    );
    await Promise.all([provider.ask(request(), NEVER), provider.ask(request(), NEVER)]);
    expect(left('log')).toBe('start\nend\nstart\nend\n');
  });

  it.each([
    ['a limit', result({ is_error: true, result: 'Claude usage limit reached|1795450000' }), 'quota'],
    [
      'a limit without the mark of an error',
      result({ result: "You've hit your limit · resets 3pm" }),
      'quota',
    ],
    ['a login', result({ is_error: true, result: 'Invalid API key · Please run /login' }), 'auth'],
    ['a login as text', 'Not logged in · Please run /login', 'auth'],
    [
      'a status of the service',
      result({ is_error: true, api_error_status: 529, result: 'API Error: 529 the-content-of-the-turn' }),
      'transient',
    ],
    [
      'too many requests',
      result({
        is_error: true,
        api_error_status: 429,
        result: 'API Error: Server is temporarily limiting requests (not your usage limit)',
      }),
      'rate-limit',
    ],
    ['a refused request', result({ is_error: true, api_error_status: 400, result: 'no' }), 'unrecoverable'],
    ['an error without a status', result({ is_error: true, result: 'the-content-of-the-turn' }), 'transient'],
    ['junk', '}{ the-content-of-the-turn', 'transient'],
    ['JSON of another form', '[1,2,3]', 'transient'],
    ['nothing', '', 'transient'],
  ])('that prints %s fails', async (_, output, kind) => {
    const failure = await failureOfCall(standIn(prints(output)).provider.ask(request(), NEVER));
    expect(failure.class).toBe(kind);
  });

  it.each([
    ['echo "error: unknown option \'--safe-mode\'" >&2; exit 1', 'auth', 'too old'],
    ['echo the-content-of-the-turn >&2; exit 3', 'transient', 'code 3'],
    ['kill -9 $$', 'transient', 'by a signal'],
  ])('that runs %j fails', async (script, kind, message) => {
    const failure = await failureOfCall(standIn(script).provider.ask(request(), NEVER));
    expect(failure.class).toBe(kind);
    expect(failure.message).toContain(message);
  });

  it('that is missing is a matter of the settings', async () => {
    const { provider } = standIn('', { command: '/no/such/claude' });
    const failure = await failureOfCall(provider.ask(request(), NEVER));
    expect(failure.class).toBe('auth');
    expect(failure.message).toBe('/no/such/claude could not be started (ENOENT).');
  });
});

describe('A claude command that misbehaves leaves nothing running', () => {
  it('when it hangs and ignores the request to end', async () => {
    const { provider, running } = standIn(`${STUBBORN}; sleep 60; sleep 60`, { timeoutMs: 300 });
    const failure = await failureOfCall(provider.ask(request(), NEVER));
    expect(failure).toMatchObject({ class: 'transient', mayCost: true });
    await expect.poll(running).toEqual([]);
  });

  it('when its children outlive the reply', async () => {
    const { provider, running } = standIn(`sleep 60 & echo $! > $OUT/pids; ${prints(result())}`);
    expect((await provider.ask(request(), NEVER)).text).toContain('skip_summary');
    await expect.poll(running).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('when its children leave its process group', async () => {
    const child = 'setsid sh -c "echo \\$\\$ >> $OUT/pids; exec sleep 60"';
    const waits = 'while [ ! -s $OUT/pids ]; do sleep 0.01; done';
    const { provider, running } = standIn(`${child} & ${waits}; ${prints(result())}`);
    await provider.ask(request(), NEVER);
    await expect.poll(running).toEqual([]);
  });

  it('when it prints without end', async () => {
    const { provider, running } = standIn('echo $$ > $OUT/pids; yes the-content-of-the-turn');
    expect((await failureOfCall(provider.ask(request(), NEVER))).class).toBe('transient');
    await expect.poll(running).toEqual([]);
  });

  it('when it waits for a person', async () => {
    const { provider } = standIn('echo "Login: "; read answer < /dev/tty || exit 1; sleep 60');
    expect((await failureOfCall(provider.ask(request(), NEVER))).class).toBe('transient');
  });

  it.each(['aborted', 'closed'])('when it is %s', async (how) => {
    const { provider, out, running } = standIn(`${STUBBORN}; sleep 60`);
    const control = new AbortController();
    const asked = provider.ask(request(), control.signal);
    const waiting = provider.ask(request(), control.signal);
    const ended = Promise.all([
      expect(asked).rejects.toThrow(how === 'closed' ? 'was closed' : 'stopped'),
      expect(waiting).rejects.toThrow(how === 'closed' ? 'was closed' : 'stopped'),
    ]);
    await expect.poll(() => existsSync(join(out, 'pids')) && running().length).toBe(3);
    if (how === 'closed') await provider.close();
    else control.abort(new Error('stopped'));
    await ended;
    await expect.poll(running).toEqual([]);
  });
});
