// Which documents a search may show, beside the words. Filters look at the document itself, so that the text
// index holds nothing but text.
import type { MemoryDocument } from '../../projections/index.ts';
import type { SearchOptions } from '../api.ts';
import { parseTime } from './time.ts';

export type Filter = (document: MemoryDocument) => boolean;

/**
 * `type` is compared without case; `session` may be its beginning; `file` is a name, a path or any run of whole
 * segments of one, with either slash. A document without a time is outside of every span of time.
 * @throws AnnalsError USAGE
 */
export function filterOf(options: SearchOptions, now: number): Filter {
  const { kind, session } = options;
  const type = options.type?.toLowerCase();
  const file = options.file === undefined ? undefined : segments(options.file);
  const since = options.since === undefined ? undefined : parseTime(options.since, now, 'since');
  const until = options.until === undefined ? undefined : parseTime(options.until, now, 'until');
  return (document) =>
    (kind === undefined || document.kind === kind) &&
    (type === undefined || document.type?.toLowerCase() === type) &&
    (session === undefined || (document.session?.startsWith(session) ?? false)) &&
    (file === undefined || document.files.some((path) => segments(path).includes(file))) &&
    (since === undefined || (document.at !== null && document.at >= since)) &&
    (until === undefined || (document.at !== null && document.at <= until));
}

/** `D:\a\b.ts` → `/d:/a/b.ts/`, so that whole segments can be looked for as text. */
function segments(path: string): string {
  return `/${path
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\.?\/+|\/+$/g, '')}/`;
}
