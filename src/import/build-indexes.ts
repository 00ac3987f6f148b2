// Builds the text and vector indexes of projects that are not loaded in this process, next to the serving ones: in
// small units, saved to disk and loaded when needed. Loaded projects are updated in memory: the text index with every
// step of the views, the vectors here, a few documents at a time. An index on disk may be a little behind, because a search
// catches up; so small imports into a large project do not write its whole index each time.
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

/** After this many failed attempts, an index is built while the views do not move. */
const ATTEMPTS_MAX = 3;
/** Changed rows whose vectors are made in one step: of about five documents. */
const ROWS_AT_A_TIME = 16;
/** An index on disk may be so many changed rows behind. */
const ROWS_BEHIND_MAX = 1_000;

/** Builds the text index of one project on disk, up to the view's current position. */
export function buildTextIndex(project: NamedProjectIndex, home: Home): Promise<void> {
  const files = snapshotFiles(home.paths.text);
  return whenBehind('text', home.text.follows, project, home, () =>
    buildGenerations(home.text.follows, project, home, (source) => new TextIndex(source, files)),
  );
}

/** The same for the vectors of one project. */
export async function buildVectorIndex(
  project: NamedProjectIndex,
  embedder: Embedder,
  home: Home,
): Promise<void> {
  const { runner, vectors, paths } = home;
  const { follows } = vectors;
  await whenBehind(embedder.recipe, follows, project, home, () => {
    if (embedder.usesStoredVectors === true)
      return runner.whileSteady((upstream) => vectors.settle(upstream(follows), [project]));
    const files = snapshotFiles(paths.vectors);
    return buildGenerations(
      follows,
      project,
      home,
      (source, pause) => new VectorIndex(source, pacedEmbedder(embedder, pause), files),
    );
  });
}

/** Builds an index unless an import of this process saved it not long ago. */
async function whenBehind(
  index: Parameters<Home['imports']['saved']>[0],
  follows: string,
  project: NamedProjectIndex,
  { runner, imports }: Home,
  build: () => Promise<void>,
): Promise<void> {
  const now = await runner.whileSteady(async (upstreams) => upstreams(follows).feedPosition);
  const saved = imports.savedAt(index, project);
  if (saved?.generation === now.generation && now.seq - saved.seq <= ROWS_BEHIND_MAX) return;
  await build();
  imports.saved(index, project, now);
}

/**
 * Saves only if the view has not moved since it was read. Otherwise, text forgotten meanwhile would be on disk again.
 */
async function buildGenerations(
  follows: string,
  project: NamedProjectIndex,
  home: Home,
  indexOf: (source: DocumentSource, pause: OptionalPause) => Pick<TextIndex, 'refresh' | 'save'>,
): Promise<void> {
  const { runner } = home;
  const { pause } = runner.rightOfWay;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const upstream = await upstreamOf(follows, home);
    const index = indexOf(pacedSource(upstream, pause), pause);
    await index.refresh([project]);
    const isSaved = await runner.whileSteady(async (upstreams) => {
      const { generation, seq } = upstreams(follows).feedPosition;
      if (generation !== upstream.feedPosition.generation || seq !== upstream.feedPosition.seq) return false;
      await index.save();
      return true;
    });
    if (isSaved) return;
  }
  await runner.whileSteady(async (upstreams) => {
    const atOnce = () => undefined;
    const index = indexOf(pacedSource(upstreams(follows), atOnce), atOnce);
    await index.refresh([project]);
    await index.save();
  });
}

/** Updates the vectors of the loaded projects to the newest rows, a few at a time. */
export async function followVectors(home: Home, signal: AbortSignal | undefined): Promise<void> {
  const { runner, vectors } = home;
  for (let isCurrent = false; !isCurrent && signal?.aborted !== true; ) {
    isCurrent = await runner.whileSteady(async (upstream) => {
      const source = upstream(vectors.follows);
      const workdir = vectors.feedPosition();
      if (
        workdir === null ||
        workdir.generation !== source.feedPosition.generation ||
        workdir.seq >= source.feedPosition.seq
      )
        return true;
      const next = { ...workdir, seq: workdir.seq + ROWS_AT_A_TIME };
      await vectors.catchUp(upstreamUpTo(source, next, vectors.position()));
      return false;
    });
    await runner.rightOfWay.pause();
  }
}

/** The view at its current position. Its rows stay readable after a rebuild. */
async function upstreamOf(name: string, { runner }: Home): Promise<Upstream> {
  const upstream = await runner.whileSteady(async (upstreams) => upstreams(name));
  return { ...upstream, rows: runner.view(name) };
}
