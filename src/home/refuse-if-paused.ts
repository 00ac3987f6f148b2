// While the settings cannot be fully read, the excluded folders are unknown, so nothing is recorded. Hook files wait in
// the spool, and calls that write are refused.
import { AnnalsError } from '../../log/index.ts';
import type { Home } from './home.ts';

/** @throws AnnalsError INPUT_INVALID while recording is paused */
export function refuseIfPaused({ pausedBecause, paths }: Pick<Home, 'pausedBecause' | 'paths'>): void {
  if (pausedBecause === null) return;
  throw new AnnalsError('INPUT_INVALID', `Nothing was stored: ${pausedBecause}.`, {
    hint: `Folders may be excluded from being recorded. Correct ${paths.config} or the variable, then try again.`,
    facts: { path: paths.config },
  });
}
