// Building indexes beside those that serve: text and vectors of the projects that nobody asked in this process, each
// made in small units and kept on disk, where it is found when it is asked. Projects that were asked are in memory and
// follow by themselves: words with every step of the views, vectors here, some documents at a time.
import {
  type DocumentSource,
  type Embedder,
  type OptionalPause,
  pacedEmbedder,
  pacedSource,
  TextIndex,
  type Upstream,
  upstreamUpTo,
  VectorIndex,
} from '../../projections/index.ts';
import type { Home } from '../home/home.ts';
import type { NamedProjectIndex } from '../home/home-projects.ts';
import { snapshotFiles } from '../home/snapshot-files.ts';

/** After so many tries in vain an index is built while nobody reads. */
const TRIES = 3;
/** Changed rows whose vectors are made in one step: of some five documents. */
const ROWS_AT_A_TIME = 16;

/** The text of one project, on disk at the place where the view stands. */
export function buildTextIndex(project: NamedProjectIndex, home: Home): Promise<void> {
  const files = snapshotFiles(home.paths.text);
  return buildGenerations(home.text.follows, project, home, (source) => new TextIndex(source, files));
}

/** The vectors of one project, likewise. */
export async function buildVectorIndex(
  project: NamedProjectIndex,
  embedder: Embedder,
  home: Home,
): Promise<void> {
  const { runner, vectors, paths } = home;
  if (embedder.usesStoredVectors === true) {
    await runner.whileSteady((upstream) => vectors.settle(upstream(vectors.follows), [project]));
    return;
  }
  const files = snapshotFiles(paths.vectors);
  await buildGenerations(
    vectors.follows,
    project,
    home,
    (source, pause) => new VectorIndex(source, pacedEmbedder(embedder, pause), files),
  );
}

/** Kept only where the view still stands where it was read: else what was forgotten meanwhile would be on disk again. */
async function buildGenerations(
  follows: string,
  project: NamedProjectIndex,
  home: Home,
  indexOf: (source: DocumentSource, pause: OptionalPause) => Pick<TextIndex, 'refresh' | 'save'>,
): Promise<void> {
  const { runner } = home;
  const { pause } = runner.rightOfWay;
  for (let tries = 1; tries <= TRIES; tries++) {
    const upstream = await upstreamOf(follows, home);
    const index = indexOf(pacedSource(upstream, pause), pause);
    await index.refresh([project]);
    const isKept = await runner.whileSteady(async (upstreams) => {
      const { generation, seq } = upstreams(follows).feedPosition;
      if (generation !== upstream.feedPosition.generation || seq !== upstream.feedPosition.seq) return false;
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
export async function followVectors(home: Home, signal: AbortSignal | undefined): Promise<void> {
  const { runner, vectors } = home;
  for (let isThere = false; !isThere && signal?.aborted !== true; ) {
    isThere = await runner.whileSteady(async (upstream) => {
      const above = upstream(vectors.follows);
      const workdir = vectors.feedPosition();
      if (
        workdir === null ||
        workdir.generation !== above.feedPosition.generation ||
        workdir.seq >= above.feedPosition.seq
      )
        return true;
      const next = { ...workdir, seq: workdir.seq + ROWS_AT_A_TIME };
      await vectors.catchUp(upstreamUpTo(above, next, vectors.position()));
      return false;
    });
    await runner.rightOfWay.pause();
  }
}

/** The view as it stands; its rows also after it was rebuilt. */
async function upstreamOf(name: string, { runner }: Home): Promise<Upstream> {
  const upstream = await runner.whileSteady(async (upstreams) => upstreams(name));
  return { ...upstream, rows: runner.view(name) };
}
