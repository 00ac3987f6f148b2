// Both ends of a connection, over each kind of channel.
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Channel } from '../../src/remote/channel.ts';
import { lineChannel } from '../../src/remote/line-channel.ts';
import { portChannel } from '../../src/remote/port-channel.ts';
import { temporaryFolder } from '../helpers/world.ts';

export interface Ends {
  readonly server: Channel;
  readonly client: Channel;
  /** Only of a socket: sends bytes as they are. */
  readonly raw: Socket | null;
  remove(): Promise<void>;
}

export const CHANNELS: readonly (readonly [name: string, open: () => Promise<Ends>])[] = [
  ['a local socket', () => socketEnds()],
  ['a message port', portEnds],
];

export async function socketEnds(bytesMax?: number): Promise<Ends> {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'socket');
  const listening = createServer({ allowHalfOpen: true });
  const accepted = new Promise<Socket>((resolve) => listening.once('connection', resolve));
  await new Promise<void>((resolve) => listening.listen(path, resolve));
  const raw = connect(path);
  const socket = await accepted;
  return {
    server: lineChannel(socket, bytesMax),
    client: lineChannel(raw),
    raw,
    remove: async () => {
      raw.destroy();
      socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
      await folder.remove();
    },
  };
}

async function portEnds(): Promise<Ends> {
  const { port1, port2 } = new MessageChannel();
  return {
    server: portChannel(port1),
    client: portChannel(port2),
    raw: null,
    remove: async () => {
      port1.close();
      port2.close();
    },
  };
}
