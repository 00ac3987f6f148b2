// Kills an appending process at random moments; every acknowledged event must be there afterwards.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestLog } from '../helpers/logs.ts';
import { makeProgram, REPOSITORY } from '../helpers/program.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

const KILLS = Number(process.env.ANNALS_TEST_KILLS ?? 4);

test(`no acknowledged event is lost in ${KILLS} kills at random moments`, async () => {
  const folder = await temporaryFolder();
  const program = await makeProgram(
    'tests/log/programs/append-until-killed.ts',
    join(folder.path, 'append.mjs'),
  );
  const world = testWorld('kills');
  const acknowledged = new Map<string, number>();
  for (let kill = 0; kill < KILLS; kill++) {
    const printed = await runUntilKilled(program, [folder.path, String(kill)], world.integer(150));
    for (const [id, position] of printed) acknowledged.set(id, position);
    const log = await openTestLog(folder.path);
    expect(log.damage).toEqual([]);
    const ids = printed.map(([id]) => id);
    expect((await log.getMany(ids)).map((event) => event?.position)).toEqual(
      printed.map(([, position]) => position),
    );
    await log.close();
  }
  const log = await openTestLog(folder.path);
  expect(acknowledged.size).toBeGreaterThan(1000);
  const found = await log.getMany([...acknowledged.keys()]);
  expect(found.map((event) => event?.position)).toEqual([...acknowledged.values()]);
  expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
  await log.close();
  await folder.remove();
}, 300_000);

/** Kills the process `afterMs` after the first acknowledgement, and returns every complete line that it printed. */
function runUntilKilled(program: string, args: string[], afterMs: number): Promise<[string, number][]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: REPOSITORY,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    let failed = '';
    child.stderr.on('data', (data) => {
      failed += data;
    });
    child.stdout.on('data', (data) => {
      if (printed === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
      printed += data;
    });
    child.on('close', (_, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(failed));
      const lines = printed.slice(0, printed.lastIndexOf('\n')).split('\n');
      resolve(lines.map((line) => [line.slice(0, 32), Number(line.slice(33))]));
    });
  });
}
