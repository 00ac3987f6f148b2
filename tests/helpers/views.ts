// Runners for tests: on real files in a temporary folder, or on stores in memory that outlive the runner.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memoryGenerations } from '../../projections/engine/memory-generations.ts';
import {
  directoryGenerations,
  type GenerationStore,
  openRunner,
  type Runner,
  type RunnerOptions,
} from '../../projections/index.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import { list, makeFolder, remove } from '../../src/platform/disk-files.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';

/** Another runner on the same generations finds the rows of the first one. */
export { memoryGenerations };

export const generationFiles = { readText, writeAtomically, list, makeFolder, remove };

/** A folder that is removed after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'annals-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Generations on disk below a folder. */
export function diskGenerations(folder: string): GenerationStore {
  return directoryGenerations(join(folder, 'views'), generationFiles);
}

/** A runner that is closed after the test. */
export async function testRunner(options: Omit<RunnerOptions, 'now' | 'randomBytes'>): Promise<Runner> {
  const runner = await openRunner({ ...options, now, randomBytes });
  onTestFinished(() => runner.close());
  return runner;
}
