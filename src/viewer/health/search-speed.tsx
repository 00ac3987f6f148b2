// How long searches take here: the words of the latest prompts are searched for, one after the other, when a person asks.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, get } from '../api/client.ts';
import type { Page, SearchAnswer } from '../api/types.ts';
import { counted, timeText } from '../ui/amounts.ts';
import { Failed } from '../ui/states.tsx';
import { Bars } from './bars.tsx';
import { quantile } from './quantile.ts';

const SEARCHES = 20;
const WORDS_MAX = 6;

interface Measured {
  /** ISO 8601. */
  readonly at: string;
  /** Until the page had the answer, ms. */
  readonly answered: readonly number[];
  /** What the search itself took, ms. */
  readonly searched: readonly number[];
}

/** Kept while the page is open. */
let last: Measured | null = null;

export function SearchSpeed() {
  const [measured, setMeasured] = useState(last);
  const [error, setError] = useState<ApiError | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  useEffect(() => () => running?.abort(), [running]);
  const start = () => {
    const controller = new AbortController();
    setRunning(controller);
    setError(null);
    measure(controller.signal)
      .then(
        (found) => {
          last = found;
          setMeasured(found);
        },
        (failure: unknown) => {
          if (failure instanceof ApiError) setError(failure);
        },
      )
      .finally(() => setRunning(null));
  };
  return (
    <section aria-labelledby="search-heading">
      <h2 id="search-heading">Search</h2>
      {measured === null ? (
        <p class="quiet-text">How long a search takes here, with the words of your latest prompts.</p>
      ) : (
        <Times measured={measured} />
      )}
      {error !== null && <Failed error={error} />}
      <div class="actions">
        <button type="button" disabled={running !== null} onClick={start}>
          {running !== null
            ? 'Measuring …'
            : measured === null
              ? `Measure ${SEARCHES} searches`
              : 'Measure again'}
        </button>
      </div>
    </section>
  );
}

function Times({ measured: { at, answered, searched } }: { readonly measured: Measured }) {
  if (answered.length === 0) return <p>There is no prompt to search for.</p>;
  const rows = (name: string, times: readonly number[]) =>
    [50, 95].map((percent) => {
      const value = quantile(times, percent / 100);
      return { name: `${name}, p${percent}`, value, text: `${value.toFixed(1)} ms` };
    });
  return (
    <Bars
      title={`${counted(answered.length, 'search', 'searches')}, measured at ${timeText(at)}`}
      bars={[...rows('Search', searched), ...rows('Until the page has the answer', answered)]}
    />
  );
}

async function measure(signal: AbortSignal): Promise<Measured> {
  const { items } = await get<Page<{ title: string }>>('/api/prompts', { limit: SEARCHES }, signal);
  const queries = items.map(({ title }) =>
    (title.match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, WORDS_MAX).join(' '),
  );
  const answered: number[] = [];
  const searched: number[] = [];
  for (const q of queries.filter((query) => query !== '')) {
    const began = performance.now();
    const { ms } = await get<SearchAnswer>('/api/search', { q }, signal);
    answered.push(performance.now() - began);
    searched.push(ms);
  }
  return { at: new Date().toISOString(), answered, searched };
}
