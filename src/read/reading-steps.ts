// Whose words an observation or a summary has, and which other readings of its turn there are, for `why`.
import type { LogEvent } from '../../log/index.ts';
import type { MemoryDocument, ViewReader } from '../../projections/index.ts';
import { costOf, RULES, readingsOfTurn, recipesOf } from '../observer/readings/turn-readings.ts';
import { dollars } from '../terminal-text/dollars.ts';

/** Nothing where no model has read the turn: rules need no mention. */
export async function readingSteps(
  { kind, agent, session, turn }: MemoryDocument,
  events: readonly LogEvent[],
  turns: ViewReader,
): Promise<string[]> {
  if ((kind !== 'observation' && kind !== 'summary') || session === null || turn === null) return [];
  const read = await readingsOfTurn({ agent, session, turn }, { turns });
  const recipes = read === null ? [] : recipesOf(read);
  if (read === null || recipes.length === 0) return [];
  const named = (recipe: string) => `${recipe} (${dollars(costOf(read, recipe))} for the turn)`;
  const reply = events.find((event) => event.type === 'observer.replied') as
    | LogEvent<'observer.replied'>
    | undefined;
  const speaks = reply?.body.recipe ?? RULES;
  const others = recipes.filter((recipe) => recipe !== speaks);
  return [
    reply === undefined
      ? 'its words are those of the rules'
      : `its words were written by a model: ${named(speaks)}, in event ${reply.id}; files, commands and outcomes come from the other events`,
    ...(others.length === 0
      ? []
      : [
          `other readings of this turn: ${others.map(named).join(', ')}; \`annals observe --compare\` shows how they differ`,
        ]),
  ];
}
