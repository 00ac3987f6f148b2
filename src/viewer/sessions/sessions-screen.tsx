// All sessions by what happened last in them, by day; pages are read as they come into sight.
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiError, get } from '../api/client.ts';
import { on } from '../api/live.ts';
import { oneByOne } from '../api/one-by-one.ts';
import { sessionKey } from '../api/session-parts.ts';
import type { ListedSession, Page } from '../api/types.ts';
import { onProjected } from '../api/use-data.ts';
import { counted, dayText, endOfDay } from '../ui/amounts.ts';
import { useAsOf } from '../ui/as-of.tsx';
import { useFiltered } from '../ui/filter.ts';
import { useKeys } from '../ui/keyboard.ts';
import { useNarrow } from '../ui/narrow.ts';
import { plainLine } from '../ui/plain.ts';
import { go, href } from '../ui/route.ts';
import { SessionMeta } from '../ui/session-meta.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';

const PAGE = 500;
const LIVE_MS = 100;
const ROW_HEIGHT = 58;
const DAY_HEIGHT = 40;
/** Names, dates and counts take a line each. */
const NARROW_ROW_HEIGHT = 102;
/** While a filter leaves fewer, more pages are read. */
const FILTERED_MIN = 40;
const NONE: readonly ListedSession[] = [];
const textOf = ({ title, project, agent, branch, id }: ListedSession) =>
  [title, project, agent, branch, id].join(' ');

export function SessionsScreen() {
  const { sessions, error, more, hasMore } = useSessions(endOfDay(useAsOf()));
  const [filter, setFilter] = useState('');
  const [selected, setSelected] = useState(-1);
  const isNarrow = useNarrow();
  const visible = useFiltered(sessions ?? NONE, filter, textOf);
  const rows = useMemo(() => rowsOf(visible), [visible]);
  const looksFurther = filter.trim() !== '' && visible.length < FILTERED_MIN && hasMore && error === null;
  useEffect(() => {
    if (looksFurther) more();
  }, [looksFurther, more, sessions]);
  const move = (by: number) => setSelected((at) => Math.max(0, Math.min(visible.length - 1, at + by)));
  useKeys([
    { key: 'j', about: 'Next', act: () => move(1) },
    { key: 'k', about: 'Previous', act: () => move(-1) },
    {
      key: 'Enter',
      about: 'Open',
      act: () => visible[selected] !== undefined && go(href('session', visible[selected].id)),
    },
  ]);
  return (
    <div class="fills">
      <div class="toolbar">
        <h1>Sessions</h1>
        <input
          type="search"
          class="filter"
          placeholder="Filter by title, project, agent, branch"
          aria-label="Filter the sessions on the screen"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        {sessions !== null && (
          <span class="quiet-text" role="status">
            {counted(visible.length, 'session')}
            {hasMore ? ' so far' : ''}
          </span>
        )}
      </div>
      {error !== null && <Failed error={error} retry={more} />}
      {sessions === null && error === null && <Loading />}
      {visible.length === 0 && looksFurther && <Loading what="Reading earlier sessions" />}
      {sessions !== null && visible.length === 0 && !looksFurther && (
        <Empty title={filter === '' ? 'No session is recorded yet' : 'No session matches'}>
          <p>
            {filter === '' ? (
              <>
                <code>annals up</code> reads the transcripts that are on this machine.
              </>
            ) : (
              <a href={href('search', '', { q: filter })}>Search everything</a>
            )}
          </p>
        </Empty>
      )}
      {visible.length > 0 && (
        <VirtualList
          items={rows}
          label="Sessions, by what happened last"
          heightOf={isNarrow ? narrowHeightOf : heightOf}
          selected={rows.findIndex((row) => row.session !== null && row.session === visible[selected])}
          onEnd={more}
          keyOf={({ key }) => key}
        >
          {({ day, session }) => (session === null ? <h2 class="day">{day}</h2> : <Row session={session} />)}
        </VirtualList>
      )}
    </div>
  );
}

const lastOf = ({ startedAt, endedAt }: ListedSession): string => endedAt ?? startedAt ?? '';

interface ListRow {
  readonly key: string;
  readonly day: string;
  /** Null: the heading of the day. */
  readonly session: ListedSession | null;
}

const heightOf = ({ session }: ListRow): number => (session === null ? DAY_HEIGHT : ROW_HEIGHT);
const narrowHeightOf = ({ session }: ListRow): number => (session === null ? DAY_HEIGHT : NARROW_ROW_HEIGHT);

/** Each day has a heading. */
function rowsOf(sessions: readonly ListedSession[]): readonly ListRow[] {
  const days = sessions.map((session) =>
    lastOf(session) === '' ? 'Without a time' : dayText(lastOf(session)),
  );
  return sessions.flatMap((session, index): readonly ListRow[] => {
    const day = days[index]!;
    const row = { key: sessionKey(session), day, session };
    return day === days[index - 1] ? [row] : [{ key: `day ${day}`, day, session: null }, row];
  });
}

function Row({ session }: { readonly session: ListedSession }) {
  return (
    <a class="row" href={href('session', session.id)}>
      <span class="row-main">
        <span class="row-title strong" dir="auto" title={plainLine(session.title ?? '')}>
          {plainLine(session.title ?? 'Without a title')}
        </span>
      </span>
      <SessionMeta session={session} />
    </a>
  );
}

/** The newest page is read again when something new is recorded. */
function useSessions(asOf: string) {
  const [sessions, setSessions] = useState<readonly ListedSession[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const { read, left } = useMemo(() => {
    /** Aborts when the screen or its moment is left. */
    const left = new AbortController();
    const { signal } = left;
    const read = oneByOne(async (after: string | null) => {
      try {
        const page = await get<Page<ListedSession>>(
          '/api/sessions',
          { limit: PAGE, after, asOf, soFar: asOf === '' || undefined },
          signal,
        );
        if (signal.aborted) return;
        setError(null);
        setSessions((before) => merged(before ?? [], page.items, after === null));
        setNext((known) => (after === null && known !== null ? known : page.next));
      } catch (failure) {
        if (!signal.aborted) setError(failure as ApiError);
      }
    });
    return { read, left };
  }, [asOf]);
  useEffect(() => {
    read(null);
    const undo = [
      // The past changes only when something is forgotten, and that reads the page again.
      ...(asOf === '' ? [onProjected(() => read(null), LIVE_MS)] : []),
      on('resumed', () => read(null)),
    ];
    return () => {
      left.abort();
      for (const one of undo) one();
    };
  }, [read, left, asOf]);
  const more = useCallback(() => {
    if (next !== null) read(next);
  }, [next, read]);
  return { sessions, error, more, hasMore: next !== null };
}

function merged(
  before: readonly ListedSession[],
  page: readonly ListedSession[],
  isFirst: boolean,
): readonly ListedSession[] {
  const keys = new Set(page.map(sessionKey));
  const others = before.filter((session) => !keys.has(sessionKey(session)));
  return isFirst ? [...page, ...others] : [...others, ...page];
}
