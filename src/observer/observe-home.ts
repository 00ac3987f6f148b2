// Opens the provider of the settings and asks it about the turns of a home.
import type { ObserveOptions, ObserveReport } from '../api/observe.ts';
import { settingsAt } from '../config/read-settings.ts';
import type { Home } from '../home/home.ts';
import { oneAtATime } from '../home/one-at-a-time.ts';
import { modeNamed } from './mode/modes.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import { ModelQuestions, type ObserverModel } from './run/ask-model.ts';
import { collectBatches } from './run/batch-questions.ts';
import { observe } from './run/observe.ts';

/** One at a time: two would ask about the same turns, and each would see a budget that the other is spending. */
export const askingAlone = oneAtATime();

/** Without a provider or a mode nothing is asked, and the report says why. */
export function observeHome(options: ObserveOptions, home: Home): Promise<ObserveReport> {
  if (options.dryRun !== undefined && options.dryRun !== false) return observeNow(options, home);
  return askingAlone(home, () => observeNow(options, home));
}

async function observeNow(options: ObserveOptions, home: Home): Promise<ObserveReport> {
  const model = await modelOf(home, options);
  if ('why' in model)
    return {
      ...{ recipe: null, provider: null, model: null, waiting: 0, asked: 0, read: 0, invalid: 0, failed: 0 },
      ...{
        usd: 0,
        tokens: 0,
        problem: model.why,
        refused: 0,
        worstUsd: null,
        expectedUsd: null,
        requests: [],
      },
    };
  try {
    if (options.dryRun === undefined || options.dryRun === false)
      await collectFinished(model, home, options.signal);
    return await observe(options, model, home);
  } finally {
    await model.provider.close();
  }
}

/** What came back of batches that the worker sent. */
async function collectFinished(model: ObserverModel, home: Home, signal?: AbortSignal): Promise<void> {
  const { batches } = model.provider;
  if (batches === undefined) return;
  const questions = new ModelQuestions(model, home);
  await collectBatches(questions, batches, home, signal ?? new AbortController().signal);
}

/** Of the settings and the environment; the caller closes the provider. @param wanted in place of those of the settings */
export async function modelOf(
  { paths, log }: Pick<Home, 'paths' | 'log'>,
  wanted: Pick<ObserveOptions, 'model' | 'mode'> = {},
): Promise<ObserverModel | { readonly why: string }> {
  const { settings } = await settingsAt(paths.config, process.env);
  const mode = await modeNamed(wanted.mode ?? settings['observer.mode'], paths.modes);
  if ('why' in mode) return mode;
  const choice = chooseProvider(settings, process.env, paths.observer, wanted.model);
  if ('why' in choice) return choice;
  const { provider, prices, mark } = choice;
  const budget = {
    usdPerDay: settings['observer.usdPerDay'],
    usdPerSession: settings['observer.usdPerSession'],
    usdPerCall: settings['observer.usdPerCall'],
    tokensPerDay: settings['observer.tokensPerDay'],
  };
  return { provider, prices, budget, mode, settings: mark(log.head().logId) };
}
