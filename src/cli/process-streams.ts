// This process's standard output and input.
import type { Output } from './command/world.ts';

export function outputTo(stream: NodeJS.WriteStream): Output {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed = true;
    // The reader (`head`, a pager) has closed the pipe. That is a success.
    process.exit(0);
  });
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : null;
    },
    write: (text) =>
      new Promise((resolve) => {
        if (closed || stream.write(text)) resolve();
        else stream.once('drain', () => resolve());
      }),
  };
}

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
