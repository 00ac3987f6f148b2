// Requests to a model and their answers, as the projector gets them.
import type { LogEvent } from '../../../log/index.ts';
import { putReadings } from '../../../projections/observer/reading-rows.ts';
import type { MemoryView } from '../../helpers/memory-view.ts';

export const START = Date.UTC(2026, 10, 20);
export const id = (number: number) => String(number).padStart(32, '0');

function common(number: number, at: number) {
  const about = {
    recipe: 'r',
    turn: `t-${number}`,
    part: 1,
    parts: 1,
    attempt: 1,
    again: false,
    corpus: null,
  };
  return {
    ...{ agent: 'claude-code', session: `s-${number % 7}`, occurredAt: at },
    about: { ...about, covers: [id(1_000 + number)] },
  };
}

export function asked(number: number, batch: string | null = null) {
  const { about, ...event } = common(number, START + number);
  const body = { ...about, batch, provider: 'p', model: 'm', settings: 's', worstUsd: 1, worstTokens: 100 };
  return { ...event, id: id(number), type: 'observer.asked', body };
}

export function answered(
  number: number,
  kind: 'replied' | 'failed',
  { event = id(500 + number), class: failure = 'transient' } = {},
) {
  const { about, ...envelope } = common(number, START + 1_000 + number);
  const link = { ...about, asked: id(number), askedAt: START };
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
  const body =
    kind === 'replied'
      ? { ...link, text: '<skip_summary/>', form: 'tags', model: 'm', usage, usd: 0.1 }
      : { ...link, class: failure, reason: 'cut', retryAfterMs: null, mayCost: false };
  return { ...envelope, id: event, type: `observer.${kind}`, body };
}

const OTHERS: ReadonlySet<string> = new Set([id(45), id(46)]);

/** Of a machine that wrote everything but the events 45 and 46. */
export const LOG = {
  ...{ origin: 'this', logId: 'this' },
  getMany: async (ids: readonly string[]) =>
    ids.map((event) => ({ id: event, origin: OTHERS.has(event) ? 'another' : 'this' }) as LogEvent),
};

export function put(view: MemoryView, ...events: readonly object[]): Promise<void> {
  return putReadings(events as Parameters<typeof putReadings>[0], view);
}
