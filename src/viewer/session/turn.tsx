// A turn: what was asked, what the agent did and answered, and what is remembered of it beside that.
import { useEffect, useMemo } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { ListedObservation, ListedSummary, ShownItem } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted, short } from '../ui/amounts.ts';
import { useInSight } from '../ui/in-sight.ts';
import { Kind, Time } from '../ui/labels.tsx';
import { Marks } from '../ui/marks.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Part } from './part.tsx';
import { groupsOf, partsOf, type TurnEntry, type TurnPart, usageOf } from './session-parts.ts';

/** Where the page scrolls to. */
export interface Target {
  readonly turn: string;
  readonly item: string | null;
}

export const turnElement = (id: string): string => `turn-${id}`;
/** A guess, so that the page is about as long as it will be, px. */
const HEIGHT_OF_TOOL = 34;
const HEIGHT_OF_TURN = 240;

interface Props {
  readonly entry: TurnEntry;
  readonly number: number;
  readonly isLast: boolean;
  /** Whether tool uses are shown in full. */
  readonly isOpen: boolean;
  readonly observations: readonly ListedObservation[];
  readonly summary: ListedSummary | null;
  readonly target: Target | null;
  /** What came later is not shown; null: all. Unix ms. */
  readonly moment: number | null;
  onTimes(turn: string, times: readonly number[]): void;
}

export function Turn(props: Props) {
  const { entry, number, isLast, isOpen, observations, summary, target, moment } = props;
  const isTarget = target?.turn === entry.id;
  const { element, wasSeen } = useInSight<HTMLElement>(isTarget);
  useEffect(() => {
    if (isTarget && target.item === null) element.current?.scrollIntoView();
  }, [isTarget, target, element]);
  const height = `${HEIGHT_OF_TURN + entry.toolUses * HEIGHT_OF_TOOL}px`;
  return (
    <section
      class="turn"
      id={turnElement(entry.id)}
      ref={element}
      aria-label={`Turn ${number}`}
      style={wasSeen ? {} : { minHeight: height }}
    >
      <div class="turn-head">
        <a class="turn-number" href={href('item', entry.id)} aria-label={`Turn ${number}`}>
          {number}
        </a>
        <Time at={entry.at} />
        {entry.toolUses > 0 && <span>{counted(entry.toolUses, 'tool use')}</span>}
        {entry.isInherited && <span>copied from another session</span>}
        {entry.isUnfinished && <span>{isLast ? 'no end is recorded so far' : 'no end is recorded'}</span>}
      </div>
      <div class="turn-body">
        <div class="turn-story">
          {wasSeen ? (
            <Parts
              entry={entry}
              isLast={isLast}
              isOpen={isOpen}
              target={target}
              moment={moment}
              onTimes={props.onTimes}
            />
          ) : (
            <p class="ask">{plainLine(entry.title)}</p>
          )}
        </div>
        <aside aria-label={`What is remembered of turn ${number}`}>
          {summary !== null && <Summary summary={summary} />}
          {observations.map((observation) => (
            <Observation key={observation.id} observation={observation} />
          ))}
        </aside>
      </div>
    </section>
  );
}

type PartsProps = Pick<Props, 'entry' | 'isLast' | 'isOpen' | 'target' | 'moment' | 'onTimes'>;

function Parts({ entry, isLast, isOpen, target, moment, onTimes }: PartsProps) {
  const turn = useData(entry.id, (signal) => get<ShownItem>(`/api/items/${entry.id}`, {}, signal), {
    ...(isLast ? { live: 300 } : {}),
  });
  const parts = useMemo(() => (turn.data === null ? [] : partsOf(turn.data).filter(hasText)), [turn.data]);
  useEffect(() => {
    onTimes(
      entry.id,
      parts.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)])),
    );
  }, [entry.id, parts, onTimes]);
  if (turn.data === null)
    return turn.error === null ? <Loading /> : <Failed error={turn.error} retry={turn.reload} />;
  const shown = parts.filter(({ at }) => moment === null || at === null || Date.parse(at) <= moment);
  const usage = usageOf(turn.data.details);
  return (
    <>
      {groupsOf(shown).map((group) =>
        group.kind === 'part' ? (
          <Part
            key={keyOf(group.part)}
            part={group.part}
            isOpen={isOpen}
            isTarget={target?.item != null && target.item === group.part.id}
          />
        ) : (
          <SubAgent key={group.agentId} parts={group.parts} isOpen={isOpen} target={target} />
        ),
      )}
      {usage !== null && moment === null && (
        <p class="turn-usage">
          {short(usage.output)} tokens written, {short(usage.input + usage.cacheCreation)} read,{' '}
          {short(usage.cacheRead)} read again
        </p>
      )}
    </>
  );
}

/** Thinking, and ends of turns that say no more, are left out. */
function hasText({ kind, id }: TurnPart): boolean {
  return id !== null || (kind !== 'reply' && kind !== 'stop');
}

const keyOf = ({ id, at, kind, text }: TurnPart): string => id ?? `${kind} ${at} ${text}`;

interface SubAgentProps {
  readonly parts: readonly TurnPart[];
  readonly isOpen: boolean;
  readonly target: Target | null;
}

function SubAgent({ parts, isOpen, target }: SubAgentProps) {
  const tools = parts.filter(({ kind }) => kind === 'tool').length;
  const isTarget = target?.item != null && parts.some(({ id }) => id === target.item);
  return (
    <details class="sub-agent" open={isTarget}>
      <summary>
        Sub-agent: {counted(tools, 'tool use')}, {counted(parts.length - tools, 'message')}
      </summary>
      {parts.map((part) => (
        <Part
          key={keyOf(part)}
          part={part}
          isOpen={isOpen}
          isTarget={target?.item != null && target.item === part.id}
        />
      ))}
    </details>
  );
}

function Summary({ summary }: { readonly summary: ListedSummary }) {
  const { id, completed, learned, nextSteps, marks } = summary;
  return (
    <div class="note">
      <a href={href('item', id)}>
        <Kind kind="summary" />
      </a>
      {marks !== undefined && <Marks marks={marks} />}
      {completed !== null && <p dir="auto">{plainLine(completed)}</p>}
      {learned !== null && <p dir="auto">{plainLine(learned)}</p>}
      {nextSteps.length > 0 && <p dir="auto">Next: {plainLine(nextSteps.join(' '))}</p>}
    </div>
  );
}

function Observation({ observation }: { readonly observation: ListedObservation }) {
  const { id, type, title, narrative, filesModified, marks } = observation;
  return (
    <div class="note">
      <a href={href('item', id)}>
        <Kind kind="observation" type={type} />
      </a>
      {marks !== undefined && <Marks marks={marks} />}
      <p class="strong" dir="auto">
        {plainLine(title)}
      </p>
      <p class="clamp" dir="auto">
        {plainLine(narrative)}
      </p>
      {filesModified.length > 0 && <p class="files">{plainLine(filesModified.slice(0, 5).join(', '))}</p>}
    </div>
  );
}
