// What the observer does at the moment, for `annals status`: counted from the views, so that it is the same with and without a
// worker.
import type { ObserverState } from '../api/observe.ts';
import { settingsAt } from '../config/read-settings.ts';
import type { Home } from '../home/home.ts';
import { modeNamed } from './mode/modes.ts';
import { AUTO_MS } from './policy/auto-window.ts';
import { DAY_MS, ofLastDay, usdOf } from './policy/budget.ts';
import type { Hold } from './policy/hold.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import { ownRequests } from './run/own-requests.ts';
import { requestsAway, requestsUntil, switchedBy } from './run/spending.ts';
import type { Waiting } from './run/waiting-turns.ts';

export async function observerState(home: Home): Promise<ObserverState> {
  const { settings } = await settingsAt(home.paths.config, process.env);
  const { 'observer.auto': auto, 'observer.usdPerDay': usdPerDay } = settings;
  const opened = chooseProvider(settings, process.env, home.paths.observer);
  if (!('why' in opened)) await opened.provider.close();
  const mode = await modeNamed(settings['observer.mode'], home.paths.modes);
  const choice = 'why' in mode && !('why' in opened) ? mode : opened;
  const since = home.now() - DAY_MS;
  const own = await ownRequests(await requestsUntil(since, home.views.turns), home.log);
  const lastDay = ofLastDay(own, home.now());
  const usd = usdOf(lastDay);
  const answers = lastDay.flatMap(({ answer }) => (answer?.kind === 'replied' ? [answer.at ?? 0] : []));
  return {
    auto,
    ...('why' in choice
      ? { provider: null, model: null, place: null, why: choice.why }
      : {
          provider: choice.provider.name,
          model: choice.provider.model,
          place: choice.provider.place,
          why: null,
        }),
    away: (await ownRequests([...(await requestsAway(home.views.turns)).values()].flat(), home.log)).length,
    lastAnswer: answers.length === 0 ? null : iso(Math.max(...answers)),
    lastDay: { usd, tokens: lastDay.reduce((sum, one) => sum + one.tokens, 0), calls: lastDay.length },
    budget: { usdPerDay, left: usdPerDay === null ? null : Math.max(0, usdPerDay - usd) },
    ...(auto === 'off' || 'why' in choice ? { waiting: 0, hold: null } : await waitingState(home)),
  };
}

/** What waits until the worker asks about it, and why that is not now. */
async function waitingState(home: Home): Promise<Pick<ObserverState, 'waiting' | 'hold'>> {
  const { modelOf } = await import('./observe-home.ts');
  const { ModelQuestions } = await import('./run/ask-model.ts');
  const { summariesSince, waitingHere } = await import('./run/waiting-turns.ts');
  const model = await modelOf(home);
  if ('why' in model) return { waiting: 0, hold: null };
  const questions = new ModelQuestions(model, home);
  const { retriedAt } = await switchedBy(home.views.turns);
  const queue = { recipe: questions.recipe, retriedAt };
  const waiting: Waiting[] = [];
  for (const summary of await summariesSince(home.now() - AUTO_MS, home)) {
    // Most turns are read, and say so.
    if (summary.recipe !== undefined && summary.parts === 1) continue;
    waiting.push(...(await waitingHere(summary, queue, home)));
  }
  const [first] = waiting;
  const priced = first === undefined ? null : await questions.priced(first);
  const hold =
    (await questions.hold()) ?? (priced === null ? null : await questions.budgetHold(first!, priced.worst));
  await model.provider.close();
  return { waiting: waiting.length, hold: hold === null ? null : shownHold(hold) };
}

function shownHold({ because, until, sentence }: Hold): ObserverState['hold'] {
  return { because, until: until === null ? null : iso(until), sentence };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
