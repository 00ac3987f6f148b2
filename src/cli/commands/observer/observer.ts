import { AnnalsError } from '../../../../log/index.ts';
import { dollars } from '../../../terminal-text/dollars.ts';
import { plainLine } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { counted } from '../../output/amount.ts';

const ACTIONS: Readonly<
  Record<string, { readonly on: boolean; readonly retry: boolean; readonly said: string }>
> = {
  pause: { on: false, retry: false, said: 'The model is asked nothing until `annals observer resume`.' },
  resume: { on: true, retry: false, said: 'The model is asked again.' },
  retry: { on: true, retry: true, said: 'Earlier failures are forgotten; what was given up is asked again.' },
};

const RECIPES = 'recipes';

export const command = defineCommand<object>({
  description:
    'Pauses the model that writes observations, lets it go on, or has it try again what failed: after a key was changed or ' +
    'credit was added. `recipes` lists what has read turns: how many, at what cost, and for how many it speaks.',
  shape: (command) =>
    command.addArgument(
      oneOf('<action>', 'pause, resume, retry or recipes', [...Object.keys(ACTIONS), RECIPES]),
    ),
  examples: [
    ['observer pause', 'spend nothing for now'],
    ['observer retry', 'after you changed the key'],
    ['observer recipes', 'which models and modes have read what'],
  ],
  async run(session, _options, [action = '']) {
    if (action === RECIPES) return listRecipes(session);
    const { terminal, world, annals, json } = session;
    const chosen = ACTIONS[action];
    if (chosen === undefined)
      throw new AnnalsError('USAGE', `“${action}” is no action.`, {
        hint: 'pause, resume, retry or recipes.',
      });
    const { on, retry, said } = chosen;
    await (await annals()).append([
      {
        ...{
          type: 'observer.switched',
          agent: 'annals',
          session: null,
          channel: 'cli',
          occurredAt: world.now(),
        },
        ...{ dedupeKey: `switch ${world.now()} ${action}`, body: { on, retry } },
      },
    ]);
    if (json) return terminal.json({ on, retry });
    await terminal.line(said);
  },
});

async function listRecipes({ terminal, annals, json }: Session): Promise<void> {
  const answer = await (await annals()).observerRecipes();
  if (json) return terminal.json(answer);
  const { chosen, recipes, rulesSpeak } = answer;
  const { style } = terminal;
  for (const { recipe, turns, invalid, failed, usd, speaks, last } of recipes) {
    const others = [
      ...(invalid > 0 ? [`${counted(invalid, 'answer')} not readable`] : []),
      ...(failed > 0 ? [`${counted(failed, 'request')} failed`] : []),
      `last used ${last?.slice(0, 10) ?? 'at an unknown time'}`,
    ];
    await terminal.line(`${recipe === chosen ? '*' : ' '} ${style.bold(plainLine(recipe))}`);
    await terminal.line(
      `    ${counted(turns, 'turn')} read for ${dollars(usd)}, speaks for ${speaks}; ${others.join(', ')}`,
    );
  }
  await terminal.line(
    `${chosen === 'rules' ? '*' : ' '} ${style.bold('rules')}  speak for ${counted(rulesSpeak, 'turn')}`,
  );
  if (chosen === 'latest') await terminal.line('* latest: the newest reading of each turn speaks.');
}
