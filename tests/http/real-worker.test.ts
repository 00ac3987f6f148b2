// The HTTP API of the built worker, as a process of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asked } from '../helpers/spool.ts';
import { testHome } from '../worker/homes.ts';
import { lives } from '../worker/processes.ts';
import { callExamples } from './document.ts';
import { caller } from './served.ts';

test('a worker answers every route as its document says, takes hooks, and ends when asked', async () => {
  const home = testHome();
  const started = await home.run('worker', 'start');
  expect(started.code, started.stderr).toBe(0);
  const { pid, port, token } = JSON.parse(readFileSync(join(home.home, 'worker.json'), 'utf8'));
  const captureToken = readFileSync(join(home.home, 'capture-token'), 'utf8').trim();
  const call = caller(`http://127.0.0.1:${port}`, token);
  expect(
    (await call('POST', '/hooks/claude-code', { body: asked('Widen the chute'), token: captureToken })).json,
  ).toEqual({});
  const { id } = (await call('POST', '/api/save', { body: { title: 'The chute', text: 'It is 9 cm wide.' } }))
    .json;
  const done = await callExamples(call, { item: id, isWanted: (path) => !/stop|restart|view/.test(path) });
  expect(done.length).toBeGreaterThan(25);
  expect(
    (await call('GET', '/api/prompts?limit=10')).json.items.map(({ text }: { text: string }) => text),
  ).toContain('Widen the chute');
  expect((await call('GET', '/api/sessions', { token: captureToken })).status).toBe(403);
  const log = readFileSync(join(home.home, 'logs/worker.log'), 'utf8');
  expect(log).not.toContain(token);
  expect(log).not.toContain(captureToken);
  expect((await call('POST', '/api/stop')).status).toBe(202);
  await expect.poll(() => lives(pid)).toBe(false);
});
