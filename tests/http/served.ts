// A served home for the tests of the HTTP API: a few sessions, a saved memory, a worker that only notes what it is asked.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WorkerControl } from '../../src/http/control.ts';
import { type HttpOptions, serveHttp } from '../../src/http/serve-http.ts';
import { type Annals, openAnnals } from '../../src/index.ts';
import { Script } from '../helpers/transcripts.ts';
import { temporaryFolder } from '../helpers/world.ts';

export const TOKEN = 'full-token-full-token-full-token-full-token';
export const CAPTURE_TOKEN = 'capture-token-capture-token-capture-token';
/** `npm test` builds it before the tests. */
const BUILT_VIEWER = join(import.meta.dirname, '../../dist/viewer');
export const SECRET = 'the axolotl sleeps in the blue pond';

export interface Served {
  readonly annals: Annals;
  readonly home: string;
  readonly port: number;
  readonly base: string;
  /** Calls of stop and restart. */
  readonly asked: readonly string[];
  readonly errors: readonly unknown[];
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
  /** Of the viewer's address. */
  ticket(): string;
  noteRecording(): void;
  /** Closes the server; the library stays open. Returns a function that serves it again, on the same port. */
  interrupt(): Promise<(token?: string) => Promise<void>>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of many different answers.
  readonly json: any;
}

interface ServedOptions extends Omit<Partial<HttpOptions>, 'control'> {
  readonly filled?: boolean;
  readonly control?: Partial<WorkerControl>;
}

/** Closed at the end of the test. */
export async function served(options: ServedOptions = {}): Promise<Served> {
  const folder = await temporaryFolder();
  const home = join(folder.path, 'home');
  const annals = await openAnnals({ home });
  const asked: string[] = [];
  const errors: unknown[] = [];
  const control: WorkerControl = {
    status: () => ({ pid: 1 }),
    // As if it watched transcripts, so that sessions are recorded without hooks.
    intake: () => ({ folders: [join(folder.path, 'user/.claude/projects')], problems: [] }),
    logs: ({ lines }) => ['one', 'two', 'three'].slice(-lines),
    stop: () => void asked.push('stop'),
    restart: () => void asked.push('restart'),
  };
  if (options.filled === true) await fill(annals, folder.path);
  const serving: HttpOptions = {
    annals,
    token: TOKEN,
    captureToken: CAPTURE_TOKEN,
    version: '1.2.3',
    port: 0,
    viewer: BUILT_VIEWER,
    installation: {
      program: { node: process.execPath, cli: join(folder.path, 'dist/cli.cjs') },
      machine: { environment: {}, userHome: join(folder.path, 'user'), windows: false },
    },
    onError: (error) => void errors.push(error),
    ...options,
    control: { ...control, ...options.control },
  };
  let server = await serveHttp(serving);
  const { port } = server;
  const base = `http://127.0.0.1:${port}`;
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await server.close();
    await annals.close();
    await folder.remove();
  };
  onTestFinished(close);
  return {
    ...{ annals, home, port, base, asked, errors, close },
    call: caller(base, TOKEN),
    async interrupt() {
      await server.close();
      return async (token = serving.token) => {
        server = await serveHttp({ ...serving, port, token });
      };
    },
    noteRecording: () => server.noteRecording(),
    ticket: () => server.viewerAddress()!.split('#ticket=')[1]!,
  };
}

/** Calls a server with a token, unless the call names another one. */
export function caller(base: string, token: string): Served['call'] {
  return async (method, path, { token: given = token, body, headers = {} } = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        // A connection that is kept may be closed for idleness in the moment of the next call, when the machine is busy.
        connection: 'close',
        ...(given === null ? {} : { authorization: `Bearer ${given}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const json = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
}

async function fill(annals: Annals, folder: string): Promise<void> {
  const source = join(folder, 'transcripts');
  mkdirSync(source);
  for (const number of [1, 2]) {
    const session = `${String(number).repeat(8)}-2222-4333-8444-555555555555`;
    const script = new Script({
      session,
      cwd: '/home/u/feeder',
      firstUuid: number * 1_000,
      start: Date.UTC(2026, 4, number),
    });
    script.prompt('Why does the feeder jam at night?');
    script.use(`toolu_${number}_1`, 'Edit', {
      file_path: '/home/u/feeder/chute.ts',
      old_string: '5',
      new_string: '9',
    });
    script.result(`toolu_${number}_1`, 'The file has been updated.');
    script.use(`toolu_${number}_2`, 'Bash', { command: 'npm test' });
    script.result(`toolu_${number}_2`, 'Tests  12 passed (12)');
    script.reply('The chute was too narrow because frost builds up in it. I widened it to 9 centimetres.');
    writeFileSync(join(source, `${session}.jsonl`), script.bytes());
  }
  await annals.import([source]);
  await annals.save({ title: 'A secret place', text: SECRET, project: 'feeder' });
}
