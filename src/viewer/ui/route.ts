// Where the viewer is: `#/session/<id>?at=12`. Every view has an address, so that it can be linked and reloaded.
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Route {
  /** The first part of the path: the screen. */
  readonly screen: string;
  /** The second part; empty if there is none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Screens that can show an earlier moment. */
const WITH_PAST: ReadonlySet<string> = new Set(['now', 'search', 'sessions', 'session', 'item', 'project']);

/** The list of projects has only their present figures. */
export function hasPast(screen: string, id: string): boolean {
  return WITH_PAST.has(screen) && (screen !== 'project' || id !== '');
}

/** Keeps the moment that the page shows, unless `query` names another. */
export function href(screen: string, id = '', query: Values = {}): string {
  const asOf = WITH_PAST.has(screen) ? currentRoute().query.asOf : undefined;
  const given = Object.entries({ asOf, ...query }).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${screen}${id === '' ? '' : `/${encodeURIComponent(id)}`}${text === '' ? '' : `?${text}`}`;
}

export function go(address: string): void {
  location.hash = address;
}

/** Changes the address without a new entry in the history; `useRoute` does not notice. */
export function noteRoute(address: string): void {
  history.replaceState(null, '', address);
}

export function currentRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', id = ''] = path.split('/', 2);
  return { screen: screen || 'now', id: decoded(id), query: Object.fromEntries(new URLSearchParams(query)) };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  // An effect would begin after the first paint, and miss an address that changed before.
  useLayoutEffect(() => {
    const changed = () => setRoute(currentRoute());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
