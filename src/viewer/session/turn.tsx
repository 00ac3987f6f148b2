// A turn: what was asked, what the agent did and answered, and what is remembered of it beside that.
import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  type Group,
  groupsOf,
  partsIn,
  partsOf,
  type TurnEntry,
  type TurnPart,
  usageOf,
} from '../api/session-parts.ts';
import type { ListedObservation, ListedSummary, ShownItem } from '../api/types.ts';
import { counted, short } from '../ui/amounts.ts';
import { eventsOf, useRecorded } from '../ui/as-of.tsx';
import { holdInSight } from '../ui/hold-in-sight.ts';
import { useInSight } from '../ui/in-sight.ts';
import { Kind, Time, UNFINISHED } from '../ui/labels.tsx';
import { Marks } from '../ui/marks.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Part } from './part.tsx';

/** Where the page scrolls to. */
export interface Target {
  readonly turn: string;
  /** A part of the turn; null: to its beginning. */
  readonly item: string | null;
  /** Whose parts are marked. */
  readonly observation: string | null;
}

export const turnElement = (id: string): string => `turn-${id}`;
/** A tool use is to be seen soon after the agent reported it. */
const LIVE_MS = 80;
/** A guess, so that the page is about as long as it will be, px. */
const HEIGHT_OF_TOOL = 34;
const HEIGHT_OF_TURN = 240;

interface Props {
  readonly session: string;
  readonly entry: TurnEntry;
  readonly number: number;
  readonly isLast: boolean;
  /** Whether tool uses are shown in full. */
  readonly isOpen: boolean;
  /** Of tool uses only those that failed are shown, and no answers. */
  readonly onlyFailed: boolean;
  readonly observations: readonly ListedObservation[];
  readonly summary: ListedSummary | null;
  readonly target: Target | null;
  /** What came later is not shown; null: all. Unix ms. */
  readonly moment: number | null;
  onTimes(turn: string, times: readonly number[]): void;
}

export function Turn(props: Props) {
  const { entry, number, isLast, observations, summary, target } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (observation: string) => setChosen((known) => (known === observation ? null : observation));
  const isTarget = target?.turn === entry.id;
  const { element, wasSeen } = useInSight<HTMLElement>(isTarget);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    if (!isTarget) return;
    setChosen(target.observation);
    if (target.item === null && element.current !== null) return holdInSight(element.current);
  }, [isTarget, target, element]);
  const height = `${HEIGHT_OF_TURN + entry.toolUses * HEIGHT_OF_TOOL}px`;
  return (
    <section
      class="turn"
      id={turnElement(entry.id)}
      ref={element}
      aria-label={`Turn ${number}`}
      style={isRead ? {} : { minHeight: height }}
    >
      <div class="turn-head">
        <a class="turn-number" href={href('item', entry.id)} aria-label={`Turn ${number}`}>
          {number}
        </a>
        <Time at={entry.at} />
        {entry.toolUses > 0 && <span>{counted(entry.toolUses, 'tool use')}</span>}
        {entry.failed > 0 && <span class="chip chip-bad">{entry.failed} failed</span>}
        {entry.isInherited && <span>copied from another session</span>}
        {entry.isUnfinished && <span title={UNFINISHED}>{isLast ? 'unfinished so far' : 'unfinished'}</span>}
      </div>
      <div class="turn-body">
        <div class="turn-story">
          {wasSeen ? (
            <Parts {...props} chosen={chosen} choose={choose} onRead={() => setRead(true)} />
          ) : (
            <p class="ask">{plainLine(entry.title)}</p>
          )}
        </div>
        <aside aria-label={`What is remembered of turn ${number}`}>
          {summary !== null && <Summary summary={summary} />}
          {observations.map((observation) => (
            <Observation
              key={observation.id}
              observation={observation}
              isSaid={summary !== null && repeats(observation.narrative, summary)}
              isChosen={observation.id === chosen}
              choose={() => choose(observation.id)}
            />
          ))}
        </aside>
      </div>
    </section>
  );
}

interface PartsProps extends Props {
  /** The observation whose parts are marked. */
  readonly chosen: string | null;
  choose(observation: string): void;
  /** Its height is known. */
  onRead(): void;
}

function Parts(props: PartsProps) {
  const { session, entry, isLast, onlyFailed, moment, onTimes, onRead } = props;
  const live = isLast ? { live: LIVE_MS, ...eventsOf(session) } : {};
  const turn = useRecorded<ShownItem>(`/api/items/${entry.id}`, {}, live);
  const parts = useMemo(() => (turn.data === null ? [] : partsOf(turn.data).filter(hasText)), [turn.data]);
  useEffect(() => {
    onTimes(
      entry.id,
      parts.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)])),
    );
  }, [entry.id, parts, onTimes]);
  const isDone = turn.data !== null || turn.error !== null;
  useEffect(() => {
    if (isDone) onRead();
  }, [isDone]);
  if (turn.data === null)
    return turn.error === null ? <Loading /> : <Failed error={turn.error} retry={turn.reload} />;
  const shown = parts.filter(
    (part) =>
      (moment === null || part.at === null || Date.parse(part.at) <= moment) &&
      (!onlyFailed || part.kind === 'prompt' || hasFailed(part)),
  );
  const usage = usageOf(turn.data.details);
  return (
    <>
      <Groups groups={groupsOf(shown)} {...props} />
      {usage !== null && moment === null && !onlyFailed && (
        <p class="turn-usage">
          {short(usage.output)} output tokens, {short(usage.input + usage.cacheCreation)} input,{' '}
          {short(usage.cacheRead)} cached
        </p>
      )}
    </>
  );
}

