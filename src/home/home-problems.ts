// The problems of an open home, one sentence each. `status` and every answer made from the home report them.
import type { Home } from './home.ts';

export function problemsOf({
  log,
  runner,
  settingsDegraded,
  unfinished,
}: Pick<Home, 'log' | 'runner' | 'settingsDegraded' | 'unfinished'>): string[] {
  return [
    ...settingsDegraded,
    ...unfinished,
    ...log.damage.map(({ message }) => message),
    ...runner.problems.map(({ message }) => message),
  ];
}
