// The folder that a client works in.
import { expect, test } from 'vitest';
import { ClientFolder } from '../../src/mcp/client-folder.ts';

test('a client that answers late holds no call up, and its root counts from then on', async () => {
  let answer: (roots: object) => void = () => {};
  const server = {
    setNotificationHandler: () => {},
    getClientCapabilities: () => ({ roots: {} }),
    listRoots: () => new Promise((resolve) => (answer = resolve)),
  };
  const folder = new ClientFolder({ server } as never, '/home/u', 5);
  expect(await folder.get()).toBe('/home/u');
  answer({ roots: [{ uri: 'file:///home/u/feeder' }] });
  await new Promise(setImmediate);
  expect(await folder.get()).toBe('/home/u/feeder');
});
