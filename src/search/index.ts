// What others may use of search.
export { parseQuery, type Query } from './query.ts';
export { conditionsOf } from './query-conditions.ts';
export { type SearchedProject, type SearchWorld, search } from './search.ts';
export { oneLine, snippet } from './snippet.ts';
export { parseTime } from './time.ts';
