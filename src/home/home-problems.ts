// What is not as it should be in an open home, one sentence each: said in `status` and in every answer made from it.
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
