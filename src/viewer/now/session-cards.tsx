import type { ListedSession, Page } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { useAsOf } from '../ui/as-of.tsx';
import { Kind, Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import type { FeedRow } from './feed.ts';

/** A session that reported something within this time is under way, ms. */
const UNDER_WAY_MS = 15 * 60_000;
const LATEST = 4;

interface Props {
  readonly sessions: Loaded<Page<ListedSession>>;
  /** Newest first. */
  readonly feed: readonly FeedRow[];
}

export function SessionCards({ sessions, feed }: Props) {
  const isPast = useAsOf() !== '';
  return (
    <Shown loaded={sessions}>
      {({ items }) => {
        const now = isPast ? [] : items.filter((session) => isUnderWay(session, Date.now()));
        const shown = now.length > 0 ? now : items.slice(0, LATEST);
        if (shown.length === 0) return null;
        return (
          <section aria-labelledby="sessions-heading">
            <h2 id="sessions-heading">
              {isPast
                ? 'The latest sessions then'
                : now.length > 0
                  ? `${counted(now.length, 'session')} under way`
                  : 'No session is under way. The latest:'}
            </h2>
            <ul class="cards">
              {shown.map((session) => (
                <Card
                  key={session.id}
                  session={session}
                  latest={feed.find((row) => row.session === session.id) ?? null}
                  isLive={now.length > 0}
                />
              ))}
            </ul>
          </section>
        );
      }}
    </Shown>
  );
}

function isUnderWay({ endedAt, endReason }: ListedSession, now: number): boolean {
  return endReason === null && endedAt !== null && now - Date.parse(endedAt) < UNDER_WAY_MS;
}

interface CardProps {
  readonly session: ListedSession;
  readonly latest: FeedRow | null;
  readonly isLive: boolean;
}

function Card({ session, latest, isLive }: CardProps) {
  return (
    <li class={isLive ? 'card is-live' : 'card'}>
      <a href={href('session', session.id)}>
        <span class="card-title" dir="auto">
          {plainLine(session.title ?? 'Without a title')}
        </span>
        <span class="row-meta">
          <span>{plainLine(session.project)}</span>
          <span>{session.agent}</span>
          <Time at={session.endedAt ?? session.startedAt} />
        </span>
        {isLive && latest !== null ? (
          <span class="card-latest">
            <Kind kind={latest.kind} type={latest.type} /> <span dir="auto">{latest.title}</span>
          </span>
        ) : (
          <span class="card-latest">
            {counted(session.turns, 'turn')}, {counted(session.counts.toolUses, 'tool use')}
          </span>
        )}
      </a>
    </li>
  );
}
