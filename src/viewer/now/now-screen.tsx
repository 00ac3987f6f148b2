// What agents do now: the sessions under way, and everything as it is recorded.
import { useMemo, useState } from 'preact/hooks';
import type { ListedSession, Page } from '../api/types.ts';
import { dayText } from '../ui/amounts.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { useFiltered } from '../ui/filter.ts';
import { useKeys } from '../ui/keyboard.ts';
import { Kind, Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { go, href } from '../ui/route.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { type FeedRow, useFeed } from './feed.ts';
import { Proposals } from './proposals.tsx';
import { SessionCards } from './session-cards.tsx';

const SHOWN: Readonly<Record<string, { readonly name: string; readonly kinds: readonly string[] | null }>> = {
  all: { name: 'Everything', kinds: null },
  prompts: { name: 'Prompts', kinds: ['prompt'] },
  work: { name: 'Work', kinds: ['tool', 'answer', 'session'] },
  memory: { name: 'Memory', kinds: ['observation', 'summary', 'memory'] },
};
const ROW_HEIGHT = 58;
const words = {
  keyOf: ({ key }: FeedRow) => key,
  textOf: ({ title, type, kind, project, agent }: FeedRow) => [title, type, kind, project, agent].join(' '),
};

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
      <h1>{asOf === '' ? 'Now' : dayText(`${asOf}T12:00`)}</h1>
      {asOf === '' && <Proposals />}
      <SessionCards sessions={sessions} feed={feed.data ?? []} />
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
  const kinds = SHOWN[shown]!.kinds;
  const ofKind = useMemo(
    () =>
      rows
        .filter(({ kind }) => kinds === null || kinds.includes(kind))
        .map((row) => ({ ...row, ...sessionOf(row, sessions) })),
    [rows, kinds, sessions],
  );
  const visible = useFiltered(ofKind, filter, words);
  const index = visible.findIndex(({ key }) => key === selected);
  const move = (by: number) =>
    setSelected(visible[Math.max(0, Math.min(visible.length - 1, index + by))]?.key ?? null);
  useKeys([
    { key: 'j', about: 'Next', act: () => move(1) },
    { key: 'k', about: 'Previous', act: () => move(index < 0 ? 0 : -1) },
    { key: 'Enter', about: 'Open', act: () => index >= 0 && go(addressOf(visible[index]!)) },
  ]);
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
      {visible.length === 0 ? (
        <Empty title="Nothing here matches">
          <p>
            This filters what is on the screen.{' '}
            <a href={href('search', '', { q: filter })}>Search everything</a>.
          </p>
        </Empty>
      ) : (
        <VirtualList
          items={visible}
          label="What happened, newest first"
          rowHeight={ROW_HEIGHT}
          selected={index}
          keyOf={words.keyOf}
        >
          {(row) => <Row row={row} title={sessions.get(row.session ?? '')?.title ?? null} />}
        </VirtualList>
      )}
    </section>
  );
}

/** An event names no project, an item no agent: its session has both. */
function sessionOf({ session, agent, project }: FeedRow, sessions: Sessions) {
  const known = session === null ? undefined : sessions.get(session);
  return { agent: agent ?? known?.agent ?? null, project: project ?? known?.project ?? null };
}

function addressOf({ item, session, at }: FeedRow): string {
  return item === null ? href('session', session ?? '', { at }) : href('item', item);
}

function Row({ row, title }: { readonly row: FeedRow; readonly title: string | null }) {
  return (
    <a class={`row${row.failed ? ' is-failed' : ''}`} href={addressOf(row)}>
      <span class="row-main">
        <Kind kind={row.kind} type={row.type} />
        <span class="row-title" dir="auto">
          {row.title}
        </span>
      </span>
      <span class="row-meta">
        <Time at={row.at} />
        {row.project !== null && <span>{plainLine(row.project)}</span>}
        {row.agent !== null && <span>{row.agent}</span>}
        {title !== null && (
          <span class="fades" dir="auto">
            {plainLine(title)}
          </span>
        )}
        {row.failed && <span class="bad">failed</span>}
      </span>
    </a>
  );
}
