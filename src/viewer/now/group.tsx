// A session on the first screen: what it is, and the last things that happened in it.
import { count, timeIn } from '../ui/amounts.ts';
import { Kind, Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { SessionMeta } from '../ui/session-meta.tsx';
import type { FeedRow } from './feed.ts';
import type { SessionGroup } from './session-groups.ts';

const ROWS = 4;
const ROWS_UNDER_WAY = 8;

/** The others are in the session. */
export function rowsShown({ rows, id, isUnderWay }: SessionGroup): readonly FeedRow[] {
  return id === null ? rows : rows.slice(0, isUnderWay ? ROWS_UNDER_WAY : ROWS);
}

export const rowElement = (key: string): string => `row-${key}`;

export function addressOf({ item, session, event, at }: FeedRow): string {
  return item === null ? href('session', session ?? '', { item: event, at }) : href('item', item);
}

interface Props {
  readonly group: SessionGroup;
  readonly selected: string | null;
}

export function Group({ group, selected }: Props) {
  const { id, session, isUnderWay, rows } = group;
  const shown = rowsShown(group);
  const more = rows.length - shown.length;
  return (
    <li class={isUnderWay ? 'group is-live' : 'group'}>
      <div class="group-head">
        {id === null ? (
          <span class="group-title">Outside of sessions</span>
        ) : (
          <a class="group-title" href={href('session', id)} dir="auto">
            {session === null
              ? 'A session that began earlier'
              : plainLine(session.title ?? 'Without a title')}
          </a>
        )}
        {session !== null && <SessionMeta session={session} />}
      </div>
      <ul>
        {shown.map((row) => (
          <Row
            key={row.key}
            row={row}
            isSelected={row.key === selected}
            near={session?.startedAt ?? null}
            showsProject={id === null}
          />
        ))}
      </ul>
      {more > 0 && id !== null && (
        <a class="group-more" href={href('session', id)}>
          {count(more)} more in this session
        </a>
      )}
    </li>
  );
}

interface RowProps {
  readonly row: FeedRow;
  readonly isSelected: boolean;
  /** The time of the session: on the same day the clock says enough. */
  readonly near: string | null;
  readonly showsProject: boolean;
}

function Row({ row, isSelected, near, showsProject }: RowProps) {
  const classes = ['happened', ...(isSelected ? ['selected'] : []), ...(row.failed ? ['is-failed'] : [])];
  return (
    <li id={rowElement(row.key)} class={classes.join(' ')}>
      <a href={addressOf(row)} title={row.title}>
        <Kind kind={row.kind} type={row.type} />
        <span class="happened-what" dir="auto">
          {row.failed && <span class="bad">failed </span>}
          {row.title}
        </span>
        {showsProject && row.project !== null && (
          <span class="happened-project">{plainLine(row.project)}</span>
        )}
        <Time at={row.at} text={(at) => timeIn(at, near)} />
      </a>
    </li>
  );
}
