// The MCP server over standard input and output. A program of its own: no other command loads the protocol's library.
import { finished, Readable, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { MemoryAccess, type MemoryWorld } from './memory-access.ts';
import { OpenRequests } from './open-requests.ts';
import { makeServer, type ServerOptions } from './server.ts';
import { UnreadableLines } from './unreadable-lines.ts';

export interface StdioOptions extends Omit<ServerOptions, 'ask' | 'onBug'> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly memory: MemoryWorld;
  /** One line for a person. */
  log(line: string): void;
}

/** Serves until the client closes standard input and what it asked before is answered, or until it closes standard output. */
export async function serveMcp({ stdin, stdout, memory, log, ...options }: StdioOptions): Promise<void> {
  const access = new MemoryAccess(memory);
  const requests = new OpenRequests();
  const unreadable = new UnreadableLines((line) => void stdout.write(line));
  // At the end of its input the library drops the requests that still run, so it sees the end later.
  const input = Readable.from(
    (async function* () {
      for await (const bytes of stdin) {
        unreadable.read(bytes);
        yield bytes;
      }
      await requests.answered();
    })(),
  );
  const transport = new StdioServerTransport(input, stdout);
  const ended = new Promise<void>((resolve) => {
    finished(input, () => resolve());
    finished(stdout, { readable: false }, () => resolve());
  });
  const onBug = (error: unknown) =>
    log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const handle = serveStdio(
    () => makeServer({ ...options, ask: (question, how) => access.ask(question, how), onBug }),
    { transport, onerror: (error) => log(error.message) },
  );
  requests.watch(transport);
  await ended;
  await handle.close();
  for (const stream of [input, stdin]) stream.destroy();
  await access.close();
}
