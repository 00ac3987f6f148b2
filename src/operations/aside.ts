// Building indexes beside those that serve: text and vectors of the projects that nobody asked in this process, each
// made in small units and kept on disk, where it is found when it is asked. Projects that were asked are in memory and
// follow by themselves: words with every step of the views, vectors here, some documents at a time.
import {
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
export async function buildText(project: ProjectPartition, opened: Opened): Promise<void> {
  const { runner, text, paths } = opened;
  for (let tries = 1; tries <= TRIES; tries++) {
    const upstream = await upstreamOf(text.follows, opened);
    const index = new TextIndex(pacedSource(upstream, runner.rightOfWay.pause), snapshotFiles(paths.text));
    await index.refresh([project]);
    const now = await upstreamOf(text.follows, opened);
    // Else it may hold a document that it will be told of again.
    const stood = now.place.generation === upstream.place.generation && now.place.seq === upstream.place.seq;
    if (stood) return index.save();
  }
  await runner.whileSteady(async (upstream) => {
    const index = new TextIndex(
      pacedSource(upstream(text.follows), () => undefined),
      snapshotFiles(paths.text),
    );
    await index.refresh([project]);
    await index.save();
  });
}

/** The vectors of one project, on disk. What changes meanwhile is told again later, which changes nothing. */
export async function buildVectors(project: ProjectPartition, opened: Opened): Promise<void> {
  const { runner, vectors, paths, embedding } = opened;
  const { pause } = runner.rightOfWay;
  const embedder = embedding.serving();
  if (embedder === null) return;
  if (embedder.told === true) {
    await runner.whileSteady((upstream) => vectors.settle(upstream(vectors.follows), [project]));
    return;
  }
  const source = pacedSource(await upstreamOf(vectors.follows, opened), pause);
  const index = new VectorIndex(source, pacedEmbedder(embedder, pause), snapshotFiles(paths.vectors));
  await index.refresh([project]);
  await index.save();
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
