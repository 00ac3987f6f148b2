// Installs and removes the service. What will be written and run is known before, so that it can be shown. Only our own
// file is ever replaced or removed.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import { readText } from '../platform/atomic-file.ts';
import { wait } from '../platform/clock.ts';
import { timedRun } from '../platform/timed-run.ts';
import { type Command, MADE_BY, type UnitFile } from './unit-files.ts';

export interface ServiceReport {
  readonly path: string;
  readonly changed: boolean;
  /** Commands of the service manager that failed, as one would type them. */
  readonly failed: readonly string[];
}

/** 30 s: launchd kills a program that does not end within 20. */
const UNLOAD_TRIES = 150;
const UNLOAD_WAIT_MS = 200;

/** The file as it is. @throws AnnalsError INPUT_INVALID when it is not ours */
export async function installedText({ path }: UnitFile): Promise<string | null> {
  const text = (await readText(path)) ?? null;
  if (text === null || text.split('\n', 2).some((line) => line.includes(MADE_BY))) return text;
  throw new AnnalsError('INPUT_INVALID', `${path} was not made by Annals, so it is left alone.`, {
    hint: 'Move it away to install the service.',
    facts: { path },
  });
}

/** @throws AnnalsError INPUT_INVALID when there is a file that is not ours; what the file system throws */
export async function installService(unit: UnitFile): Promise<ServiceReport> {
  const before = await installedText(unit);
  if (before !== unit.text) {
    await mkdir(dirname(unit.path), { recursive: true });
    // It may name folders that are nobody else's business.
    await writeFile(unit.path, unit.text, { mode: 0o600 });
    await chmod(unit.path, 0o600);
  }
  await unload(unit);
  return { path: unit.path, changed: before !== unit.text, failed: await failing(unit.activate) };
}

/** @throws AnnalsError INPUT_INVALID when the file is not ours */
export async function uninstallService(unit: UnitFile): Promise<ServiceReport> {
  const before = await installedText(unit);
  if (before === null) return { path: unit.path, changed: false, failed: [] };
  const failed = await failing(unit.deactivate);
  await rm(unit.path, { force: true });
  return { path: unit.path, changed: true, failed: [...failed, ...(await failing(unit.afterwards))] };
}

/** launchctl may answer before the program has ended. What is loaded for ever makes `activate` fail, which is reported. */
async function unload({ unload }: UnitFile): Promise<void> {
  if (unload === null) return;
  for (let time = 0; time < UNLOAD_TRIES && (await failing([unload.isLoaded])).length === 0; time++) {
    await failing([unload.end]);
    await wait(UNLOAD_WAIT_MS);
  }
}

/** A machine may have no service manager for this user: then the file waits for one. */
async function failing(commands: readonly Command[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const [program, ...words] of commands) {
    const code = await timedRun(program, words).then(
      (run) => run.code,
      () => null,
    );
    if (code !== 0) failed.push([program, ...words].join(' '));
  }
  return failed;
}
