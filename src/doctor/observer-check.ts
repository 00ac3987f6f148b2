// Whether a model can write observations as the settings say, and if not, what to do.
import type { Annals } from '../api.ts';
import type { Check } from './check.ts';

export function observerCheck(open: () => Promise<Pick<Annals, 'status'>>): Check {
  return {
    name: 'observer',
    async look() {
      const { auto, provider, model, place, why, hold } = (await (await open()).status()).observer;
      if (auto === 'off')
        return [{ state: 'ok', message: 'Rules write observations; no model is asked by itself.' }];
      if (provider === null)
        return [
          {
            state: 'warning',
            message: `Rules write observations: observer.auto is ${auto}, but there is no model. ${why}`,
            advice:
              'The worker has the environment in which it was started; annals config set observer.auto off',
          },
        ];
      if (hold === null)
        return [{ state: 'ok', message: `${model} of ${provider} at ${place} writes observations.` }];
      const isProblem = hold.because === 'auth' || hold.because === 'quota';
      return [
        {
          state: isProblem ? 'problem' : hold.because === 'paused' ? 'ok' : 'warning',
          message: `No model is asked at the moment. ${hold.sentence}`,
        },
      ];
    },
  };
}
