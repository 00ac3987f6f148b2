// The catalogue of events: every type with the schema of its newest version. Types are never renamed and
// never reused. If you change a body, bump its version (here and in versions.ts) and add an upcaster
// (log/format/upcast.ts). Code that only reads must not import this as a value: it loads the schema library.
// Bodies are loose: unknown fields of a known type are kept.
import type * as z from 'zod';
import {
  memoryConfirmed,
  memoryEdited,
  memoryPinned,
  memoryProposed,
  memorySuperseded,
  memoryWithdrawn,
} from './act-events.ts';
import { contextInjected } from './context-events.ts';
import { corpusBuilt, corpusDeleted } from './corpus-events.ts';
import { importMemory } from './import-events.ts';
import { memoryForgotten, memorySaved, projectLinked } from './memory-events.ts';
import {
  observerAsked,
  observerChosen,
  observerFailed,
  observerReplied,
  observerSent,
  observerSwitched,
} from './observer-events.ts';
import {
  agentStopped,
  sessionContinued,
  sessionEnded,
  sessionStarted,
  sessionTitled,
} from './session-events.ts';
import { agentReplied, promptSubmitted, toolUnanswered, toolUsed } from './turn-events.ts';
import { vectorsComputed } from './vector-events.ts';
import { workdirSeen } from './workdirs.ts';

export const CATALOG = {
  'session.started': { version: 1, body: sessionStarted },
  'session.ended': { version: 1, body: sessionEnded },
  'session.continued': { version: 1, body: sessionContinued },
  'session.titled': { version: 1, body: sessionTitled },
  'prompt.submitted': { version: 1, body: promptSubmitted },
  'tool.used': { version: 1, body: toolUsed },
  'tool.unanswered': { version: 1, body: toolUnanswered },
  'agent.replied': { version: 1, body: agentReplied },
  'agent.stopped': { version: 1, body: agentStopped },
  'workdir.seen': { version: 1, body: workdirSeen },
  'memory.saved': { version: 1, body: memorySaved },
  'memory.forgotten': { version: 1, body: memoryForgotten },
  'memory.pinned': { version: 1, body: memoryPinned },
  'memory.edited': { version: 1, body: memoryEdited },
  'memory.superseded': { version: 1, body: memorySuperseded },
  'memory.withdrawn': { version: 1, body: memoryWithdrawn },
  'memory.proposed': { version: 1, body: memoryProposed },
  'memory.confirmed': { version: 1, body: memoryConfirmed },
  'import.memory': { version: 1, body: importMemory },
  'project.linked': { version: 1, body: projectLinked },
  'vectors.computed': { version: 1, body: vectorsComputed },
  'context.injected': { version: 1, body: contextInjected },
  'observer.asked': { version: 1, body: observerAsked },
  'observer.sent': { version: 1, body: observerSent },
  'observer.replied': { version: 1, body: observerReplied },
  'observer.failed': { version: 1, body: observerFailed },
  'observer.chosen': { version: 1, body: observerChosen },
  'observer.switched': { version: 1, body: observerSwitched },
  'corpus.built': { version: 1, body: corpusBuilt },
  'corpus.deleted': { version: 1, body: corpusDeleted },
} as const;

export type EventType = keyof typeof CATALOG;
/** The body as written to and read from the log: every field present. */
export type BodyOf<T extends EventType> = z.output<(typeof CATALOG)[T]['body']>;
/** The body as a caller may pass it: fields with a default may be absent. */
export type BodyInput<T extends EventType> = z.input<(typeof CATALOG)[T]['body']>;

export type { ActedItem } from './act-events.ts';
export type { Json, Usage } from './body-fields.ts';
export type { ForgottenPrompt } from './memory-events.ts';
