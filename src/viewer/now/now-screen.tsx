// What agents do now: everything as it is recorded, by session, those under way first.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ListedSession, Page } from '../api/types.ts';
import { counted, dateText } from '../ui/amounts.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { useFiltered } from '../ui/filter.ts';
import { useKeys } from '../ui/keyboard.ts';
import { go, href } from '../ui/route.ts';
import { isUnderWay } from '../ui/session-meta.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { type FeedRow, useFeed } from './feed.ts';
import { addressOf, Group, rowElement, rowsShown } from './group.tsx';
import { Proposals } from './proposals.tsx';
import { type SessionGroup, sessionGroups } from './session-groups.ts';

const SHOWN: Readonly<Record<string, { readonly name: string; readonly kinds: readonly string[] | null }>> = {
  all: { name: 'Everything', kinds: null },
  prompts: { name: 'Prompts', kinds: ['prompt'] },
  work: { name: 'Work', kinds: ['tool', 'answer', 'session'] },
  memory: { name: 'Memory', kinds: ['observation', 'summary', 'memory'] },
};
/** More are a step away, in Sessions. */
const GROUPS_MAX = 30;

export function NowScreen() {
  const feed = useFeed();
  const sessions = useRecorded<Page<ListedSession>>('/api/sessions', { limit: 100 }, { live: 500 });
  const asOf = useAsOf();
  const known = useMemo(
    () => new Map(sessions.data?.items.map((session) => [session.id, session])),
    [sessions.data],
  );
  return (
    <div class="now">
      <h1>{asOf === '' ? 'Now' : dateText(asOf)}</h1>
      {asOf === '' && <Proposals />}
      <Shown loaded={feed}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing is recorded yet">
              <p>
                <code>annals up</code> reads the transcripts that are on this machine.{' '}
                <code>annals install</code> adds the hooks, so that new sessions appear here as they happen.
              </p>
            </Empty>
          ) : (
            <Feed rows={rows} sessions={known} />
          )
        }
      </Shown>
    </div>
  );
}

type Sessions = ReadonlyMap<string, ListedSession>;

function Feed({ rows, sessions }: { readonly rows: readonly FeedRow[]; readonly sessions: Sessions }) {
  const [shown, setShown] = useState('all');
  const [filter, setFilter] = useState('');
  const [selected, setSelected] = useState<string | null>(null);
  const isPast = useAsOf() !== '';
  const kinds = SHOWN[shown]!.kinds;
  const ofKind = useMemo(
    () => rows.filter(({ kind }) => kinds === null || kinds.includes(kind)),
    [rows, kinds],
  );
  const words = useMemo(() => wordsWith(sessions), [sessions]);
  const visible = useFiltered(ofKind, filter, words);
  const groups = useMemo(
    () =>
      sessionGroups(visible, sessions, (session) => !isPast && isUnderWay(session, Date.now())).slice(
        0,
        GROUPS_MAX,
      ),
    [visible, sessions, isPast],
  );
  useRowKeys(groups, selected, setSelected);
  const now = groups.filter((group) => group.isUnderWay);
  const others = groups.filter((group) => !group.isUnderWay);
  const list = (label: string, some: readonly SessionGroup[]) => (
    <ul class="groups" aria-label={label}>
      {some.map((group) => (
        <Group key={group.key} group={group} selected={selected} />
      ))}
    </ul>
  );
  return (
    <section class="feed" aria-labelledby="feed-heading">
      <div class="toolbar">
        <h2 id="feed-heading">What happened</h2>
        <fieldset class="choice">
          <legend class="hidden">Show</legend>
          {Object.entries(SHOWN).map(([key, { name }]) => (
            <label key={key}>
              <input type="radio" name="shown" checked={key === shown} onChange={() => setShown(key)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <input
          type="search"
          class="filter"
          placeholder="Filter"
          aria-label="Filter what is on the screen"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </div>
      {groups.length === 0 && (
        <Empty title="Nothing here matches">
          <p>
            This filters what is on the screen.{' '}
            <a href={href('search', '', { q: filter })}>Search everything</a>.
          </p>
        </Empty>
      )}
      {now.length > 0 && (
        <>
          <h3 class="under-way">{counted(now.length, 'session')} under way</h3>
          {list('Under way, newest first', now)}
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>
            {isPast
              ? 'The latest sessions then'
              : now.length > 0
                ? 'Before'
                : 'No session is under way. The latest:'}
          </h3>
          {list('What happened, newest first', others)}
        </>
      )}
      {groups.length > 0 && (
        <p>
          <a href={href('sessions')}>All sessions</a>
        </p>
      )}
    </section>
  );
}

/** An event names no project, an item no agent: its session has both, and a title. */
function wordsWith(sessions: Sessions) {
  return {
    keyOf: ({ key }: FeedRow) => key,
    textOf({ title, type, kind, project, agent, session }: FeedRow) {
      const known = sessions.get(session ?? '');
      return [title, type, kind, project, agent, known?.title, known?.project, known?.agent].join(' ');
    },
  };
}

function useRowKeys(
  groups: readonly SessionGroup[],
  selected: string | null,
  select: (key: string | null) => void,
): void {
  const rows = groups.flatMap((group) => rowsShown(group));
  const index = rows.findIndex(({ key }) => key === selected);
  const move = (by: number) => select(rows[Math.max(0, Math.min(rows.length - 1, index + by))]?.key ?? null);
  useEffect(() => {
    if (selected !== null)
      document.getElementById(rowElement(selected))?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  useKeys([
    { key: 'j', about: 'Next', act: () => move(1) },
    { key: 'k', about: 'Previous', act: () => move(index < 0 ? 0 : -1) },
    { key: 'Enter', about: 'Open', act: () => index >= 0 && go(addressOf(rows[index]!)) },
  ]);
}
