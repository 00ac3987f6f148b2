// The public surface of search.

export { parseTime } from './query/parse-time.ts';
export { parseQuery, type Query } from './query/query.ts';
export { conditionsOf } from './query/query-conditions.ts';
export {
  type InnerSearchOptions,
  type SearchedProject,
  type SearchWorld,
  search,
} from './search-projects.ts';
export { snippet, snippetLine } from './snippet.ts';
