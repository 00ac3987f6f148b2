// The views of a home: which projectors make them, and the indexes that follow them.
import { join } from 'node:path';
import {
  contextProjector,
  MemoryBudget,
  memoryProjector,
  type ProjectIndex,
  type Projector,
  projectsProjector,
  receiptsProjector,
  type SnapshotFiles,
  TextView,
  turnsProjector,
  VectorView,
  type ViewReader,
} from '../../projections/index.ts';
import type { Settings } from '../config/settings.ts';
import type { Embedding } from '../embed/embedders/embedding.ts';
import type { HomePaths } from '../platform/home-paths.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { scratchFiles } from '../platform/scratch-file.ts';
import type { ReadHome } from './home.ts';
import { listProjectIndexes } from './home-projects.ts';
import { snapshotFiles } from './snapshot-files.ts';

export const PROJECTORS: readonly Projector[] = [
  turnsProjector,
  projectsProjector,
  memoryProjector,
  contextProjector,
  receiptsProjector,
];

/** @param view the reader of a view, such as that of a runner */
export function readViews(view: (name: string) => ViewReader): ReadHome['views'] {
  return {
    turns: view('turns'),
    memory: view('memory'),
    projects: view('projects'),
    context: view('context'),
    receipts: view('receipts'),
  };
}

export interface IndexParts {
  readonly paths: HomePaths;
  readonly settings: Pick<Settings, 'indexMemory' | 'indexGraphFrom'>;
  readonly embedding: Embedding;
  /** Called at each use, because the views are opened with the indexes. */
  views(): ReadHome['views'];
}

/** @param share what another thread may do with the files of an index, if it writes them too */
export function indexViews(
  { paths, settings, embedding, views }: IndexParts,
  share: (files: SnapshotFiles) => SnapshotFiles = (files) => files,
): Pick<ReadHome, 'text' | 'vectors'> {
  const budget = new MemoryBudget(settings.indexMemory * 2 ** 20);
  const projectIndexes = (): Promise<readonly ProjectIndex[]> => listProjectIndexes(views());
  return {
    text: new TextView({ files: share(snapshotFiles(paths.text)), budget, projectIndexes }),
    vectors: new VectorView({
      files: share(snapshotFiles(paths.vectors)),
      budget,
      graphs: {
        rowsMin: settings.indexGraphFrom,
        load: async () => (await import('../embed/embedders/graph-library.ts')).graphLibrary(paths.home),
        scratch: scratchFiles(() =>
          join(paths.vectors, `${Buffer.from(randomBytes(8)).toString('hex')}.scratch`),
        ),
      },
      embedder: () => embedding.serving(),
      projectIndexes,
    }),
  };
}
