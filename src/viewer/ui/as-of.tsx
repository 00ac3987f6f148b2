// The moment whose memory the page shows: the address names a day, and every link of the page keeps it.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { get, type Query } from '../api/client.ts';
import { usePastReading } from '../api/past-reading.ts';
import type { Captured, WorkProgress } from '../api/types.ts';
import { type Loaded, useData } from '../api/use-data.ts';
import { count, dateText, dayOf, endOfDay } from './amounts.ts';
import { currentRoute, go, hasPast, href, type Route } from './route.ts';

/** A day, at whose end the memory is shown as it was; empty: as it is. */
export const AsOf = createContext('');

export const useAsOf = (): string => useContext(AsOf);

/** What can answer while the views are being built, and does not need all of them. */
const SO_FAR = /^\/api\/(sessions|turns|timeline|items|observations|summaries|memories|search)/;

interface Options {
  /** Loads again when views were built, at most this often, ms. What was does not change. */
  readonly live?: number;
  /** With `live`: loads again as soon as such an event was recorded. */
  readonly after?: (event: Captured) => boolean;
}

/** For `after`: the events of a session, by its id or the beginning of it. */
export function eventsOf(session: string): Pick<Required<Options>, 'after'> {
  return { after: (event) => event.session?.startsWith(session) === true };
}

/** What the API answers for the moment that the page shows. */
export function useRecorded<T>(path: string, query: Query = {}, { live, after }: Options = {}): Loaded<T> {
  const asOf = useAsOf();
  const given = { ...query, asOf: endOfDay(asOf), soFar: (asOf === '' && SO_FAR.test(path)) || undefined };
  return useData(
    JSON.stringify([path, given]),
    (signal) => get<T>(path, given, signal),
    live === undefined || asOf !== '' ? {} : { live, ...(after === undefined ? {} : { after }) },
  );
}

/** A search changes its address without a new route. */
function show(asOf: string): void {
  const { screen, id, query } = currentRoute();
  go(href(screen, id, { ...query, asOf }));
}

/** Chooses the day. */
export function AsOfField({ route: { screen, id, query } }: { readonly route: Route }) {
  if (!hasPast(screen, id)) return null;
  return (
    <label class="as-of">
      <span>As it was on</span>
      <input
        type="date"
        // Also keeps the year to four digits.
        max={dayOf(new Date())}
        value={query.asOf ?? ''}
        onChange={({ currentTarget }) => show(currentTarget.value)}
      />
    </label>
  );
}

export function AsOfNotice() {
  const asOf = useAsOf();
  const reading = usePastReading(endOfDay(asOf));
  if (asOf === '') return null;
  if (reading !== null) return <Reading day={dateText(asOf)} reading={reading} />;
  return (
    <p class="as-of-notice">
      <span>The memory as it was at the end of {dateText(asOf)}.</span>
      <button type="button" onClick={() => show('')}>
        See it as it is
      </button>
    </p>
  );
}

interface ReadingProps {
  readonly day: string;
  readonly reading: WorkProgress;
}

/** Without a request that waits for it, the reading stops: so to leave the day is to cancel it. */
function Reading({ day, reading: { step, done, total } }: ReadingProps) {
  const what = step === 'dates' ? 'Looks for what had happened by' : 'Reads the log up to';
  return (
    <div class="as-of-notice">
      <span role="status">
        {what} {day}
      </span>
      <span class="number">
        {count(done)} of {count(total)} events
      </span>
      <progress aria-label="Events read" max={total} value={done} />
      <button type="button" onClick={() => show('')}>
        Cancel
      </button>
    </div>
  );
}
