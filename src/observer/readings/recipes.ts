// The recipes that have read turns, and the choice among them.
import { AnnalsError } from '../../../log/index.ts';
import {
  chosenRecipe,
  LATEST,
  memoryKeys,
  type ObservationRow,
  rowPages,
  type SummaryRow,
  type ViewReader,
} from '../../../projections/index.ts';
import type { ObserverRecipes, RecipeChoice, RecipeUse } from '../../api/observer/readings.ts';
import type { Home } from '../../home/home.ts';
import { allRequests, type Request } from '../run/spending.ts';
import { RULES } from './turn-readings.ts';

/** The requests about turns, newest first. */
export async function turnRequests({ views }: Pick<Home, 'views'>): Promise<readonly Request[]> {
  const all = await allRequests(views.turns);
  return all.filter(({ asked }) => !asked.body.corpus);
}

export async function observerRecipes({ views }: Pick<Home, 'views'>): Promise<ObserverRecipes> {
  const requests = await turnRequests({ views });
  const speaking = await speakingIn(views.memory);
  const names = [...new Set(requests.map(({ asked }) => asked.body.recipe))];
  return {
    chosen: (await chosenRecipe(views.turns)) ?? RULES,
    recipes: names.map((recipe) => ({
      ...useOf(requests.filter(({ asked }) => asked.body.recipe === recipe)),
      ...{ recipe, speaks: speaking.get(recipe) ?? 0 },
    })),
    rulesSpeak: speaking.get(RULES) ?? 0,
  };
}

/** @param requests newest first */
function useOf(requests: readonly Request[]): Omit<RecipeUse, 'recipe' | 'speaks'> {
  const turns = new Set<string>();
  let [invalid, failed, usd, tokens] = [0, 0, 0, 0];
  for (const { asked, answer, ...cost } of requests) {
    usd += cost.usd ?? 0;
    tokens += cost.tokens;
    if (answer?.kind === 'failed') failed += 1;
    else if (answer?.kind === 'replied' && answer.reply.valid)
      turns.add(JSON.stringify([asked.agent, asked.session, asked.body.turn]));
    else if (answer?.kind === 'replied') invalid += 1;
  }
  const time = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
  return {
    ...{ turns: turns.size, invalid, failed, calls: requests.length, usd, tokens },
    ...{ first: time(requests.at(-1)?.at), last: time(requests[0]?.at) },
  };
}

/** For how many turns each recipe speaks. */
async function speakingIn(memory: ViewReader): Promise<ReadonlyMap<string, number>> {
  const recipes = new Map<string, string>();
  for (const prefix of [memoryKeys.summaries(), memoryKeys.observations()])
    for await (const page of rowPages<ObservationRow | SummaryRow>(memory, prefix))
      for (const [, { agent, session, turn, recipe }] of page) {
        const name = JSON.stringify([agent, session, turn]);
        recipes.set(name, recipe ?? recipes.get(name) ?? RULES);
      }
  const counts = new Map<string, number>();
  for (const recipe of recipes.values()) counts.set(recipe, (counts.get(recipe) ?? 0) + 1);
  return counts;
}

/**
 * The recipe of a name: the whole, or a part that only one has.
 * @throws AnnalsError NOT_FOUND, USAGE
 */
export function recipeNamed(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const found = known.filter((recipe) => recipe.includes(name));
  if (found.length === 1 && name.trim() !== '') return found[0]!;
  const hint = `Known: ${known.join(', ')}.`;
  if (found.length === 0) throw new AnnalsError('NOT_FOUND', `No recipe is called “${name}”.`, { hint });
  throw new AnnalsError('USAGE', `“${name}” fits ${found.length} recipes.`, {
    hint: `One of: ${found.join(', ')}.`,
  });
}

/**
 * Has memory speak from a recipe, from the newest reading of each turn (`latest`), or from the rules.
 * @throws AnnalsError NOT_FOUND, USAGE
 */
export async function chooseRecipe(name: string, home: Home): Promise<RecipeChoice> {
  await home.runner.catchUp();
  const before = (await chosenRecipe(home.views.turns)) ?? RULES;
  const known = (await turnRequests(home)).map(({ asked }) => asked.body.recipe);
  const recipe = recipeNamed(name, [LATEST, RULES, ...new Set(known)]);
  if (recipe === before) return { recipe, before, changed: false };
  const at = home.now();
  await home.log.append([
    {
      ...{ type: 'observer.chosen', agent: 'annals', session: null, channel: 'api', occurredAt: at },
      dedupeKey: `choice ${at} ${recipe}`,
      body: { recipe: recipe === RULES ? null : recipe },
    },
  ]);
  return { recipe, before, changed: true };
}
