// The order in which a page is folded: each projector after the one it follows. Checked once, when the runner opens.
import type { Projector } from './contract/projector.ts';
import type { IndexView } from './index-view.ts';

/** Which changed rows go into the feed: those that an index reads. */
export function feedOf(indexes: readonly IndexView[]): (view: string, key: string) => boolean {
  return (view, key) => indexes.some((index) => index.follows === view && index.reads(key));
}

/** @throws TypeError when names are not unique, a followed view is missing or gives no changes, or there is a cycle */
export function viewOrder(
  projectors: readonly Projector[],
  indexes: readonly IndexView[],
): readonly Projector[] {
  const names = [...projectors, ...indexes].map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined || names.includes('log'))
    throw new TypeError(`Two views are named ${repeated ?? 'log'}.`);
  const ordered: Projector[] = [];
  let waiting = [...projectors];
  while (waiting.length > 0) {
    const ready = waiting.filter(
      ({ follows }) => follows === 'log' || ordered.some(({ name }) => name === follows),
    );
    if (ready.length === 0)
      throw new TypeError(
        `${waiting[0]!.name} follows ${waiting[0]!.follows}, which is missing or in a cycle.`,
      );
    ordered.push(...ready);
    waiting = waiting.filter((projector) => !ready.includes(projector));
  }
  for (const { name, follows } of [...ordered, ...indexes]) {
    if (follows === 'log') continue;
    const upstream = ordered.find((projector) => projector.name === follows);
    if (upstream === undefined || upstream.changes === 'none')
      throw new TypeError(`${name} follows ${follows}, which gives no changes.`);
  }
  return ordered;
}
