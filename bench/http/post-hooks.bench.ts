// Measures what `POST /hooks/claude-code` costs: a worker of its own, compared with a bare server of Node that reads a body
// and answers, interleaved in one run; with 4 KB and 100 KB; with a pause after each, as an agent's hooks come, and without
// one, when the worker drains the spool meanwhile. Median and 95th percentile, ms. The goal: at most 1 ms and 5 ms.
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROUNDS = 200;
const PAUSE_MS = 60;

if (process.send !== undefined) serveBare();
else await measure();

function serveBare(): void {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.once('end', () => outgoing.end('{}'));
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit(0));
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-bench-'));
  const home = join(folder, 'home');
  const env = { ...process.env, ANNALS_HOME: home, HOME: folder, CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const cli = join(import.meta.dirname, '../../dist/cli.cjs');
  const annals = (...words: readonly string[]) => execFileSync(process.execPath, [cli, ...words], { env });
  const bare = fork(fileURLToPath(import.meta.url));
  const barePort = await new Promise<number>((resolve) =>
    bare.once('message', (port) => resolve(Number(port))),
  );
  annals('worker', 'start');
  try {
    const { port } = JSON.parse(readFileSync(join(home, 'worker.json'), 'utf8')) as { port: number };
    const token = readFileSync(join(home, 'capture-token'), 'utf8').trim();
    console.log(`load ${loadavg()[0]?.toFixed(1)} on this machine; ${ROUNDS} rounds, interleaved`);
    for (const bytes of [4_000, 100_000])
      for (const pauseMs of [PAUSE_MS, 0]) {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const times: Record<string, number[]> = { 'bare server': [], health: [], 'POST /hooks': [] };
        for (let round = 0; round < ROUNDS; round++) {
          const body = payload(round, bytes);
          times['bare server']!.push(await timed({ agent, port: barePort, path: '/', body, token }));
          times.health!.push(await timed({ agent, port, path: '/api/health', body: null, token }));
          times['POST /hooks']!.push(await timed({ agent, port, path: '/hooks/claude-code', body, token }));
          if (pauseMs > 0) await wait(pauseMs);
        }
        agent.destroy();
        console.log(
          `\n${bytes} bytes, ${pauseMs > 0 ? `a pause of ${pauseMs} ms after each` : 'without a pause'}`,
        );
        for (const [name, all] of Object.entries(times)) {
          all.sort((a, b) => a - b);
          const at = (part: number) => all[Math.floor(all.length * part)]!.toFixed(2);
          console.log(`  ${name.padEnd(12)} p50 ${at(0.5)}  p95 ${at(0.95)}`);
        }
      }
  } finally {
    annals('worker', 'stop');
    bare.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

function payload(round: number, bytes: number): string {
  return JSON.stringify({
    session_id: 'bench-1',
    transcript_path: '/home/u/.claude/projects/-home-u-app/bench-1.jsonl',
    cwd: '/home/u/app',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: `toolu_${bytes}_${round}_${Math.floor(performance.now() * 1_000)}`,
    tool_input: { command: 'ls' },
    tool_response: { stdout: 'abc\n def"'.repeat(bytes / 11), stderr: '', interrupted: false },
  });
}

interface Sent {
  readonly agent: Agent;
  readonly port: number;
  readonly path: string;
  /** null: a GET. */
  readonly body: string | null;
  readonly token: string;
}

function timed({ agent, port, path, body, token }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(
      {
        ...{ agent, port, path, host: '127.0.0.1', method: body === null ? 'GET' : 'POST' },
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - began);
          else reject(new Error(`${path} answered ${response.statusCode}`));
        });
      },
    );
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
}
