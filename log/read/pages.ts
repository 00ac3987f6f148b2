// Reads a log page by page to its end. An empty page is not the end: in a past log (`logUntil`) all events of a page
// may be later than the bound. The end is reached when a page no longer advances the position.
import type { Checkpoint } from '../event.ts';

/** Calls `read` from `position` on, and yields each page that advances the position. */
export async function* pagesAfter<Page extends { readonly end: Checkpoint }>(
  position: number,
  read: (after: number) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let after = position; ; ) {
    const page = await read(after);
    if (page.end.position <= after) return;
    yield page;
    after = page.end.position;
  }
}
