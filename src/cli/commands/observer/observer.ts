import { AnnalsError } from '../../../../log/index.ts';
import { defineCommand } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';

const ACTIONS: Readonly<
  Record<string, { readonly on: boolean; readonly retry: boolean; readonly said: string }>
> = {
  pause: { on: false, retry: false, said: 'The model is asked nothing until `annals observer resume`.' },
  resume: { on: true, retry: false, said: 'The model is asked again.' },
  retry: { on: true, retry: true, said: 'Earlier failures are forgotten; what was given up is asked again.' },
};

export const command = defineCommand<object>({
  description:
    'Pauses the model that writes observations, lets it go on, or has it try again what failed: after a key was changed or ' +
    'credit was added.',
  shape: (command) => command.addArgument(oneOf('<action>', 'pause, resume or retry', Object.keys(ACTIONS))),
  examples: [
    ['observer pause', 'spend nothing for now'],
    ['observer retry', 'after you changed the key'],
  ],
  async run({ terminal, world, annals, json }, _options, [action = '']) {
    const chosen = ACTIONS[action];
    if (chosen === undefined)
      throw new AnnalsError('USAGE', `“${action}” is no action.`, { hint: 'pause, resume or retry.' });
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
