// The evidence for the owner of shared lines depends only on a session's items and its shared lines, in whatever steps they
// were added, removed and shared.
import { expect, test } from 'vitest';
import type { SessionItem } from '../../projections/sessions/session-item.ts';
import type { CopyRow } from '../../projections/sessions/session-rows.ts';
import { SharedEvidence } from '../../projections/sessions/shared-evidence.ts';
import { chance } from '../helpers/chance.ts';

const RUNS = Number(process.env.ANNALS_TEST_LIVES ?? 300);
const STEPS = 40;

test('the evidence is the same in steps as of all items at once', () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const { below } = chance(seed);
    const items = new Map<string, SessionItem>();
    const shared = new Map<string, CopyRow>();
    const live = new SharedEvidence();
    const remove = (id: string): void => {
      const item = items.get(id);
      if (item === undefined) return;
      items.delete(id);
      live.noteRemoved(item);
    };
    for (let step = 0; step < STEPS; step++) {
      for (let count = below(3); count >= 0; count--) {
        const place = below(4) === 0 ? below(STEPS) : step;
        const id = `item-${place}`;
        remove(id);
        if (below(5) === 0) continue;
        const at = below(10) === 0 ? null : place * 1_000 + below(3_000);
        const item = {
          id,
          at,
          thread: below(5) === 0 ? 'sub-1' : '',
          copyKeys: [`line-${place}`],
          heads: [
            {
              channel: below(6) === 0 ? 'hook' : 'transcript',
              at: at ?? undefined,
              offset: below(6) === 0 ? undefined : place * 10 + below(30),
              requestSession: below(12) === 0 ? 's-2' : undefined,
            },
          ],
        } as unknown as SessionItem;
        items.set(id, item);
        live.noteAdded(item);
      }
      if (below(step < 8 ? 2 : 15) === 0) {
        const line = `line-${below(step + 1)}`;
        if (below(4) === 0) shared.delete(line);
        else {
          const sessions = ['s-2', 's-3'].slice(0, 1 + below(2));
          shared.set(line, [[0, 's-1'], ...sessions.map((session) => [0, session] as const)]);
        }
        live.noteSharedLines();
      }
      const row = live.row(items, 's-1', shared);
      expect(row, `seed ${seed}, step ${step}`).toEqual(new SharedEvidence().row(items, 's-1', shared));
    }
  }
});
