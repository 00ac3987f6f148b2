// Searching: which projects are meant, then the text index over them while no view moves.
import { AnnalsError } from '../../log/index.ts';
import { newestDocuments, type RecentSpan } from '../../projections/index.ts';
import type { SearchAnswer, SearchOptions } from '../api.ts';
import { conditionsOf, parseQuery, search } from '../search/index.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { type ProjectPartition, partitionsOf, projectPartitions } from './projects.ts';

export async function searchMemory(
  query: string,
  options: SearchOptions,
  opened: Opened,
): Promise<SearchAnswer> {
  const { runner, text, vectors, now } = opened;
  const began = now();
  const projects = await searchedProjects(query, options, opened);
  const answer = await runner.whileSteady((upstream) => {
    const memory = upstream(text.follows);
    const world = {
      ...text.at(memory),
      vectors: vectors.at(upstream(vectors.follows)),
      recent: (places: readonly string[], span: RecentSpan) => newestDocuments(memory.rows, places, span),
      now,
    };
    return search(world, projects, query, options);
  });
  return { ...answer, degraded: [...problemsOf(opened), ...answer.degraded], ms: now() - began };
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
