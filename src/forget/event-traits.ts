// What forgetting has to know about each event type. A type without a line does not compile.
import type { EventType } from '../../log/index.ts';

interface EventTraits {
  /** How a plan names an event of this type. */
  readonly label: string;
  /** Whether the body holds text of a person or an agent, from which copies are recognised. Names of folders are none. */
  readonly hasContent: boolean;
  /** Whether a query searches the body. Ids and vectors hold letters but no words. */
  readonly isSearched: boolean;
  /** Whether it describes a state, not something that happened: `forget --before` keeps it. */
  readonly isState: boolean;
}

const content = (label: string): EventTraits => ({
  label,
  hasContent: true,
  isSearched: true,
  isState: false,
});
const workdir: EventTraits = { label: 'workdir', hasContent: false, isSearched: true, isState: true };

const decision: EventTraits = { label: 'decision', hasContent: false, isSearched: false, isState: true };

const EVENT_TRAITS: Readonly<Record<EventType, EventTraits>> = {
  'session.started': content('session record'),
  'session.ended': content('session record'),
  'session.continued': content('session record'),
  'session.titled': content('title'),
  'prompt.submitted': content('prompt'),
  'tool.used': content('tool use'),
  'tool.unanswered': content('tool use'),
  'agent.replied': content('answer'),
  'agent.stopped': content('answer'),
  'workdir.seen': workdir,
  'project.linked': workdir,
  'memory.saved': content('memory'),
  'import.memory': content('imported memory'),
  'memory.pinned': content('pin'),
  'memory.edited': content('edit'),
  'memory.superseded': content('supersession'),
  'memory.proposed': content('proposal'),
  'memory.withdrawn': decision,
  'memory.confirmed': decision,
  'memory.forgotten': { label: 'forgetting', hasContent: false, isSearched: false, isState: true },
  'context.injected': { label: 'injection', hasContent: false, isSearched: true, isState: false },
  'observer.asked': { label: 'request to a model', hasContent: false, isSearched: false, isState: false },
  'observer.replied': content('reply of a model'),
  'observer.sent': { label: 'batch of requests', hasContent: false, isSearched: false, isState: false },
  'observer.failed': { label: 'failed request', hasContent: false, isSearched: false, isState: false },
  'observer.chosen': decision,
  'observer.switched': decision,
  'corpus.built': { ...content('corpus'), isState: true },
  'corpus.deleted': decision,
  'vectors.computed': { label: 'vector set', hasContent: false, isSearched: false, isState: true },
};

export function traitsOf({ type }: { readonly type: EventType }): EventTraits {
  return EVENT_TRAITS[type];
}
