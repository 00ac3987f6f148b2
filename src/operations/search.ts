// Searching: the query's words in the text index of the projects concerned, then the filters, then one row per hit.
import type { SearchAnswer, SearchOptions } from '../api.ts';
import type { Opened } from './opened.ts';
import { partitionsOf, projectPartitions } from './projects.ts';

export async function searchMemory(
  query: string,
  options: SearchOptions,
  { runner, text, views, now }: Opened,
): Promise<SearchAnswer> {
  const began = now();
  const all = await projectPartitions(views);
  const chosen =
    options.project === undefined ? all : await partitionsOf(options.project, all, views.projects);
  const answer = await runner.whileSteady((upstream) => text.search(upstream(text.follows), chosen, query));
  return { results: answer.hits.slice(0, 10) as never, degraded: answer.degraded, ms: now() - began };
}
