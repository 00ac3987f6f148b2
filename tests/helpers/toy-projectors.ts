// Two small projectors for tests of the engine: `counts` folds the log into one row per session and one per prompt, and
// drops forgotten events; `titles` follows it and keeps an index from words to prompts.
import type { EventData, NewEvent } from '../../log/index.ts';
import {
  below,
  type Change,
  type DownstreamProjector,
  defineProjector,
  key,
  type LogProjector,
  type ViewWriter,
} from '../../projections/index.ts';

export interface SessionCount {
  readonly session: string;
  readonly prompts: number;
  readonly latest: number;
}

export interface PromptRow {
  readonly id: string;
  readonly title: string;
}

/** What one event reports of a prompt. */
interface Report {
  readonly event: string;
  readonly title: string;
  readonly at: number;
}

interface ReportedPrompt extends PromptRow {
  readonly reports: readonly Report[];
}

export const counts: LogProjector = defineProjector({
  name: 'counts',
  version: 1,
  changes: 'rows',
  follows: 'log',
  fold: async (events: readonly EventData[], view: ViewWriter) => {
    for (const event of events) {
      if (event.type === 'prompt.submitted' && event.session !== null) {
        const promptKey = key('prompt', event.session, event.dedupeKey);
        const known = await view.get<ReportedPrompt>(promptKey);
        const report = { event: event.id, title: event.body.text ?? '', at: event.occurredAt ?? 0 };
        const others = (known?.reports ?? []).filter((one) => one.event !== event.id);
        view.put(promptKey, rowOf(event.dedupeKey, [...others, report]));
        await count(event.session, view);
      } else if (event.type === 'memory.forgotten')
        for (const { session, ids } of event.body.events)
          if (session !== null) await forget(session, new Set(ids), view);
    }
  },
});

export const titles: DownstreamProjector = defineProjector({
  name: 'titles',
  version: 1,
  changes: 'keys',
  follows: 'counts',
  fold: async (changes: readonly Change[], view: ViewWriter) => {
    for (const { key: rowKey, before, after } of changes) {
      if (!rowKey.startsWith('prompt/')) continue;
      for (const word of words(before as PromptRow | null)) view.del(key('word', word, rowKey));
      for (const word of words(after as PromptRow | null)) view.put(key('word', word, rowKey), { word });
    }
  },
});

/** A new event for a prompt. */
export function prompt(
  session: string,
  dedupeKey: string,
  text: string,
  channel: 'hook' | 'transcript' = 'transcript',
): NewEvent {
  return {
    type: 'prompt.submitted',
    agent: 'claude-code',
    session,
    dedupeKey,
    channel,
    occurredAt: 1_700_000_000_000 + [...dedupeKey].reduce((sum, char) => sum + char.charCodeAt(0), 0),
    body: { text, via: channel === 'hook' ? 'hook' : 'line' },
  };
}

/** `count` prompts over a few sessions; every third is reported by two channels. */
export function prompts(count: number, sessions = 7): NewEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const session = `session-${index % sessions}`;
    const event = prompt(session, `fact-${index}`, `fix the ${index % 11} thing number ${index}`);
    return index % 3 === 0
      ? [event, prompt(session, `fact-${index}`, `fix the ${index % 11} thing`, 'hook')]
      : [event];
  }).flat();
}

function words(row: PromptRow | null): readonly string[] {
  return row === null ? [] : [...new Set(row.title.split(' '))].filter((word) => word !== '');
}

async function forget(session: string, ids: ReadonlySet<string>, view: ViewWriter): Promise<void> {
  for (const [promptKey, value] of await view.range(below('prompt', session))) {
    const { id, reports } = value as ReportedPrompt;
    const left = reports.filter(({ event }) => !ids.has(event));
    if (left.length === 0) view.del(promptKey);
    else if (left.length < reports.length) view.put(promptKey, rowOf(id, left));
  }
  await count(session, view);
}

async function count(session: string, view: ViewWriter): Promise<void> {
  const prompts = await view.range(below('prompt', session));
  const times = prompts.flatMap(([, value]) => (value as ReportedPrompt).reports.map(({ at }) => at));
  if (prompts.length === 0) view.del(key('session', session));
  else view.put(key('session', session), { session, prompts: prompts.length, latest: Math.max(...times) });
}

/** In the order of event ids, so that a row does not depend on the order of arrival; the longer text is kept. */
function rowOf(id: string, reports: readonly Report[]): ReportedPrompt {
  const sorted = [...reports].sort((one, other) => (one.event < other.event ? -1 : 1));
  const texts = sorted.map(({ title }) => title);
  texts.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  return { id, title: texts.at(-1)!, reports: sorted };
}
