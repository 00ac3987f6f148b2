// Opens the provider of the settings and asks it about the turns of a home.
import { Mutex } from '../../log/index.ts';
import type { ObserveOptions, ObserveReport } from '../api/observe.ts';
import { settingsAt } from '../config/read-settings.ts';
import type { Home } from '../home/home.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import { observe } from './run/observe.ts';

/** One run at a time: two would ask about the same turns, and each would see a budget that the other is spending. */
const running = new WeakMap<Home, Mutex>();

/** Without a provider nothing is asked, and the report says why. */
export function observeHome(options: ObserveOptions, home: Home): Promise<ObserveReport> {
  if (options.dryRun === true) return observeNow(options, home);
  const mutex = running.get(home) ?? new Mutex();
  running.set(home, mutex);
  return mutex.run(() => observeNow(options, home));
}

async function observeNow(options: ObserveOptions, home: Home): Promise<ObserveReport> {
  const { paths } = home;
  const { settings } = await settingsAt(paths.config, process.env);
  const choice = chooseProvider(settings, process.env, paths.observer);
  if ('why' in choice)
    return {
      ...{ recipe: null, provider: null, model: null, waiting: 0, asked: 0, read: 0, invalid: 0, failed: 0 },
      ...{ usd: 0, tokens: 0, problem: choice.why, requests: [] },
    };
  const { provider, prices } = choice;
  const budget = {
    usdPerDay: settings['observer.usdPerDay'],
    usdPerSession: settings['observer.usdPerSession'],
    usdPerCall: settings['observer.usdPerCall'],
    tokensPerDay: settings['observer.tokensPerDay'],
  };
  try {
    return await observe(options, { provider, prices, budget }, home);
  } finally {
    await provider.close();
  }
}
