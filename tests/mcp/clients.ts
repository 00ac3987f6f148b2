// An MCP client of the SDK on a filled home: on a server in this process, or on the built command. Everything is closed
// after each test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { isAnnalsError } from '../../log/index.ts';
import { type Annals, openAnnals } from '../../src/index.ts';
import { makeServer } from '../../src/mcp/server.ts';
import { COMMAND } from '../e2e/command.ts';
import { Script } from '../helpers/transcripts.ts';

/** At the end of the test, the last one first. */
export function afterwards(work: () => unknown): void {
  onTestFinished(async () => void (await work()));
}

/** The folder of the sessions. It does not exist: a client names it as its root. */
export const FEEDER = '/home/u/feeder';
export const REPLY = 'The chute was too narrow because frost builds up in it. I widened it to 9 centimetres.';

export interface FilledHome {
  readonly folder: string;
  readonly home: string;
}

/** Two sessions of one project; `fill` may add to it. */
export async function filledHome(
  fill: (annals: Annals) => Promise<unknown> = async () => {},
): Promise<FilledHome> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-mcp-test-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, 'home');
  const annals = await openAnnals({ home });
  const source = join(folder, 'transcripts');
  mkdirSync(source);
  for (const number of [1, 2]) writeFileSync(join(source, `${sessionId(number)}.jsonl`), session(number));
  await annals.import([source]);
  await fill(annals);
  await annals.close();
  return { folder, home };
}

export function sessionId(number: number): string {
  return `${String(number).repeat(8)}-2222-4333-8444-555555555555`;
}

function session(number: number): Buffer {
  const start = Date.UTC(2026, 4, number);
  const script = new Script({ session: sessionId(number), cwd: FEEDER, firstUuid: number * 1_000, start });
  script.prompt('Why does the feeder jam at night?');
  script.use(`toolu_${number}_1`, 'Edit', {
    file_path: `${FEEDER}/chute.ts`,
    old_string: '5',
    new_string: '9',
  });
  script.result(`toolu_${number}_1`, 'The file has been updated.');
  script.use(`toolu_${number}_2`, 'Bash', { command: 'npm test' });
  script.result(`toolu_${number}_2`, 'Tests  12 passed (12)');
  script.reply(REPLY);
  return Buffer.from(script.bytes());
}

export interface ClientOptions {
  /** Its only root. Null: it has none. */
  readonly root?: string | null;
  /** Default: the handshake of the older protocol. */
  readonly modern?: boolean;
  readonly name?: string;
}

/** A client whose server is in this process, on an open library. Closed after the test, or by `close`. */
export async function clientHere(
  { home }: FilledHome,
  options: ClientOptions = {},
): Promise<{ readonly client: Client; close(): Promise<void> }> {
  const annals = await openAnnals({ home });
  const server = makeServer({
    version: '1.2.3',
    startedIn: FEEDER,
    command: 'annals',
    home,
    ask: (question) => question(annals),
    failureOf: (error) => (isAnnalsError(error) ? error : null),
    onBug: (error) => {
      throw error;
    },
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = newClient(options);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await client.close();
    await annals.close();
  };
  afterwards(close);
  await client.connect(ours as never);
  return { client, close };
}

export interface CommandOptions extends ClientOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

/** A client that started the built command. */
export async function clientOfCommand(
  { home, folder }: FilledHome,
  { environment = {}, ...options }: CommandOptions = {},
): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    // As the script of a home does that agents start.
    args: [COMMAND, '--home', home, 'mcp'],
    cwd: folder,
    stderr: 'pipe',
    env: serverEnvironment(home, environment),
  });
  const client = newClient(options);
  afterwards(() => client.close());
  await client.connect(transport);
  return client;
}

export function serverEnvironment(
  home: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, ANNALS_HOME: home, ANNALS_WORKER: 'off', ...more };
}

function newClient({ root = FEEDER, modern = false, name = 'test-client' }: ClientOptions): Client {
  const client = new Client(
    { name, version: '4.5.6' },
    {
      capabilities: root === null ? {} : { roots: {} },
      versionNegotiation: { mode: modern ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (root !== null)
    client.setRequestHandler('roots/list', async () => ({
      roots: [{ uri: pathToFileURL(root).href, name: 'the work' }],
    }));
  return client;
}

export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of many different answers.
  readonly answer: any;
}

export async function callTool(
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Answered> {
  const { content, structuredContent, isError }: CallToolResult = await client.callTool({
    name,
    arguments: { ...input },
  });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { isError: isError === true, text, answer: structuredContent };
}
