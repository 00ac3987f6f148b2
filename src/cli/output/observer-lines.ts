// The observer in `annals status`: which model writes observations, what it costs, and why nothing is sent.
import type { ObserverState } from '../../api.ts';
import { dollars } from '../../terminal-text/dollars.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { withLocalTimes } from '../../terminal-text/time-text.ts';
import { counted } from './amount.ts';

/** The first line says who writes; the others, what a person can do. */
export function observerLines(state: ObserverState, name: string): readonly string[] {
  const { auto, provider, model, place, why, waiting, away, lastAnswer, lastDay, hold } = state;
  if (provider === null)
    return [auto === 'off' ? 'rules' : `rules, although observer.auto is ${auto}: ${plainLine(why ?? '')}`];
  const service = `${plainLine(model ?? '')} of ${provider} at ${plainLine(place ?? '')}`;
  const cost = lastDay.calls === 0 ? [] : [`${dollars(lastDay.usd)} in 24 hours${leftText(state)}`];
  if (auto === 'off')
    return [
      ['rules', ...cost].join('; '),
      `nothing is sent by itself; \`${name} config set observer.auto on\` has ${service} asked about each turn${limitText(state)}`,
    ];
  const awayText = away === 0 ? '' : `, ${away} in a batch`;
  const last = lastAnswer === null ? 'no answer in 24 hours' : `last answer ${withLocalTimes(lastAnswer)}`;
  return [
    [service, `${counted(waiting, 'request')} waiting${awayText}`, last, ...cost].join('; '),
    ...(auto === 'cheap' && provider !== 'anthropic'
      ? [`${provider} takes no batches: each turn is asked about alone`]
      : []),
    ...(hold === null ? [] : [withLocalTimes(plainLine(hold.sentence))]),
  ];
}

function leftText({ budget: { usdPerDay, left } }: ObserverState): string {
  return usdPerDay === null ? '' : `, ${dollars(left ?? 0)} of ${dollars(usdPerDay)} left`;
}

function limitText({ budget: { usdPerDay } }: ObserverState): string {
  return usdPerDay === null ? '' : `, at most ${dollars(usdPerDay)} a day`;
}
