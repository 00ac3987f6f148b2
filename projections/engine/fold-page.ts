// Folds one page of events into all views: log projectors first, then each downstream projector with the changes of the
// view it follows. The caller commits the page.
import type { Checkpoint, EventData, LogPage } from '../../log/index.ts';
import { isLogProjector, type Projector } from './contract/projector.ts';
import { type DeadLetter, foldItems, rowSubject } from './store/dead-letter.ts';
import type { Generation, GenerationPage } from './store/generation.ts';
import { storeFailure } from './store/view-store.ts';

export interface FoldedPage {
  readonly page: GenerationPage;
  readonly deadLetters: readonly DeadLetter[];
  /** The last event of the page. */
  readonly end: Checkpoint;
}

/**
 * @param ordered each projector after the one it follows
 * @throws AnnalsError VIEW_DAMAGED when the stored rows cannot be read
 */
export async function foldPage(
  generation: Generation,
  ordered: readonly Projector[],
  { events, end }: LogPage,
): Promise<FoldedPage> {
  const page = generation.page();
  const known = events.filter(({ type }) => type !== 'unknown') as readonly EventData[];
  const deadLetters: DeadLetter[] = [];
  for (const projector of ordered) {
    const view = page.view(projector.name);
    const into = { view: projector.name, page: view };
    if (isLogProjector(projector)) {
      const fold = (some: readonly EventData[]) => projector.fold(some, view);
      deadLetters.push(...(await foldItems(known, { ...into, fold, subject: ({ id }) => id })));
    } else {
      const followed = ordered.find(({ name }) => name === projector.follows)!;
      const changes = await page.changes(followed).catch((error: unknown) => {
        throw storeFailure('The views', error);
      });
      const upstream = page.view(followed.name);
      const fold = (some: typeof changes) => projector.fold(some, view, upstream);
      deadLetters.push(...(await foldItems(changes, { ...into, upstream, fold, subject: rowSubject })));
    }
  }
  return { page, deadLetters, end };
}
