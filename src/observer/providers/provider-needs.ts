// Reports, when a person changes the settings of the observer's model, what leaves the machine and what is missing.
import type { Settings } from '../../config/settings.ts';
import { isThisMachine } from '../../platform/http.ts';
import { chooseProvider } from './choose-provider.ts';

/** Sentences for the person. */
export function checkProvider(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): readonly string[] {
  const choice = chooseProvider(settings, environment, folder);
  if ('why' in choice) return [`${choice.why} Rules write observations.`];
  const { provider, prices } = choice;
  const { name, model, place } = provider;
  const sentences = [
    settings['observer.auto'] === 'off'
      ? 'Nothing is sent until you call `annals observe`, or set observer.auto.'
      : 'The worker asks about turns of the last three days, and about each turn when it has ended.',
    name === 'claude-command'
      ? `Turns are given to the command ${place}, which sends them to its service, with the model ${model}.`
      : `Turns are sent to ${place}: prompts, tool uses and answers, with the model ${model}.${isThisMachine(place) ? ' That is this machine.' : ' Private turns are not, and secrets were redacted.'}`,
  ];
  if (settings['observer.auto'] === 'cheap' && provider.batches === undefined)
    sentences.push(`${name} takes no batches: each turn is asked about alone, at full price.`);
  if (settings['observer.url']?.startsWith('http:') && !isThisMachine(place))
    sentences.push('The address uses http: anyone on the network path can read the texts.');
  if (prices === null)
    sentences.push(
      `The price of ${model} is not known: a budget in dollars needs observer.inputPrice and observer.outputPrice.`,
    );
  return sentences;
}
