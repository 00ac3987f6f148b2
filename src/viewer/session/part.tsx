// One part of a turn: a prompt, an answer, a tool use. Its whole text is read when it comes into sight, that of a tool
// use when it is opened.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TurnPart } from '../api/session-parts.ts';
import type { ListedObservation, ShownItem } from '../api/types.ts';
import { bytes, clockText } from '../ui/amounts.ts';
import { useRecorded } from '../ui/as-of.tsx';
import { holdInSight } from '../ui/hold-in-sight.ts';
import { useInSight } from '../ui/in-sight.ts';
import { Time, ToolOutcome } from '../ui/labels.tsx';
import { LongText } from '../ui/long-text.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { errorText, toolName, toolWhat } from '../ui/tool-text.ts';
import { ToolUse } from '../ui/tool-use.tsx';

interface Props {
  readonly part: TurnPart;
  readonly isOpen: boolean;
  readonly isTarget: boolean;
  /** What is remembered of it. */
  readonly observations: readonly ListedObservation[];
  /** The observation whose parts are marked. */
  readonly chosen: string | null;
  choose(observation: string): void;
}

export function Part(props: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (props.isTarget && element.current !== null) return holdInSight(element.current, 'center');
  }, [props.isTarget]);
  const { part, isTarget, observations, chosen, choose } = props;
  const { kind, id } = part;
  const isChosen = observations.some((one) => one.id === chosen);
  return (
    <div
      ref={element}
      id={id === null ? undefined : `item-${id}`}
      class={`part part-${kind}${isTarget ? ' is-target' : ''}${isChosen ? ' is-evidence' : ''}`}
    >
      {kind === 'tool' ? <ToolPart {...props} /> : <TextPart {...props} />}
      {observations.length > 0 && (
        <span class="remembered">
          {observations.map((one) => (
            <button
              key={one.id}
              type="button"
              title={plainLine(one.title)}
              aria-label={`Remembered: ${plainLine(one.title)}`}
              aria-pressed={one.id === chosen}
              onClick={() => choose(one.id)}
            />
          ))}
        </span>
      )}
    </div>
  );
}

const WHO = { prompt: 'Prompt', reply: 'Answer', stop: 'Answer', tool: 'Tool use' } as const;
/** A longer answer is folded: the page is a story, and the item has its whole text. */
const FOLDED_CHARS = 4_000;

function TextPart({ part, isTarget }: Props) {
  const { element, wasSeen } = useInSight<HTMLDivElement>(isTarget);
  const name = part.isCompaction ? 'Summary of what was said before' : WHO[part.kind];
  return (
    <div ref={element} class={part.kind === 'prompt' ? 'ask' : 'say'}>
      <p class="part-head">
        {part.id === null ? <span>{name}</span> : <a href={href('item', part.id)}>{name}</a>}
        <Time at={part.at} text={clockText} />
      </p>
      {part.id === null || !wasSeen ? <p>{plainLine(part.text)}</p> : <WholeText id={part.id} part={part} />}
    </div>
  );
}

function WholeText({ id, part }: { readonly id: string; readonly part: TurnPart }) {
  const item = useRecorded<ShownItem>(`/api/items/${id}`);
  const [isWhole, setWhole] = useState(false);
  if (item.data === null) return <p dir="auto">{plainLine(part.text)}</p>;
  const { text } = item.data;
  if (part.kind === 'prompt') return <LongText text={text} label="Prompt" />;
  if (isWhole || (!part.isCompaction && text.length <= FOLDED_CHARS)) return <Markdown text={text} />;
  return (
    <>
      <div class="folded">
        <Markdown text={text.slice(0, FOLDED_CHARS)} />
      </div>
      <button type="button" class="quiet" onClick={() => setWhole(true)}>
        Show all ({bytes(text.length)})
      </button>
    </>
  );
}

function ToolPart({ part, isOpen }: Props) {
  const [isOpened, setOpened] = useState(isOpen);
  useEffect(() => setOpened(isOpen), [isOpen]);
  const { name, title, outcome, error } = part.tool ?? {
    name: '',
    title: part.text,
    outcome: null,
    error: '',
  };
  return (
    <details open={isOpened} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>
        <span class="tool-name">{toolName(name)}</span>
        <span class="tool-what" dir="auto">
          {toolWhat({ name, title })}
        </span>
        {outcome === 'failed' && error !== '' && !isOpened && (
          <span class="outcome bad">{errorText(error)}</span>
        )}
        <ToolOutcome outcome={outcome} />
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
  const item = useRecorded<ShownItem>(`/api/items/${id}`);
  if (item.data === null) return item.error === null ? <Loading /> : <Failed error={item.error} />;
  return (
    <>
      <ToolUse item={item.data} isHeaded />
      <p class="row-meta">
        <a href={href('item', id)}>Open</a>
        <Time at={item.data.at} text={clockText} />
      </p>
    </>
  );
}
