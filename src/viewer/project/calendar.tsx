// On which days something of a session is known: a column a week, the half year until today.
import type { ListedObservation, ListedSession } from '../api/types.ts';
import { count, counted, dayOf, dayText, monthText } from '../ui/amounts.ts';
import { useAsOf } from '../ui/as-of.tsx';

const WEEKS = 26;
const DAY_MS = 86_400_000;
/** Sessions of a day from which it has the darkest colour. */
const MANY = 5;

interface Props {
  readonly sessions: readonly ListedSession[];
  /** They say what happened between the beginning and the end of a session. */
  readonly observations: readonly ListedObservation[];
}

export function Calendar({ sessions, observations }: Props) {
  const active = activeOn(sessions, observations);
  const counts = new Map([...active].map(([day, ids]) => [day, ids.size]));
  const asOf = useAsOf();
  const last = [...counts.keys()].sort().at(-1);
  if (last === undefined) return null;
  const today = asOf === '' ? dayOf(new Date()) : asOf;
  const recent = daysUntil(new Date(`${today}T12:00:00`));
  // A project that rested for half a year still shows when it did not.
  const days = last < dayOf(recent[0]!) ? daysUntil(new Date(`${last}T12:00:00`)) : recent;
  const past = days.filter((day) => dayOf(day) <= today);
  const total = new Set(past.flatMap((day) => [...(active.get(dayOf(day)) ?? [])])).size;
  const [first, end] = [past[0]!, past.at(-1)!].map((day) => dayText(day.toISOString()));
  const span = end === 'Today' ? `since ${first}` : `from ${first} to ${end}`;
  const caption =
    total === sessions.length
      ? `${counted(total, 'session')} ${span}`
      : `${count(total)} of ${counted(sessions.length, 'session')} ${span}`;
  return (
    <figure class="calendar-figure">
      <div class="calendar" role="img" aria-label={caption}>
        {monthsOf(days).map(({ name, column }) => (
          <span key={column} class="calendar-month" style={{ gridColumn: `${column + 1} / span 4` }}>
            {name}
          </span>
        ))}
        {days.map((day, index) => {
          const many = counts.get(dayOf(day)) ?? 0;
          const place = { gridColumn: Math.floor(index / 7) + 1, gridRow: (index % 7) + 2 };
          if (dayOf(day) > today) return null;
          return (
            <span
              key={dayOf(day)}
              class={`level-${Math.min(MANY, many)}`}
              title={`${dayText(day.toISOString())}: ${counted(many, 'session')}`}
              style={place}
            />
          );
        })}
      </div>
      <p class="quiet-text">{caption}; a column is a week, darker is more</p>
    </figure>
  );
}

/** The sessions of each day. */
function activeOn(
  sessions: readonly ListedSession[],
  observations: readonly ListedObservation[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const active = new Map<string, Set<string>>();
  const add = (id: string, at: string | null) => {
    if (at === null) return;
    const day = dayOf(new Date(at));
    active.set(day, (active.get(day) ?? new Set()).add(id));
  };
  const listed = new Set(sessions.map(({ id }) => id));
  for (const { id, startedAt, endedAt } of sessions) for (const at of [startedAt, endedAt]) add(id, at);
  for (const { session, at } of observations) if (listed.has(session)) add(session, at);
  return active;
}

/** The columns in which a month begins; none so near the end that its name has no room. */
function monthsOf(days: readonly Date[]) {
  const months = days.flatMap((day, index) =>
    index % 7 === 0 && day.getDate() <= 7 ? [{ name: monthText(day.toISOString()), column: index / 7 }] : [],
  );
  return months.filter(({ column }) => column <= WEEKS - 3);
}

/** Whole weeks that begin on Monday. */
function daysUntil(last: Date): readonly Date[] {
  const sunday = new Date(last.getTime() + ((7 - last.getDay()) % 7) * DAY_MS);
  return Array.from(
    { length: WEEKS * 7 },
    (_, index) => new Date(sunday.getTime() - (WEEKS * 7 - 1 - index) * DAY_MS),
  );
}
