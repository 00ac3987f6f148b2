// The MCP server over standard input and output. A program of its own: no other command loads the protocol's library.
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { MemoryAccess, type MemoryWorld } from './memory-access.ts';
import { makeServer, type ServerOptions } from './server.ts';

export interface StdioOptions extends Omit<ServerOptions, 'ask' | 'onBug'> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly memory: MemoryWorld;
  /** One line for a person. */
  log(line: string): void;
}

/** Serves until the client closes standard input. Requests that then still run are not answered. */
export async function serveMcp({ stdin, stdout, memory, log, ...options }: StdioOptions): Promise<void> {
  const access = new MemoryAccess(memory);
  const transport = new StdioServerTransport(stdin, stdout);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) stdin.once(event, resolve);
    stdout.once('error', () => resolve());
  });
  const onBug = (error: unknown) =>
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const handle = serveStdio(
    () => makeServer({ ...options, ask: (question, how) => access.ask(question, how), onBug }),
    { transport, onerror: (error) => log(error.message) },
  );
  await ended;
  await handle.close();
  await access.close();
}
