// Finds the readings of a turn, and the turn of a reading. A reading names events, which never change; the turn that they are
// in may be another one when more is known.
import type { Change, ViewReader } from '../engine/contract/projector.ts';
import { keyParts } from '../engine/store/row-keys.ts';
import { type AnsweredRow, chosenRecipe, type RepliedRow, readingKeys } from '../observer/reading-rows.ts';
import { type ItemRow, isItemRow, sessionKeys, type TurnRow } from '../sessions/session-rows.ts';
import { countedReadings, type Reading } from './with-readings.ts';

/** @param events that may be the first one of a reading */
export type ReadingsOf = (
  turn: Pick<TurnRow, 'agent' | 'session'>,
  events: Iterable<string>,
) => Promise<readonly Reading[]>;

/** Most logs have no readings: then nothing is looked up. */
export async function openReadings(turns: ViewReader): Promise<ReadingsOf> {
  const any = await turns.range(readingKeys.allAnswered(), { limit: 1 });
  if (any.length === 0) return async () => [];
  const chosen = await chosenRecipe(turns);
  return async ({ agent, session }, events) => {
    const rows: RepliedRow[] = [];
    for (const event of events)
      for (const [, row] of await turns.range<AnsweredRow>(readingKeys.answeredAbout(agent, session, event)))
        if (row.kind === 'replied') rows.push(row);
    return countedReadings(rows, chosen);
  };
}

/** The rows of turns whose readings a page changes, as if they had changed. */
export async function turnsRead(changes: readonly Change[], turns: ViewReader): Promise<readonly Change[]> {
  const all = readingKeys.allAnswered();
  const isChosen = changes.some(({ key }) => key.startsWith(readingKeys.choices()));
  const keys = isChosen
    ? (await turns.range(all)).map(([key]) => key)
    : changes.flatMap(({ key }) => (key.startsWith(all) ? [key] : []));
  const rows = keys.length === 0 ? [] : await turns.getMany<AnsweredRow>(keys);
  const found: Change[] = [];
  for (const [index, rowKey] of keys.entries()) {
    const [, agent, session, event] = keyParts(rowKey) as [string, string, string, string];
    const turn = await turnWith(event, { agent, session, hint: rows[index]?.body.turn }, turns);
    if (turn === null) continue;
    const key = sessionKeys.turn(agent, session, turn);
    found.push({ key, before: null, after: (await turns.get<TurnRow>(key)) ?? null });
  }
  return found;
}

/** The turn that has an event: mostly that in which it was when the model was asked. */
async function turnWith(
  event: string,
  { agent, session, hint }: { agent: string; session: string; hint: string | undefined },
  turns: ViewReader,
): Promise<string | null> {
  const prefixes = [
    ...(hint === undefined ? [] : [sessionKeys.itemsOfTurn(agent, session, hint)]),
    sessionKeys.turns(agent, session),
  ];
  for (const prefix of prefixes)
    for (const [, row] of await turns.range<TurnRow | ItemRow>(prefix))
      if (isItemRow(row) && row.reports.some((report) => report.event === event)) return row.turn;
  return null;
}
