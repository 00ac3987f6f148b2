// The first look at a damaged home: only at the damaged part, through the part of the product that would report it first.
// It finds most damage, for a tenth of the cost of opening the whole home, rebuilding its views and querying it.
import { join } from 'node:path';
import { openLog } from '../../log/index.ts';
import { openCurrent } from '../../projections/engine/generation-folders.ts';
import {
  contextProjector,
  directoryGenerations,
  memoryProjector,
  projectsProjector,
  receiptsProjector,
  turnsProjector,
} from '../../projections/index.ts';
import { damagedFile } from '../../src/home/damaged-file.ts';
import { openAnnals } from '../../src/index.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import {
  exists,
  folderBytes,
  identity,
  list,
  makeFolder,
  move,
  remove,
  wholeFiles,
} from '../../src/platform/disk-files.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import type { Damage } from './damages.ts';

const PROJECTORS = [turnsProjector, projectsProjector, memoryProjector, contextProjector, receiptsProjector];

/** The reports about the damaged part. Throws whatever the product throws. */
export async function glance(home: string, damage: Damage): Promise<readonly string[]> {
  if (damage.owner === 'log') return ofLog(home);
  if (/^views\/(rows-|CURRENT)/.test(damage.name)) return ofRows(home);
  return damage.region === 'index snapshot' ? ofIndexes(home) : [];
}

/** What `status` and `verify` report about the log. */
async function ofLog(home: string): Promise<readonly string[]> {
  const paths = homePaths(home);
  const log = await openLog({
    directory: paths.log,
    headFile: paths.head,
    world: { now, randomBytes },
    files: { readText, writeAtomically, folderBytes, wholeFiles },
    swap: { exists, list, rename: move, remove, identity },
  });
  try {
    return [...log.damage, ...(await log.verify()).problems].map(({ message }) => message);
  } finally {
    await log.close();
  }
}

/** What opening the views reports; `status` repeats it. */
async function ofRows(home: string): Promise<readonly string[]> {
  const files = { readText, writeAtomically, list, makeFolder, remove, damagedFile };
  const generations = directoryGenerations(join(home, 'views'), files);
  const context = { generations, randomBytes, projectors: PROJECTORS, isFed: () => false };
  const { generation, problem } = await openCurrent(context);
  await generation.close();
  return problem === null ? [] : [problem.message];
}

async function ofIndexes(home: string): Promise<readonly string[]> {
  const annals = await openAnnals({ home });
  try {
    return (await annals.search('reader fails when a line is cut')).degraded;
  } finally {
    await annals.close();
  }
}
