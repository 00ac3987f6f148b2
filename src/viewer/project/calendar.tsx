// On which days sessions began: a column a week, the half year until today.
import type { ListedSession } from '../api/types.ts';
import { count, counted, dayText, monthText } from '../ui/amounts.ts';
import { useAsOf } from '../ui/as-of.tsx';

const WEEKS = 26;
const DAY_MS = 86_400_000;
/** Sessions of a day from which it has the darkest colour. */
const MANY = 5;

export function Calendar({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  const counts = new Map<string, number>();
  for (const { startedAt } of sessions)
    if (startedAt !== null)
      counts.set(dayOf(new Date(startedAt)), (counts.get(dayOf(new Date(startedAt))) ?? 0) + 1);
  const asOf = useAsOf();
  const last = [...counts.keys()].sort().at(-1);
  if (last === undefined) return null;
  const today = asOf === '' ? dayOf(new Date()) : asOf;
  const recent = daysUntil(new Date(`${today}T12:00:00`));
  // A project that rested for half a year still shows when it did not.
  const days = last < dayOf(recent[0]!) ? daysUntil(new Date(`${last}T12:00:00`)) : recent;
  const past = days.filter((day) => dayOf(day) <= today);
  const total = past.reduce((sum, day) => sum + (counts.get(dayOf(day)) ?? 0), 0);
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

/** In the browser's time zone. */
function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
