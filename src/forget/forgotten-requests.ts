// What requests to a model cost stays counted when what they were about is forgotten: each is recorded again without it, as one
// that cost at most what it did cost.
import { isOwnEvent, type NewEvent } from '../../log/index.ts';
import { NO_SESSION } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';
import { requestsIn } from '../observer/run/spending.ts';

interface Gone {
  readonly id: string;
  readonly type: string;
  readonly agent: string;
  readonly session: string | null;
  readonly origin: string;
}

/** @param gone the events that go */
export async function requestsRecordedAgain(
  gone: readonly Gone[],
  { views, runner, log }: Pick<Home, 'views' | 'runner' | 'log'>,
): Promise<NewEvent<'observer.asked'>[]> {
  // What other machines asked, they count.
  const asked = gone.filter((event) => event.type === 'observer.asked' && isOwnEvent(event, log));
  if (asked.length > 0) await runner.catchUp();
  const ids = new Set(asked.map(({ id }) => id));
  const sessions = new Map(asked.map((one) => [JSON.stringify([one.agent, one.session]), one] as const));
  const again: NewEvent<'observer.asked'>[] = [];
  for (const { agent, session } of sessions.values())
    for (const { asked, usd, tokens } of await requestsIn(agent, session ?? NO_SESSION, views.turns)) {
      if (!ids.has(asked.event)) continue;
      const { recipe, provider, model, settings, attempt, boot, upMs } = asked.body;
      again.push({
        ...{ type: 'observer.asked', agent: 'annals', session: null, channel: 'api' },
        ...{ dedupeKey: `${asked.event} spent`, occurredAt: asked.at },
        body: {
          ...{ recipe, turn: '', part: 1, parts: 1, covers: [], attempt, provider, model, settings },
          ...{ worstUsd: usd, worstTokens: tokens, boot, upMs },
        },
      });
    }
  return again;
}
