// A turn may prove private after something of it was stored: the file of a hook's prompt came late, or only the
// transcript tells of the prompt. Then what was stored of it is forgotten by the machine itself.
import { type ItemRow, isItem, rowKeys, type TurnRow } from '../../../projections/index.ts';
import { randomBytes } from '../../platform/random.ts';
import type { Opened } from '../opened.ts';

export interface SessionName {
  readonly agent: string;
  readonly session: string;
}

/** Of sessions that hooks told of: a transcript's reader has seen all that stands before a line when it tells of it. */
export async function forgetPrivateTurns(sessions: readonly SessionName[], opened: Opened): Promise<void> {
  const { log, runner, views } = opened;
  const ids = new Set<string>();
  for (const { agent, session } of sessions) {
    if ((await log.cursor(`hooks/${agent}/${session}`)) === undefined) continue;
    await runner.catchUp();
    const found = await views.turns.range<TurnRow | ItemRow>(rowKeys.turns(agent, session));
    const rows = found.map(([, row]) => row);
    const hidden = new Set(rows.flatMap((row) => (!isItem(row) && row.private ? [row.id] : [])));
    for (const row of rows)
      if (isItem(row) && hidden.has(row.turn) && holdsWords(row)) ids.add(row.tellings[0]!.event);
  }
  if (ids.size === 0) return;
  const { forget } = await import('./index.ts');
  await forget({ ids: [...ids] }, {}, opened, randomBytes);
}

/** Of a private prompt nothing is kept but that it took place. */
function holdsWords(item: ItemRow): boolean {
  return item.kind !== 'prompt' || item.tellings.some(({ text }) => text !== undefined);
}
