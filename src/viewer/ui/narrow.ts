import { useEffect, useState } from 'preact/hooks';

const NARROW = matchMedia('(max-width: 760px)');

/** Whether the display is narrow, as the style sheets have it. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const changed = () => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', changed);
    return () => NARROW.removeEventListener('change', changed);
  }, []);
  return isNarrow;
}
