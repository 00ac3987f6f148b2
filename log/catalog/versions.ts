// The newest version of every event type, separate from the schemas: reading needs only these numbers, and loading
// the schema library takes 60 of the 250 ms of a short command.
import type { CATALOG, EventType } from './index.ts';

export const VERSIONS: { readonly [T in EventType]: (typeof CATALOG)[T]['version'] } = {
  'session.started': 1,
  'session.ended': 1,
  'session.continued': 1,
  'session.titled': 1,
  'prompt.submitted': 1,
  'tool.used': 1,
  'tool.unanswered': 1,
  'agent.replied': 1,
  'agent.stopped': 1,
  'workdir.seen': 1,
  'memory.saved': 1,
  'memory.forgotten': 1,
  'memory.pinned': 1,
  'memory.edited': 1,
  'memory.superseded': 1,
  'memory.withdrawn': 1,
  'memory.proposed': 1,
  'memory.confirmed': 1,
  'import.memory': 1,
  'project.linked': 1,
  'vectors.computed': 1,
  'context.injected': 1,
  'observer.asked': 1,
  'observer.sent': 1,
  'observer.replied': 1,
  'observer.failed': 1,
  'observer.chosen': 1,
  'observer.switched': 1,
  'corpus.built': 1,
  'corpus.deleted': 1,
};

export const EVENT_TYPES = Object.keys(VERSIONS) as readonly EventType[];
