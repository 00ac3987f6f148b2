// Brings a generation up to the log, page by page. The next page is read while one is folded.
import type { Log, LogPage } from '../../log/index.ts';
import type { Projector } from './contract/projector.ts';
import { type FoldedPage, foldPage } from './fold-page.ts';
import type { Generation } from './store/generation.ts';

/** Events done and events to do. */
export type ReplayProgress = (done: number, total: number) => void;

export interface ProjectOptions {
  /** Events in a page, which is one batch. */
  readonly pageSize: number;
  readonly onProgress?: ReplayProgress | undefined;
  /** Checked between pages: a runner that closes stops at the end of a page. */
  readonly stopped?: (() => boolean) | undefined;
  /** Leaves the last events of the log if they are fewer than a page: more are coming. */
  readonly wholePages?: boolean | undefined;
}

/**
 * Folds the log into a generation, up to the head as it is when the last page is read.
 * @param commit writes a folded page
 */
export async function projectLog(
  log: Log,
  generation: Generation,
  ordered: readonly Projector[],
  options: ProjectOptions,
  commit: (folded: FoldedPage) => Promise<void>,
): Promise<void> {
  const start = generation.position;
  let total = log.head().position - start;
  if (total <= 0) return;
  const { pageSize, wholePages = false, onProgress } = options;
  // The end is the head, not an empty page: in a log of an earlier time, a page may have no events.
  const next = (after: number): Promise<LogPage> | null => {
    const left = log.head().position - after;
    if (left <= 0 || (wholePages && left < pageSize)) return null;
    const page = log.page({ after, limit: pageSize });
    // It is awaited in the next round; until then a failure must not count as unhandled.
    page.catch(() => undefined);
    return page;
  };
  onProgress?.(0, total);
  for (let at = start, coming = next(start); coming !== null; ) {
    const page: LogPage = await coming;
    if (page.end.position <= at || options.stopped?.()) break;
    at = page.end.position;
    coming = next(at);
    await commit(await foldPage(generation, ordered, page));
    total = Math.max(total, at - start);
    onProgress?.(at - start, total);
  }
}
