// Small parts that several screens show: kinds, times, agents, projects.
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
