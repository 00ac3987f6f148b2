// A session on the first screen: what it is, and its last turns.
import { counted, timeIn } from '../ui/amounts.ts';
import { Kind, Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { SessionMeta } from '../ui/session-meta.tsx';
import { type Entry, restOf, type SessionGroup } from './turn-groups.ts';
import { TurnRow } from './turn-row.tsx';

const SHOWN = 3;
const SHOWN_UNDER_WAY = 5;

interface Props {
  readonly group: SessionGroup;
  /** Before the first group of a day; else null. */
  readonly heading: string | null;
}

export function Group({ group, heading }: Props) {
  return (
    <li>
      {heading !== null && <h2 class="day">{heading}</h2>}
      <Card group={group} />
    </li>
  );
}

function Card({ group }: { readonly group: SessionGroup }) {
  const { id, session, head, isUnderWay, entries } = group;
  const title = plainLine(head?.title ?? '');
  const shown = entries.slice(0, id === null || isUnderWay ? SHOWN_UNDER_WAY : SHOWN);
  const rest = restOf(group, shown);
  return (
    <div class={isUnderWay ? 'group is-live' : 'group'}>
      <div class="group-head">
        {id === null ? (
          <span class="group-title">Saved outside of sessions</span>
        ) : (
          <a class="group-title" href={href('session', id)} dir="auto">
            {head === null ? 'The session in which this was saved' : title || 'Without a title'}
          </a>
        )}
        {session !== null ? (
          <SessionMeta session={session} />
        ) : (
          head !== null && (
            <span class="row-meta">
              <span class="strong">{plainLine(head.project)}</span>
              <span>{head.agent}</span>
            </span>
          )
        )}
      </div>
      <ul>
        {shown.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            near={session?.startedAt ?? null}
            isTitle={shown.length === 1 && isSame(entry, title)}
          />
        ))}
      </ul>
      {rest.turns > 0 && id !== null && (
        <a class="group-more" href={href('session', id)}>
          {counted(rest.turns, 'earlier turn')} in this session
        </a>
      )}
      {rest.hasMemories && (
        <a
          class="group-more"
          href={href('search', '', { q: id === null ? 'kind:memory' : `kind:memory session:"${id}"` })}
        >
          Earlier memories
        </a>
      )}
    </div>
  );
}

function isSame(entry: Entry, title: string): boolean {
  return entry.kind === 'turn' && plainLine(entry.request) === title;
}

interface RowProps {
  readonly entry: Entry;
  readonly near: string | null;
  readonly isTitle: boolean;
}

function Row({ entry, near, isTitle }: RowProps) {
  if (entry.kind === 'turn') return <TurnRow entry={entry} near={near} isTitle={isTitle} />;
  const { id, title, type, project, session } = entry.memory;
  return (
    <li class="memory-row">
      <a href={href('item', id)}>
        <Time at={entry.at} text={(at) => timeIn(at, near)} />
        <span class="turn-said">
          <span class="turn-request" dir="auto">
            {plainLine(title)}
          </span>
        </span>
        <span class="turn-state">
          <Kind kind="memory" type={type} />
          {session === null && <span>{plainLine(project)}</span>}
        </span>
      </a>
    </li>
  );
}
