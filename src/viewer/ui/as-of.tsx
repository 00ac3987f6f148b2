// The moment whose memory the page shows: the address names a day, and every link of the page keeps it.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { get, type Query } from '../api/client.ts';
import type { Captured } from '../api/types.ts';
import { type Loaded, useData } from '../api/use-data.ts';
import { dateText, endOfDay } from './amounts.ts';
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
        value={query.asOf ?? ''}
        onChange={({ currentTarget }) => show(currentTarget.value)}
      />
    </label>
  );
}

export function AsOfNotice() {
  const asOf = useAsOf();
  if (asOf === '') return null;
  return (
    <p class="as-of-notice">
      <span>The memory as it was at the end of {dateText(asOf)}.</span>
      <button type="button" onClick={() => show('')}>
        See it as it is
      </button>
    </p>
  );
}
