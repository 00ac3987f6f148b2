// While the settings cannot be read whole nobody knows which folders are to be left out, so nothing is kept. What hooks
// leave waits in the spool; what somebody asks for is refused.
import { AnnalsError } from '../../log/index.ts';
import type { Home } from './home.ts';

/** @throws AnnalsError INPUT_INVALID while nothing may be kept */
export function refuseIfPaused({ pausedBecause, paths }: Pick<Home, 'pausedBecause' | 'paths'>): void {
  if (pausedBecause === null) return;
  throw new AnnalsError(
    'INPUT_INVALID',
    `Nothing was stored: the settings file ${paths.config} ${pausedBecause}.`,
    {
      hint: 'It may name folders of which nothing is to be kept. Mend it, then try again.',
      facts: { path: paths.config },
    },
  );
}
