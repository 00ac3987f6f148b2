// Since when the page has no connection to the worker.
import { useLayoutEffect, useState } from 'preact/hooks';
import { lostAt, on } from '../api/live.ts';

/** A worker that starts again, for new settings perhaps, is back sooner, ms. */
const QUIET_MS = 2_000;

/** Unix ms; null: it is connected, or was until a moment ago. */
export function useLostAt(): number | null {
  const [shown, setShown] = useState(longLost);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      setShown(longLost());
      if (lostAt() !== null) timer = setTimeout(() => setShown(lostAt()), QUIET_MS);
    };
    look();
    const stop = on('connection', look);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return shown;
}

function longLost(): number | null {
  const at = lostAt();
  return at !== null && Date.now() - at >= QUIET_MS ? at : null;
}
