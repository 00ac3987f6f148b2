// Searching: which projects are meant, then the text index over them while no view moves.
import { AnnalsError } from '../../log/index.ts';
import type { SearchAnswer, SearchOptions } from '../api.ts';
import { type SearchWorld, search } from '../search/index.ts';
import type { Opened } from './opened.ts';
import { problemsOf } from './problems.ts';
import { partitionsOf, projectPartitions } from './projects.ts';

/** Documents without a vector that a search embeds itself: a fifth of a second. */
const EMBEDDED_MAX = 1_000;

export async function searchMemory(
  query: string,
  options: SearchOptions,
  opened: Opened,
): Promise<SearchAnswer> {
  const { runner, text, vectors, now } = opened;
  const began = now();
  const { project, ...filters } = options;
  const projects = await searchedProjects(project, opened);
  const behind: string[] = [];
  const answer = await runner.whileSteady(async (upstream) => {
    const above = upstream(vectors.follows);
    const index = vectors.at(above);
    const waiting = new Set(index && (await vectors.waiting(above, projects, EMBEDDED_MAX)));
    for (const { name } of waiting) behind.push(name);
    const ready: SearchWorld['vectors'] = index && {
      search: (_, textOf) =>
        index.search(
          projects.filter((one) => !waiting.has(one)),
          textOf,
        ),
    };
    return search({ ...text.at(upstream(text.follows)), vectors: ready, now }, projects, query, filters);
  });
  const degraded = [...problemsOf(opened), ...answer.degraded, ...withoutVectors(behind)];
  return { ...answer, degraded, ms: now() - began };
}

function withoutVectors(projects: readonly string[]): string[] {
  if (projects.length === 0) return [];
  const named = projects.length === 1 ? (projects[0] ?? '') : `${projects.length} projects`;
  return [
    `The vectors of ${named} are still to be made, by the next import: words alone rank what is there.`,
  ];
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
