// Small parts that several screens show: kinds, times, agents, projects.
import type { ForgetSelection } from '../api/types.ts';
import { fullTime, timeText } from './amounts.ts';
import { plainLine } from './plain.ts';
import { href } from './route.ts';
import { toolName } from './tool-text.ts';

const KIND_NAMES: Readonly<Record<string, string>> = {
  prompt: 'Prompt',
  answer: 'Answer',
  reply: 'Answer',
  stop: 'Answer',
  tool: 'Tool use',
  title: 'Title',
  memory: 'Memory',
  observation: 'Observation',
  summary: 'Summary',
  imported: 'Imported',
  session: 'Session',
  turn: 'Turn',
  event: 'Event',
};

export const kindName = (kind: string): string => KIND_NAMES[kind] ?? kind;

const EVENT_NAMES: Readonly<Record<string, string>> = {
  'session.started': 'Session began',
  'session.ended': 'Session ended',
  'session.continued': 'Went on elsewhere',
  'session.titled': 'Title',
  'prompt.submitted': 'Prompt',
  'tool.used': 'Tool use',
  'tool.unanswered': 'Tool use without a result',
  'agent.replied': 'Answer',
  'agent.stopped': 'End of a turn',
  'memory.saved': 'Saved',
  'memory.pinned': 'Pinned',
  'memory.edited': 'Edited',
  'memory.superseded': 'Superseded',
  'memory.proposed': 'Proposed',
  'memory.confirmed': 'Confirmed',
  'import.memory': 'Imported',
  'observer.replied': 'Reply of a model',
  'context.injected': 'Given to a session',
};

/** Of an event; its type where it has no name. */
export const eventName = (type: string): string => EVENT_NAMES[type] ?? type;

/** Of a turn, where only the word has room. */
export const UNFINISHED =
  'The agent was stopped in this turn, or still works on it: no end of it is recorded';

export function Kind({ kind, type }: { readonly kind: string; readonly type?: string | null }) {
  return (
    <span class={`kind kind-${kind}`}>
      {kind === 'tool' && type ? toolName(type) : kindName(kind)}
      {kind !== 'tool' && type ? <span class="type"> {plainLine(type)}</span> : null}
    </span>
  );
}

/** As a word too: a colour alone says nothing to some. */
export function ToolOutcome({ outcome }: { readonly outcome: string | null }) {
  if (outcome === 'ok') return <span class="outcome-ok">ok</span>;
  if (outcome === 'failed') return <span class="chip chip-bad">failed</span>;
  return <span class="chip">{plainLine(outcome ?? 'no outcome')}</span>;
}

export function Time({
  at,
  text = timeText,
}: {
  readonly at: string | null;
  readonly text?: (at: string) => string;
}) {
  if (at === null) return <span class="time">no time</span>;
  return (
    <time class="time" dateTime={at} title={fullTime(at)}>
      {text(at)}
    </time>
  );
}

export function ProjectLink({ name }: { readonly name: string }) {
  return (
    <a class="project" href={href('project', name)}>
      {plainLine(name)}
    </a>
  );
}

/** What shall be forgotten, in words. */
export function selectionText({ ids = [], session, project, query, before }: ForgetSelection): string {
  if (session !== undefined) return `The session ${plainLine(session)}, and what is reported of it later`;
  if (project !== undefined) return `The project ${plainLine(project)}`;
  if (query !== undefined) return `Everything that contains “${plainLine(query.trim())}”`;
  if (before !== undefined) return `Everything before ${plainLine(String(before))}`;
  return `The ${ids.length === 1 ? 'item' : 'items'} ${plainLine(ids.join(' '))}`;
}
