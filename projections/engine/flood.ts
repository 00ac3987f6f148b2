// While much is taken in at once, views are moved in short steps between which readers come in, and the indexes that
// the flood names stay where they are until it ends. Several floods may run at once: what any of them leaves behind
// stays behind.

import type { RightOfWay } from './contract/right-of-way.ts';
import type { GivingWay } from './fill.ts';
import type { LiveViews } from './live-views.ts';
import type { Moves } from './moves.ts';
import { upstreamOf } from './upstream.ts';

export class Floods {
  readonly #underWay = new Set<ReadonlySet<string>>();

  /** Until the answer is called; names of indexes. */
  begin(leftBehind: ReadonlySet<string>): () => void {
    // One of its own: two floods may leave the same behind, and end at different times.
    const own = new Set(leftBehind);
    this.#underWay.add(own);
    return () => this.#underWay.delete(own);
  }

  get any(): boolean {
    return this.#underWay.size > 0;
  }

  leftBehind(): ReadonlySet<string> {
    return new Set([...this.#underWay].flatMap((names) => [...names]));
  }
}

/** How views are filled in a flood. An index that is not left behind moves in the step of the view that it follows. */
export function givingWay({
  views: { indexes },
  moves,
  rightOfWay,
  leftBehind,
}: {
  readonly views: LiveViews;
  readonly moves: Moves;
  readonly rightOfWay: RightOfWay;
  readonly leftBehind: ReadonlySet<string>;
}): GivingWay {
  return {
    pause: rightOfWay.pause,
    isWanted: () => rightOfWay.wasAskedLately,
    moving: (view, move) => {
      const following = indexes.filter(({ follows }) => follows === view.name);
      if (following.length === 0) return move();
      return moves.still(async () => {
        const moved = await move();
        for (const index of following) if (!leftBehind.has(index.name)) await index.catchUp(upstreamOf(view));
        return moved;
      });
    },
  };
}