const hasFailed = ({ tool }: TurnPart): boolean => tool?.outcome === 'failed';

/** Thinking, and ends of turns that say no more, are left out. */
function hasText({ kind, id }: TurnPart): boolean {
  return id !== null || (kind !== 'reply' && kind !== 'stop');
}

const keyOf = ({ id, at, kind, text }: TurnPart): string => id ?? `${kind} ${at} ${text}`;

interface GroupsProps
  extends Pick<PartsProps, 'isOpen' | 'onlyFailed' | 'target' | 'observations' | 'chosen' | 'choose'> {
  readonly groups: readonly Group[];
}

function Groups({ groups, ...props }: GroupsProps) {
  const { isOpen, target, observations, chosen, choose } = props;
  return (
    <>
      {groups.map((group) =>
        group.kind === 'part' ? (
          <Part
            key={keyOf(group.part)}
            part={group.part}
            isOpen={isOpen}
            isTarget={target?.item != null && target.item === group.part.id}
            observations={observations.filter((one) => isMadeFrom(one, group.part))}
            chosen={chosen}
            choose={choose}
          />
        ) : (
          <SubAgent key={group.agentId} {...props} groups={group.groups} />
        ),
      )}
    </>
  );
}

/** Prompts are evidence of every observation of their turn, and say nothing of one. */
function isMadeFrom({ evidence }: ListedObservation, { kind, events }: TurnPart): boolean {
  return kind !== 'prompt' && events.some((event) => evidence.events.includes(event));
}

function SubAgent(props: GroupsProps) {
  const { groups, target, observations, chosen, onlyFailed } = props;
  const parts = partsIn(groups);
  const tools = parts.filter(({ kind }) => kind === 'tool').length;
  const failed = parts.filter(hasFailed).length;
  const isTarget = target?.item != null && parts.some(({ id }) => id === target.item);
  const isEvidence = observations.some(
    (one) => one.id === chosen && parts.some((part) => isMadeFrom(one, part)),
  );
  return (
    <details class="sub-agent" open={isTarget || isEvidence || onlyFailed}>
      <summary>
        <span class="strong">Sub-agent</span>
        <span>
          {counted(tools, 'tool use')}, {counted(parts.length - tools, 'message')}
        </span>
        {failed > 0 && <span class="chip chip-bad">{failed} failed</span>}
      </summary>
      <Groups {...props} />
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
      {[completed, learned].map(
        (text) =>
          text !== null && (
            <p key={text} class="clamp" dir="auto">
              {plainLine(text)}
            </p>
          ),
      )}
      {nextSteps.length > 0 && <p dir="auto">Next: {plainLine(nextSteps.join(' '))}</p>}
    </div>
  );
}

/** The part of a note that is shown before it is cut, characters. */
const SHOWN_CHARS = 160;

/** Whether the note of the summary says the same, at least as far as both are shown. */
function repeats(narrative: string, { completed, learned }: ListedSummary): boolean {
  const said = plainLine(narrative);
  return [completed, learned]
    .map((text) => plainLine(text ?? ''))
    .some(
      (text) =>
        text !== '' &&
        (text.includes(said.slice(0, SHOWN_CHARS)) || said.includes(text.slice(0, SHOWN_CHARS))),
    );
}

interface ObservationProps {
  readonly observation: ListedObservation;
  /** Its text is that of the summary above. */
  readonly isSaid: boolean;
  readonly isChosen: boolean;
  choose(): void;
}

function Observation({ observation, isSaid, isChosen, choose }: ObservationProps) {
  const { id, type, title, narrative, filesModified, marks, evidence } = observation;
  return (
    <div class={isChosen ? 'note is-chosen' : 'note'}>
      <a href={href('item', id)}>
        <Kind kind="observation" type={type} />
      </a>
      {marks !== undefined && <Marks marks={marks} />}
      <p class="strong" dir="auto">
        {plainLine(title)}
      </p>
      {!isSaid && (
        <p class="clamp" dir="auto">
          {plainLine(narrative)}
        </p>
      )}
      {filesModified.length > 0 && (
        <p class="files" title={plainLine(filesModified.join('\n'))}>
          {plainLine(filesModified.slice(0, 5).map(fileName).join(', '))}
        </p>
      )}
      {evidence.events.length > 0 && (
        <button type="button" class="quiet evidence-button" aria-pressed={isChosen} onClick={choose}>
          {isChosen ? 'Marked in the turn' : 'Show what it comes from'}
        </button>
      )}
    </div>
  );
}

const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
