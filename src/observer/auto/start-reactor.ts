// Starts the reactor if the settings switch it on. Most homes have it off: then nothing of the observer is loaded.
import { settingsAt } from '../../config/read-settings.ts';
import type { Home } from '../../home/home.ts';
import type { ObserverReactor } from './observer-reactor.ts';

/** Null when it is off, without a model, or while nothing may be recorded. */
export async function startReactor(home: Home): Promise<ObserverReactor | null> {
  const { settings } = await settingsAt(home.paths.config, process.env);
  if (settings['observer.auto'] === 'off' || home.pausedBecause !== null) return null;
  const { modelOf } = await import('../observe-home.ts');
  const model = await modelOf(home);
  if ('why' in model) return null;
  const { ObserverReactor } = await import('./observer-reactor.ts');
  return new ObserverReactor(model, home, { together: settings['observer.auto'] === 'cheap' });
}
