// Two views that cost little: `counts` folds prompts into a row each and one per session, and lets go of what is
// forgotten; `titles` follows it.
import type { Fact } from '../../log/index.ts';
import {
  below,
  defineProjector,
  type FirstProjector,
  key,
  type ViewWriter,
} from '../../projections/index.ts';
import type { PromptRow } from '../helpers/toy-projectors.ts';

/** What one event says of a prompt. */
interface Report {
  readonly event: string;
  readonly title: string;
  readonly at: number;
}

interface ReportedPrompt extends PromptRow {
  readonly reports: readonly Report[];
}

export const counts: FirstProjector = defineProjector({
  name: 'counts',
  version: 1,
  feed: 'rows',
  follows: 'log',
  fold: async (facts: readonly Fact[], view: ViewWriter) => {
    for (const fact of facts) {
      if (fact.type === 'prompt.submitted' && fact.session !== null) {
        const promptKey = key('prompt', fact.session, fact.fact);
        const known = await view.get<ReportedPrompt>(promptKey);
        const report = { event: fact.id, title: fact.body.text ?? '', at: fact.occurredAt ?? 0 };
        view.put(promptKey, rowOf(fact.fact, [...(known?.reports ?? []), report]));
        await count(fact.session, view);
      } else if (fact.type === 'memory.forgotten')
        for (const { session, ids } of fact.body.events)
          if (session !== null) await forget(session, new Set(ids), view);
    }
  },
});

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

/** In the order of event ids, so that a row does not depend on who came first; the longer text is the fuller one. */
function rowOf(id: string, reports: readonly Report[]): ReportedPrompt {
  const sorted = [...reports].sort((one, other) => (one.event < other.event ? -1 : 1));
  const texts = sorted.map(({ title }) => title);
  texts.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  return { id, title: texts.at(-1)!, reports: sorted };
}
