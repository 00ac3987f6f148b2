// The order in which views are brought up: first projectors, then their followers, then theirs. Checked once,
// when the runner opens: names are unique, every followed view exists, writes a feed, and no circle.

import type { Projector } from './contract/projector.ts';
import type { IndexView } from './index-view.ts';

/** Projectors so that each stands after the one it follows. Throws TypeError where they do not fit together. */
export function viewOrder(
  projectors: readonly Projector[],
  indexes: readonly IndexView[],
): readonly Projector[] {
  const names = [...projectors, ...indexes].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined || names.includes('log'))
    throw new TypeError(`Two views are named ${twice ?? 'log'}.`);
  const ordered: Projector[] = [];
  let waiting = [...projectors];
  while (waiting.length > 0) {
    const ready = waiting.filter(
      ({ follows }) => follows === 'log' || ordered.some(({ name }) => name === follows),
    );
    if (ready.length === 0)
      throw new TypeError(`${waiting[0]!.name} follows ${waiting[0]!.follows}, which leads nowhere.`);
    ordered.push(...ready);
    waiting = waiting.filter((projector) => !ready.includes(projector));
  }
  for (const { name, follows } of [...ordered, ...indexes]) {
    if (follows === 'log') continue;
    const upstream = ordered.find((projector) => projector.name === follows);
    if (upstream === undefined || upstream.feed === 'none')
      throw new TypeError(`${name} follows ${follows}, which writes no feed.`);
  }
  return ordered;
}

/** The named views and everything that follows them, in order. */
export function withFollowers(
  ordered: readonly Projector[],
  names: ReadonlySet<string>,
): readonly Projector[] {
  const chosen = new Set(names);
  return ordered.filter((projector) => {
    if (chosen.has(projector.follows)) chosen.add(projector.name);
    return chosen.has(projector.name);
  });
}
