// A session: its turns in order, with what was asked, done and answered, and what is remembered of each. A turn is read
// when it comes into sight.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { forgottenIn, partsOf, type TurnEntry, turnsOf, usageOf } from '../api/session-parts.ts';
import type { ListedObservation, ListedSummary, Page, ShownItem } from '../api/types.ts';
import { detail, textDetail } from '../api/types.ts';
import { count, counted, dayText, durationText, short } from '../ui/amounts.ts';
import { eventsOf, useRecorded } from '../ui/as-of.tsx';
import { useKeys } from '../ui/keyboard.ts';
import { ProjectLink, Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { type Replay, useReplay } from './replay.ts';
import { Scrubber } from './scrubber.tsx';
import { type Target, Turn, turnElement } from './turn.tsx';

const REMEMBERED_MAX = 1_000;

interface Props {
  readonly id: string;
  /** item: scrolls to it. at: scrolls to the turn of that time. */
  readonly query: Readonly<Record<string, string>>;
}

export function SessionScreen({ id, query }: Props) {
  const session = useRecorded<ShownItem>(
    `/api/items/${encodeURIComponent(id)}`,
    {},
    { live: 150, ...eventsOf(id) },
  );
  return <Shown loaded={session}>{(data) => <Turns session={data} query={query} />}</Shown>;
}

function Turns({ session, query }: { readonly session: ShownItem; readonly query: Props['query'] }) {
  const turns = useMemo(() => turnsOf(session), [session]);
  const remembered = useRemembered(session.id);
  const target = useTarget(query, turns);
  const replay = useReplay(turns, textDetail(session.details, 'endedAt'));
  const [isOpen, setOpen] = useState(false);
  const [onlyFailed, setOnlyFailed] = useState(false);
  const failed = turns.reduce((sum, turn) => sum + turn.failed, 0);
  const shown = turns.filter(
    (turn) =>
      (replay.moment === null || turn.at === null || Date.parse(turn.at) <= replay.moment) &&
      (!onlyFailed || turn.failed > 0),
  );
  useTurnKeys(turns, replay, () => setOpen((before) => !before));
  return (
    <article class="session">
      <Header session={session} turns={turns} />
      {turns.length > 0 && (
        <div class="session-bar">
          <Scrubber turns={turns} replay={replay} />
          <label class="check">
            <input
              type="checkbox"
              checked={onlyFailed}
              disabled={failed === 0}
              onChange={() => setOnlyFailed(!onlyFailed)}
            />{' '}
            {failed === 0 ? 'No tool use failed' : `Failures only (${count(failed)})`}
          </label>
          <label class="check">
            <input type="checkbox" checked={isOpen} onChange={() => setOpen(!isOpen)} /> Show what each tool
            did
          </label>
          {remembered.observations.length > 0 && (
            <span class="legend">An observation was made from what has a circle. Press it to see which.</span>
          )}
        </div>
      )}
      {turns.length === 0 && (
        <Empty title="Nothing is recorded of this session">
          <p>It started, and asked nothing so far. What happens appears here.</p>
        </Empty>
      )}
      {shown.map((turn) => (
        <Turn
          key={turn.id}
          session={session.id}
          entry={turn}
          number={turns.indexOf(turn) + 1}
          isLast={turn === turns.at(-1)}
          isOpen={isOpen}
          onlyFailed={onlyFailed}
          observations={remembered.observations.filter((one) => one.turn === turn.id)}
          summary={remembered.summaries.find((one) => one.turn === turn.id) ?? null}
          target={target}
          moment={replay.moment}
          onTimes={replay.addTimes}
        />
      ))}
    </article>
  );
}

function Header({ session, turns }: { readonly session: ShownItem; readonly turns: readonly TurnEntry[] }) {
  const { details, at, project, agent, id, title } = session;
  const endedAt = textDetail(details, 'endedAt');
  const usage = usageOf(details);
  const branch = textDetail(details, 'branch');
  const continued = detail(details, 'continuedIn');
  const forgotten = forgottenIn(session);
  return (
    <header class="head">
      <h1 dir="auto">{plainLine(title) || 'Without a title'}</h1>
      <p class="row-meta">
        {project !== null && <ProjectLink name={project} />}
        <span>{agent}</span>
        {branch !== null && <span>branch {plainLine(branch)}</span>}
        <Time at={at} />
        {at !== null && endedAt !== null && <span>{durationText(Date.parse(endedAt) - Date.parse(at))}</span>}
        <span>{counted(turns.length, 'turn')}</span>
        {usage !== null && (
          <span>
            {short(usage.output)} output tokens, {short(usage.input + usage.cacheCreation)} input,{' '}
            {short(usage.cacheRead)} cached
          </span>
        )}
      </p>
      {forgotten.map(({ at: when, events }) => (
        <p key={when} class="forgotten">
          {dayText(when)}: a part of this session was forgotten ({counted(events, 'event')}). Where a turn
          begins without a prompt, it may have been there.
        </p>
      ))}
      {Array.isArray(continued) && continued.length > 0 && (
        <p class="row-meta">
          Went on in{' '}
          {continued.map((next) => (
            <a key={String(next)} href={href('session', String(next))}>
              another session
            </a>
          ))}
        </p>
      )}
      <p class="row-meta">
        <code class="id">{id}</code>
        <a href={href('forget', '', { session: id })}>Forget this session</a>
      </p>
    </header>
  );
}

/** What is remembered of all turns. */
function useRemembered(session: string) {
  const query = { session, limit: REMEMBERED_MAX };
  const live = { live: 400, ...eventsOf(session) };
  const observations = useRecorded<Page<ListedObservation>>('/api/observations', query, live);
  const summaries = useRecorded<Page<ListedSummary>>('/api/summaries', query, live);
  return { observations: observations.data?.items ?? [], summaries: summaries.data?.items ?? [] };
}

/** The turn, and the item if one is named, that the address asks for. */
function useTarget(query: Props['query'], turns: readonly TurnEntry[]): Target | null {
  const [target, setTarget] = useState<Target | null>(null);
  const { item, at } = query;
  useEffect(() => {
    let isHere = true;
    const found = async (): Promise<Target | null> => {
      if (item !== undefined && !isEvent(item)) return targetOf(item);
      const near = at === undefined ? -1 : turns.findLastIndex((one) => one.at !== null && one.at <= at);
      const byEvent = item === undefined ? null : await turnOfEvent(item, turns, near);
      const turn = turns[near];
      return byEvent ?? (turn === undefined ? null : { turn: turn.id, item: null, observation: null });
    };
    found().then(
      (one) => {
        if (isHere && one !== null) setTarget(one);
      },
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [item, at]);
  return target;
}

const isEvent = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);

async function targetOf(item: string): Promise<Target | null> {
  const { details, kind, id } = await get<ShownItem>(`/api/items/${encodeURIComponent(item)}`);
  const turn = kind === 'turn' ? id : textDetail(details, 'turn');
  const isPart = kind !== 'turn' && kind !== 'observation' && kind !== 'summary';
  const observation = kind === 'observation' ? id : null;
  return turn === null ? null : { turn, item: isPart ? id : null, observation };
}

/** Turns that are read to find an event. */
const READ_MAX = 12;

/** Several clocks date the events of a turn, so its time alone may name the turn beside it. */
async function turnOfEvent(event: string, turns: readonly TurnEntry[], near: number): Promise<Target | null> {
  const from = near < 0 ? turns.length - 1 : near;
  const order = turns.map((_, index) => index).sort((a, b) => Math.abs(a - from) - Math.abs(b - from));
  for (const index of order.slice(0, READ_MAX)) {
    const { id } = turns[index]!;
    const part = partsOf(await get<ShownItem>(`/api/items/${id}`)).find(({ events }) =>
      events.includes(event),
    );
    if (part !== undefined) return { turn: id, item: part.id, observation: null };
  }
  return null;
}

function useTurnKeys(turns: readonly TurnEntry[], replay: Replay, toggle: () => void): void {
  const move = (by: number) => {
    const places = turns.map(
      ({ id }) => document.getElementById(turnElement(id))?.getBoundingClientRect().top ?? 0,
    );
    const top = document.getElementById('main')!.getBoundingClientRect().top + 80;
    const current = places.findLastIndex((place) => place <= top);
    const next = turns[Math.max(0, Math.min(turns.length - 1, current + by))];
    if (next !== undefined) document.getElementById(turnElement(next.id))?.scrollIntoView();
  };
  useKeys([
    { key: 'j', about: 'Next turn', act: () => move(1) },
    { key: 'k', about: 'Previous turn', act: () => move(-1) },
    { key: 'o', about: 'Show what each tool did, or hide it', act: toggle },
    { key: 'p', about: 'Replay, or pause', act: replay.toggle },
  ]);
}
