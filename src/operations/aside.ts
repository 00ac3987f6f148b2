// Building indexes beside those that serve: text and vectors of the projects that nobody asked in this process, each
// made in small units and kept on disk, where it is found when it is asked. Projects that were asked are in memory and
// follow by themselves: words with every step of the views, vectors here, some documents at a time.
import {
  type DocumentSource,
  type Embedder,
  type Pause,
  pacedEmbedder,
  pacedSource,
  TextIndex,
  type Upstream,
  upTo,
  VectorIndex,
} from '../../projections/index.ts';
import type { Opened } from './opened.ts';
import type { ProjectPartition } from './projects.ts';
import { snapshotFiles } from './snapshot-files.ts';

/** After so many tries in vain an index is built while nobody reads. */
const TRIES = 3;
/** Changed rows whose vectors are made in one step: of some five documents. */
const ROWS_AT_A_TIME = 16;

/** The text of one project, on disk at the place where the view stands. */
export function buildText(project: ProjectPartition, opened: Opened): Promise<void> {
  const files = snapshotFiles(opened.paths.text);
  return buildAside(opened.text.follows, project, opened, (source) => new TextIndex(source, files));
}

/** The vectors of one project, likewise. */
export async function buildVectors(
  project: ProjectPartition,
  embedder: Embedder,
  opened: Opened,
): Promise<void> {
  const { runner, vectors, paths } = opened;
  if (embedder.told === true) {
    await runner.whileSteady((upstream) => vectors.settle(upstream(vectors.follows), [project]));
    return;
  }
  const files = snapshotFiles(paths.vectors);
  await buildAside(
    vectors.follows,
    project,
    opened,
    (source, pause) => new VectorIndex(source, pacedEmbedder(embedder, pause), files),
  );
}

/** Kept only where the view still stands where it was read: else what was forgotten meanwhile would be on disk again. */
async function buildAside(
  follows: string,
  project: ProjectPartition,
  opened: Opened,
  indexOf: (source: DocumentSource, pause: Pause) => Pick<TextIndex, 'refresh' | 'save'>,
): Promise<void> {
  const { runner } = opened;
  const { pause } = runner.rightOfWay;
  for (let tries = 1; tries <= TRIES; tries++) {
    const upstream = await upstreamOf(follows, opened);
    const index = indexOf(pacedSource(upstream, pause), pause);
    await index.refresh([project]);
    const isKept = await runner.whileSteady(async (upstreams) => {
      const { generation, seq } = upstreams(follows).place;
      if (generation !== upstream.place.generation || seq !== upstream.place.seq) return false;
      await index.save();
      return true;
    });
    if (isKept) return;
  }
  await runner.whileSteady(async (upstreams) => {
    const atOnce = () => undefined;
    const index = indexOf(pacedSource(upstreams(follows), atOnce), atOnce);
    await index.refresh([project]);
    await index.save();
  });
}

/** Vectors of the projects that are in memory: those that came last, a few at a time. */
export async function followVectors(opened: Opened, signal: AbortSignal | undefined): Promise<void> {
  const { runner, vectors } = opened;
  for (let isThere = false; !isThere && signal?.aborted !== true; ) {
    isThere = await runner.whileSteady(async (upstream) => {
      const above = upstream(vectors.follows);
      const place = vectors.place();
      if (place === null || place.generation !== above.place.generation || place.seq >= above.place.seq)
        return true;
      const next = { ...place, seq: place.seq + ROWS_AT_A_TIME };
      await vectors.catchUp(upTo(above, next, vectors.position()));
      return false;
    });
    await runner.rightOfWay.pause();
  }
}

/** The view as it stands; its rows also after it was rebuilt. */
async function upstreamOf(name: string, { runner }: Opened): Promise<Upstream> {
  const upstream = await runner.whileSteady(async (upstreams) => upstreams(name));
  return { ...upstream, rows: runner.view(name) };
}
