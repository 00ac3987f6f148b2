// What agents do now and did last: turn by turn, by session, those under way first.
import { useMemo, useState } from 'preact/hooks';
import type { ListedMemory, ListedSession, ListedSummary, ListedTurn, Page } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted, dateText, dayText } from '../ui/amounts.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { useFiltered } from '../ui/filter.ts';
import { useKeys } from '../ui/keyboard.ts';
import { useLostAt } from '../ui/lost.ts';
import { go, href } from '../ui/route.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { Group } from './group.tsx';
import { Proposals } from './proposals.tsx';
import { type Entry, isUnderWay, type SessionGroup, sessionGroups } from './turn-groups.ts';

const READ = 100;
/** More are a step away, in Sessions. */
const GROUPS_MAX = 20;

export function NowScreen() {
  const groups = useGroups();
  const asOf = useAsOf();
  return (
    <div class="now">
      {groups.data === null && <h1>{titleOf(asOf)}</h1>}
      {asOf === '' && <Proposals />}
      <Shown loaded={groups}>
        {({ groups: all, isLive }) =>
          all.length === 0 ? (
            <>
              <h1>{titleOf(asOf)}</h1>
              <Empty title="Nothing is recorded yet">
                <p>
                  Once an agent is connected, new sessions appear here as they happen. <code>annals up</code>{' '}
                  reads the transcripts that agents left on this machine before.
                </p>
                {asOf === '' && (
                  <p>
                    <a class="button" href={href('settings', '', { section: 'agents' })}>
                      Connect an agent
                    </a>
                  </p>
                )}
              </Empty>
            </>
          ) : (
            <Happened groups={all} isLive={isLive} />
          )
        }
      </Shown>
    </div>
  );
}

const titleOf = (asOf: string): string => (asOf === '' ? 'Now' : dateText(asOf));

interface Feed {
  readonly groups: readonly SessionGroup[];
  /** Whether it is known which sessions are under way. */
  readonly isLive: boolean;
}

/** Each list is read again as soon as something that belongs to it was recorded. */
function useGroups(): Loaded<Feed> {
  const limit = { limit: READ };
  const ofSessions = { after: ({ session }: { readonly session: string | null }) => session !== null };
  const turns = useRecorded<Page<ListedTurn>>('/api/turns', limit, { live: 200, ...ofSessions });
  const sessions = useRecorded<Page<ListedSession>>('/api/sessions', limit, { live: 400, ...ofSessions });
  const summaries = useRecorded<Page<ListedSummary>>('/api/summaries', limit, { live: 400, ...ofSessions });
  const memories = useRecorded<Page<ListedMemory>>(
    '/api/memories',
    { limit: 20 },
    { live: 200, after: ({ type }) => type.startsWith('memory.') },
  );
  const isPast = useAsOf() !== '';
  const isLost = useLostAt() !== null;
  const data = useMemo(
    () =>
      turns.data === null
        ? null
        : {
            groups: sessionGroups(
              {
                turns: turns.data.items.filter(hasContent),
                sessions: sessions.data?.items ?? [],
                summaries: summaries.data?.items ?? [],
                memories: memories.data?.items ?? [],
              },
              (session) => !isPast && !isLost && isUnderWay(session, Date.now()),
            ),
            isLive: !isPast && !isLost && sessions.data !== null,
          },
    [turns.data, sessions.data, summaries.data, memories.data, isPast, isLost],
  );
  return { ...turns, data };
}

/** A command of the agent's own, like `/clear`, asks nothing. */
function hasContent({ counts, private: isPrivate }: ListedTurn): boolean {
  return isPrivate || counts.prompts + counts.toolUses + counts.replies > 0;
}

function Happened({ groups, isLive }: Feed) {
  const [filter, setFilter] = useState('');
  const asOf = useAsOf();
  const found = useFiltered(
    useMemo(() => groups.flatMap(entriesOf), [groups]),
    filter,
    textOf,
  );
  const visible = useMemo(() => {
    const kept = new Set(found.map(({ entry }) => entry));
    return groups.flatMap((group) => {
      const entries = group.entries.filter((entry) => kept.has(entry));
      return entries.length === 0 ? [] : [{ ...group, entries }];
    });
  }, [groups, found]);
  useRowKeys();
  const underWay = groups.filter((group) => group.isUnderWay).length;
  return (
    <section class="feed" aria-labelledby="feed-heading">
      <div class="toolbar">
        <h1 id="feed-heading">{titleOf(asOf)}</h1>
        {isLive && (
          <p class={underWay > 0 ? 'under-way' : 'quiet-text'} role="status">
            {underWay > 0 ? `${counted(underWay, 'session')} under way` : 'No session is under way'}
          </p>
        )}
        <input
          type="search"
          class="filter"
          placeholder="Filter"
          aria-label="Filter what is on the screen"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </div>
      {visible.length === 0 && (
        <Empty title="Nothing here matches">
          <p>
            This filters what is on the screen.{' '}
            <a href={href('search', '', { q: filter })}>Search everything</a>.
          </p>
        </Empty>
      )}
      {visible.length > 0 && (
        <>
          <ul class="groups" aria-label="What happened, newest first">
            {visible.slice(0, GROUPS_MAX).map((group, index) => (
              <Group
                key={group.key}
                group={group}
                heading={
                  index > 0 && headingOf(visible[index - 1]!) === headingOf(group) ? null : headingOf(group)
                }
              />
            ))}
          </ul>
          <p>
            <a href={href('sessions')}>All sessions</a>
          </p>
        </>
      )}
    </section>
  );
}

function headingOf({ isUnderWay, entries: [last] }: SessionGroup): string {
  if (isUnderWay) return 'Under way';
  return last?.at == null ? 'Without a time' : dayText(last.at);
}

interface FilteredEntry {
  readonly entry: Entry;
  readonly title: string;
}

function entriesOf({ entries, head }: SessionGroup): readonly FilteredEntry[] {
  return entries.map((entry) => ({ entry, title: head?.title ?? '' }));
}

function textOf({ entry, title }: FilteredEntry): string {
  const own =
    entry.kind === 'turn'
      ? [entry.request, entry.outcome, entry.turn.project, entry.turn.agent]
      : [entry.memory.title, entry.memory.type, entry.memory.project];
  return [...own, title].join(' ');
}

const ROWS = '.groups :is(summary, .memory-row > a)';

/** They move the focus, so that the browser's own keys work on a row. */
function useRowKeys(): void {
  const move = (by: number) => {
    const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
    const current = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.max(0, Math.min(rows.length - 1, current + by))]?.focus();
  };
  useKeys([
    { key: 'j', about: 'Next turn; Enter unfolds it', act: () => move(1) },
    { key: 'k', about: 'Previous turn', act: () => move(-1) },
    {
      key: 'o',
      about: 'Open its session',
      act() {
        const title = document.activeElement?.closest('.group')?.querySelector('a.group-title');
        const address = title?.getAttribute('href');
        if (address != null) go(address);
      },
    },
  ]);
}
