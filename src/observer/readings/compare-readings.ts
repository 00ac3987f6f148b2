// Compares what memory would say with one recipe and with another, turn by turn. It asks nobody.
import { isoTime } from '../../../log/index.ts';
import { chosenRecipe, observedWith, type SummaryRow } from '../../../projections/index.ts';
import type { CompareOptions, ReadingsDifference, TurnDifference } from '../../api/observer/readings.ts';
import type { Home } from '../../home/home.ts';
import { summariesOf } from '../run/waiting-turns.ts';
import { differencesOf } from './differences.ts';
import { recipeNamed, turnRequests } from './recipes.ts';
import {
  costOf,
  RULES,
  readingsIn,
  readingsOfTurn,
  recipesOf,
  recipeWithout,
  type TurnReadings,
} from './turn-readings.ts';

/** @throws AnnalsError NOT_FOUND, USAGE: no such recipe, project or time */
export async function compareReadings(options: CompareOptions, home: Home): Promise<ReadingsDifference> {
  const requests = await turnRequests(home);
  const known = [RULES, ...new Set(requests.map(({ asked }) => asked.body.recipe))];
  const after = recipeNamed(options.after, known);
  const before = options.before === undefined ? null : recipeNamed(options.before, known);
  const chosen = await chosenRecipe(home.views.turns);
  const turns: TurnDifference[] = [];
  const only = { onlyBefore: 0, onlyAfter: 0 };
  const sessions = new Set(requests.map(({ asked }) => nameOf(asked)));
  for (const summary of await summariesOf(options, home)) {
    if (!sessions.has(nameOf(summary))) continue;
    const read = await readingsOfTurn(summary, home.views);
    if (read === null || recipesOf(read).length === 0) continue;
    const one = before ?? recipeWithout(read, after, chosen);
    const difference = turnDifference(summary, read, [one, after]);
    if (difference !== null) turns.push(difference);
    else if (readingsIn(read, after) !== null) only.onlyAfter += 1;
    else if (readingsIn(read, one) !== null) only.onlyBefore += 1;
  }
  return { before, after, turns, ...only };
}

function nameOf({ agent, session }: Pick<SummaryRow, 'agent' | 'session'>): string {
  return JSON.stringify([agent, session]);
}

/** Null when one of the two has not read the turn. */
function turnDifference(
  { session, turn: id, at, request }: SummaryRow,
  read: TurnReadings,
  [before, after]: readonly [before: string, after: string],
): TurnDifference | null {
  const one = readingsIn(read, before);
  const other = readingsIn(read, after);
  if (one === null || other === null) return null;
  const { turn, items } = read;
  const rules = observedWith(turn, items, []);
  const firstIds = new Set(rules.observations.map((row) => row.id));
  return {
    ...{ session, turn: id, request, at: isoTime(at) },
    before: { recipe: before, usd: costOf(read, before) },
    after: { recipe: after, usd: costOf(read, after) },
    items: differencesOf(observedWith(turn, items, one), observedWith(turn, items, other), firstIds),
  };
}
