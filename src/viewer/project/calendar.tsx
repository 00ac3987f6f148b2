// On which days sessions began: a column a week, the half year until today.
import type { ListedSession } from '../api/types.ts';
import { counted, dayText } from '../ui/amounts.ts';
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
  const recent = daysUntil(new Date(`${asOf === '' ? dayOf(new Date()) : asOf}T12:00:00`));
  // A project that rested for half a year still shows when it did not.
  const days = last < dayOf(recent[0]!) ? daysUntil(new Date(`${last}T12:00:00`)) : recent;
  const total = days.reduce((sum, day) => sum + (counts.get(dayOf(day)) ?? 0), 0);
  const first = dayText(days[0]!.toISOString());
  const end = dayText(days.at(-1)!.toISOString());
  const caption = `${counted(total, 'session')} from ${first} to ${end}`;
  return (
    <figure>
      <div class="calendar" role="img" aria-label={caption}>
        {days.map((day) => {
          const count = counts.get(dayOf(day)) ?? 0;
          return (
            <span
              key={dayOf(day)}
              class={`level-${Math.min(MANY, count)}`}
              title={`${dayText(day.toISOString())}: ${counted(count, 'session')}`}
            />
          );
        })}
      </div>
      <p class="quiet-text">
        {counted(total, 'session')} from {first} to {end}; a column is a week
      </p>
    </figure>
  );
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
