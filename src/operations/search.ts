// Searching: which projects are meant, then the text index over them while no view moves.
import { AnnalsError } from '../../log/index.ts';
import { newestDocuments } from '../../projections/index.ts';
import type { SearchAnswer, SearchOptions } from '../api.ts';
import { conditionsOf, parseQuery, type SearchWorld, search } from '../search/index.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { type ProjectPartition, partitionsOf, projectPartitions } from './projects.ts';

/** Documents without a vector that a search embeds itself: a fifth of a second. */
const EMBEDDED_MAX = 1_000;

export async function searchMemory(
  query: string,
  options: SearchOptions,
  opened: Opened,
): Promise<SearchAnswer> {
  const { runner, text, vectors, embedding, now } = opened;
  const began = now();
  const projects = await searchedProjects(query, options, opened);
  const behind: string[] = [];
  const answer = await runner.whileSteady(async (upstream) => {
    const above = upstream(vectors.follows);
    const index = vectors.at(above);
    const waiting = new Set(index && (await vectors.waiting(above, projects, EMBEDDED_MAX)));
    const ready: SearchWorld['vectors'] = index && {
      search(_, textOf, depth) {
        behind.push(...Array.from(waiting, ({ name }) => name));
        return index.search(
          projects.filter((one) => !waiting.has(one)),
          textOf,
          depth,
        );
      },
    };
    const memory = upstream(text.follows);
    const recent: SearchWorld['recent'] = (places, span) => newestDocuments(memory.rows, places, span);
    return search({ ...text.at(memory), vectors: ready, recent, now }, projects, query, options);
  });
  const degraded = [
    ...problemsOf(opened),
    ...embedding.problems(),
    ...embedding.takeSaid(),
    ...answer.degraded,
    ...withoutVectors(behind),
  ];
  return { ...answer, degraded, ms: now() - began };
}

function withoutVectors(projects: readonly string[]): string[] {
  if (projects.length === 0) return [];
  const named = projects.length === 1 ? (projects[0] ?? '') : `${projects.length} projects`;
  return [
    `The vectors of ${named} are still to be made, by the next import or \`annals rebuild vectors\`: words alone rank what is there.`,
  ];
}

/** @throws AnnalsError NOT_FOUND for a project that nothing is known of; USAGE as `parseQuery` does */
async function searchedProjects(
  query: string,
  options: SearchOptions,
  { views }: Opened,
): Promise<readonly ProjectPartition[]> {
  const all = await projectPartitions(views);
  let chosen: readonly ProjectPartition[] = all;
  for (const { field, value, not } of [...parseQuery(query).conditions, ...conditionsOf(options)]) {
    if (field !== 'project') continue;
    const named = await partitionsOf(String(value), all, views.projects);
    if (named.length === 0) throw unknownProject(String(value), all);
    const ids = new Set(named.map(({ id }) => id));
    chosen = chosen.filter(({ id }) => ids.has(id) !== not);
  }
  return chosen;
}

function unknownProject(name: string, all: readonly ProjectPartition[]): AnnalsError {
  const known = all.map((partition) => partition.name).sort();
  return new AnnalsError('NOT_FOUND', `No project is called “${name}”.`, {
    hint:
      known.length === 0
        ? 'Nothing is here yet: try annals import ~/.claude/projects.'
        : `Known: ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  });
}
