// One part of a turn: a prompt, an answer, a tool use. Its whole text is read when it comes into sight, that of a tool
// use when it is opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { ShownItem } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { clockText } from '../ui/amounts.ts';
import { useInSight } from '../ui/in-sight.ts';
import { Time } from '../ui/labels.tsx';
import { LongText } from '../ui/long-text.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { toolName } from '../ui/tool-text.ts';
import { ToolUse } from '../ui/tool-use.tsx';
import type { TurnPart } from './session-parts.ts';

interface Props {
  readonly part: TurnPart;
  readonly isOpen: boolean;
  readonly isTarget: boolean;
}

export function Part(props: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (props.isTarget) element.current?.scrollIntoView({ block: 'center' });
  }, [props.isTarget]);
  const { kind, id } = props.part;
  return (
    <div
      ref={element}
      id={id === null ? undefined : `item-${id}`}
      class={`part part-${kind}${props.isTarget ? ' is-target' : ''}`}
    >
      {kind === 'tool' ? <ToolPart {...props} /> : <TextPart {...props} />}
    </div>
  );
}

const WHO = { prompt: 'Prompt', reply: 'Answer', stop: 'Answer', tool: 'Tool use' } as const;

function TextPart({ part, isTarget }: Props) {
  const { element, wasSeen } = useInSight<HTMLDivElement>(isTarget);
  return (
    <div ref={element} class={part.kind === 'prompt' ? 'ask' : 'say'}>
      <p class="part-head">
        {part.id === null ? (
          <span>{WHO[part.kind]}</span>
        ) : (
          <a href={href('item', part.id)}>{WHO[part.kind]}</a>
        )}
        <Time at={part.at} text={clockText} />
      </p>
      {part.id === null || !wasSeen ? <p>{plainLine(part.text)}</p> : <WholeText id={part.id} part={part} />}
    </div>
  );
}

function WholeText({ id, part }: { readonly id: string; readonly part: TurnPart }) {
  const item = useData(id, (signal) => get<ShownItem>(`/api/items/${id}`, {}, signal));
  if (item.data === null) return <p dir="auto">{plainLine(part.text)}</p>;
  if (part.kind === 'prompt') return <LongText text={item.data.text} label="Prompt" />;
  return <Markdown text={item.data.text} />;
}

function ToolPart({ part, isOpen }: Props) {
  const [isOpened, setOpened] = useState(isOpen);
  useEffect(() => setOpened(isOpen), [isOpen]);
  const { name, what, outcome } = toolLine(part.text);
  return (
    <details open={isOpened} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>
        <span class="tool-name">{toolName(name)}</span>
        <span class="tool-what" dir="auto">
          {what}
        </span>
        <span class={/^ok/.test(outcome) ? 'outcome' : 'outcome bad'}>
          {/^ok/.test(outcome) ? '' : outcome}
        </span>
      </summary>
      {isOpened && part.id !== null && <WholeTool id={part.id} />}
    </details>
  );
}

function WholeTool({ id }: { readonly id: string }) {
  const { element, wasSeen } = useInSight<HTMLDivElement>();
  return <div ref={element}>{wasSeen ? <ReadTool id={id} /> : null}</div>;
}

function ReadTool({ id }: { readonly id: string }) {
  const item = useData(id, (signal) => get<ShownItem>(`/api/items/${id}`, {}, signal));
  if (item.data === null) return item.error === null ? <Loading /> : <Failed error={item.error} />;
  return (
    <>
      <ToolUse item={item.data} />
      <p class="row-meta">
        <a href={href('item', id)}>Open</a>
        <Time at={item.data.at} text={clockText} />
      </p>
    </>
  );
}

/** `Edit src/chute.ts → failed: no such text`, as the API words it. */
function toolLine(text: string) {
  const line = plainLine(text);
  const arrow = line.lastIndexOf(' → ');
  const [head, outcome] = arrow < 0 ? [line, 'ok'] : [line.slice(0, arrow), line.slice(arrow + 3)];
  const space = head.indexOf(' ');
  return {
    name: space < 0 ? head : head.slice(0, space),
    what: space < 0 ? '' : head.slice(space + 1),
    outcome,
  };
}
