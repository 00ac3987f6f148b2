// Searching: which projects are meant, then the text index over them while no view moves.
import { AnnalsError } from '../../log/index.ts';
import type { SearchAnswer, SearchOptions } from '../api.ts';
import { search } from '../search/index.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { partitionsOf, projectPartitions } from './projects.ts';

export async function searchMemory(
  query: string,
  options: SearchOptions,
  opened: Opened,
): Promise<SearchAnswer> {
  const { runner, text, vectors, embedding, now } = opened;
  const began = now();
  const { project, ...filters } = options;
  const projects = await searchedProjects(project, opened);
  const answer = await runner.whileSteady((upstream) =>
    search(
      { ...text.at(upstream(text.follows)), vectors: vectors.at(upstream(vectors.follows)), now },
      projects,
      query,
      filters,
    ),
  );
  return {
    ...answer,
    degraded: [...problemsOf(opened), ...embedding.problems(), ...embedding.takeSaid(), ...answer.degraded],
    ms: now() - began,
  };
}

/** @throws AnnalsError NOT_FOUND for a project that nothing is known of */
async function searchedProjects(project: string | undefined, { views }: Opened) {
  const all = await projectPartitions(views);
  if (project === undefined) return all;
  const chosen = await partitionsOf(project, all, views.projects);
  if (chosen.length > 0) return chosen;
  const known = all.map(({ name }) => name).sort();
  throw new AnnalsError('NOT_FOUND', `No project is called “${project}”.`, {
    hint:
      known.length === 0
        ? 'Nothing is here yet: try annals import ~/.claude/projects.'
        : `Known: ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  });
}
