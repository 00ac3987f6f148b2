// This process's standard output and input.
import type { Output } from './command/world.ts';

export function outputTo(stream: NodeJS.WriteStream): Output {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    // The reader (`head`, a pager) has closed the pipe. That is a success.
    if (error.code === 'EPIPE') process.exit(0);
    // What the command does is worth more than its notes.
    if (stream === process.stderr) return;
    const reason = error.message.replace(/^\w+: |, write$/g, '');
    process.stderr.write(`error: Standard output cannot be written: ${reason}.\n`);
    process.exit(1);
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
