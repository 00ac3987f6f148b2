// What a person did to an item, step by step, for `why`.
import type { LogEvent } from '../../log/index.ts';
import { actKeys, type ViewReader, type WithdrawalRow } from '../../projections/index.ts';

/** One sentence for each act, in the order of the events. */
export async function actSteps(events: readonly LogEvent[], turns: ViewReader): Promise<string[]> {
  const steps: string[] = [];
  for (const event of events) {
    const step = stepOf(event);
    if (step === null) continue;
    const key = actKeys.withdrawalsOf(event.session, event.id);
    const [taken] = await turns.range<WithdrawalRow>(key, { limit: 1 });
    const back = taken === undefined ? '' : `, and took that back${when(taken[1].at)}`;
    steps.push(`a person ${step.did}${when(event.occurredAt)}${back}${step.more}`);
  }
  return steps;
}

function stepOf(event: LogEvent): { readonly did: string; readonly more: string } | null {
  switch (event.type) {
    case 'memory.pinned':
      return { did: 'pinned it', more: '' };
    case 'memory.edited': {
      const { item, title, text } = event.body;
      return { did: 'edited it', more: `: “${item.title}: ${item.text}” became “${title}: ${text}”` };
    }
    case 'memory.superseded': {
      const { by } = event.body;
      return { did: 'superseded it', more: by === null ? '' : `: “${by.title}” (${by.id}) holds instead` };
    }
    default:
      return null;
  }
}

function when(at: number | null): string {
  return at === null ? '' : ` at ${new Date(at).toISOString()}`;
}
