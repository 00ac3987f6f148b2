import { expect, test } from 'vitest';
import type { RemoteAnnals } from '../../src/remote/remote-annals.ts';
import { call } from './call.ts';
import { fakeAnnals, toolEvent } from './fake-annals.ts';

/** A worker that records one more event, reports it, and ends when that was read. */
function endingWorker(): RemoteAnnals {
  const annals = fakeAnnals();
  const events = [1, 2, 3].map((position) => {
    const event = toolEvent(position);
    return { ...event, body: { ...event.body, cwd: '/home/robin/birdfeeder' } };
  });
  let onChange = (): void => {};
  let onDisconnect = (): void => {};
  let head = 2;
  return {
    ...annals,
    status: async () => ({ ...(await annals.status()), log: { events: head, head, bytes: 1 } }),
    async *log({ after = 0, last }: { after?: number; last?: number } = {}) {
      const now = events.slice(0, head);
      for (const event of last === undefined
        ? now.filter(({ position }) => position > after)
        : now.slice(-last))
        yield event;
      if (head === 3) return onDisconnect();
      if (last !== undefined) return;
      head = 3;
      onChange();
    },
    onChange: (listener: (state: object) => void) => {
      onChange = () => listener({ head, projected: head });
      return () => {};
    },
    onDisconnect: (listener: () => void) => {
      onDisconnect = listener;
    },
  } as unknown as RemoteAnnals;
}

test('watch prints the last events, then each new one once, until the worker ends', async () => {
  const { stdout, stderr, code } = await call(['watch', '--json', '--last', '1'], { worker: endingWorker() });
  const positions = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { position: number }).position);
  expect(positions).toEqual([2, 3]);
  expect({ stderr, code }).toEqual({ stderr: 'The worker has ended.\n', code: 0 });
});

test('watch prints time, project, type and what happened', async () => {
  const { stdout } = await call(['watch', '--last', '0'], { worker: endingWorker() });
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}birdfeeder .*tool\.used .*Bash/);
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

test('logs says so when no worker has run', async () => {
  const { stdout, stderr, code } = await call(['--home', '/nonexistent/annals', 'logs']);
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
  expect(stderr).toContain('No worker has run here yet');
});

test('logs of no lines prints nothing', async () => {
  const { stdout, stderr, code } = await call(['--home', '/nonexistent/annals', 'logs', '-n', '0']);
  expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: '', code: 0 });
});
