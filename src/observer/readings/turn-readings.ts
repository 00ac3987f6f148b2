// What models read of one turn.
import {
  type AnsweredRow,
  countedReadings,
  type ItemRow,
  isItemRow,
  type Reading,
  type RepliedRow,
  readingKeys,
  readingsBy,
  type SummaryRow,
  sessionKeys,
  type TurnRow,
} from '../../../projections/index.ts';
import type { Home } from '../../home/home.ts';
import { type Request, requestsNamed } from '../run/spending.ts';

/** The name of what the rules wrote, among recipes. */
export const RULES = 'rules';

export interface TurnReadings {
  readonly turn: TurnRow;
  readonly items: readonly ItemRow[];
  readonly replies: readonly RepliedRow[];
  readonly requests: readonly Request[];
}

/** Null when the turn is gone. */
export async function readingsOfTurn(
  { agent, session, turn: id }: Pick<SummaryRow, 'agent' | 'session' | 'turn'>,
  { turns }: Pick<Home['views'], 'turns'>,
): Promise<TurnReadings | null> {
  const turn = await turns.get<TurnRow>(sessionKeys.turn(agent, session, id));
  if (turn === undefined) return null;
  const rows = await turns.range<ItemRow | TurnRow>(sessionKeys.itemsOfTurn(agent, session, id));
  const items = rows.map(([, row]) => row).filter(isItemRow);
  const naming = items.filter(({ kind }) => kind === 'prompt' || turn.prompt === null);
  const events = naming.flatMap(({ reports }) => reports.map(({ event }) => event));
  const replies: RepliedRow[] = [];
  for (const event of events)
    for (const [, row] of await turns.range<AnsweredRow>(readingKeys.answeredAbout(agent, session, event)))
      if (row.kind === 'replied') replies.push(row);
  return { turn, items, replies, requests: await requestsNamed(agent, session, events, turns) };
}

/** The recipes that have read a turn, the one of the newest reading first. */
export function recipesOf({ replies }: TurnReadings): string[] {
  const read = replies.filter(({ reply }) => reply.valid).sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  return [...new Set(read.map(({ body }) => body.recipe))];
}

/** Null when the recipe has not read the turn; rules have read every one. */
export function readingsIn({ replies }: TurnReadings, recipe: string): readonly Reading[] | null {
  if (recipe === RULES) return [];
  const readings = readingsBy(recipe, replies);
  return readings.length === 0 ? null : readings;
}

/** What would speak for the turn if `other` had not read it. @param chosen as `chosenRecipe` answers */
export function recipeWithout({ replies }: TurnReadings, other: string, chosen: string | null): string {
  const rest = replies.filter(({ body }) => body.recipe !== other);
  return countedReadings(rest, chosen)[0]?.recipe ?? RULES;
}

export function costOf({ requests }: TurnReadings, recipe: string): number {
  const own = requests.filter(({ asked }) => asked.body.recipe === recipe);
  return own.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}
