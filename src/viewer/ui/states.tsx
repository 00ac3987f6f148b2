// What a screen shows when it has nothing to show: still loading, empty, failed. Each says what to do.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useBuilding } from '../api/building.ts';
import type { ApiError } from '../api/client.ts';
import type { WorkProgress } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { count } from './amounts.ts';
import { useAsOf } from './as-of.tsx';
import { WithCode } from './with-code.tsx';

const PAST = 'Waiting for the memory of that day';
/** A short wait shows nothing. */
const QUIET_MS = 200;

export function Loading({ what }: { readonly what?: string }) {
  const isPast = useAsOf() !== '';
  const building = useBuilding();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="state" role="status">
      {isLate || building !== null ? `${textOf(what, isPast, building)} …` : ''}
    </p>
  );
}

function textOf(what: string | undefined, isPast: boolean, building: WorkProgress | null): string {
  // While views are built again, the old ones answer.
  if (building?.work === 'views')
    return `Waiting for the views: ${count(building.done)} of ${count(building.total)} events are read`;
  return what ?? (isPast ? PAST : 'Loading');
}

interface EmptyProps {
  readonly title: string;
  /** There is nothing else on the screen: its title is that of the page. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <div class="state">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function Failed({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  return (
    <div class="state failed" role="alert">
      <h2>{error.message}</h2>
      {error.hint !== null && (
        <p>
          <WithCode text={error.hint} />
        </p>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows the data, or why there is none. */
export function Shown<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  if (loaded.data !== null) return <>{children(loaded.data)}</>;
  return loaded.error === null ? <Loading /> : <Failed error={loaded.error} retry={loaded.reload} />;
}
