// Reads a log page by page to its end. An empty page is not the end: a page of a log as it was holds nothing where
// every event is later. The end is where a page no longer moves the position.
import type { Checkpoint } from '../event.ts';

/** Calls `read` with position after position, and yields each page that got further. */
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
