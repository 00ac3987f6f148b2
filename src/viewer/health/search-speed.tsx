// How long searches take here: the words of the latest prompts are searched for, one after the other.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, get } from '../api/client.ts';
import type { Page, SearchAnswer } from '../api/types.ts';
import { counted } from '../ui/amounts.ts';
import { Failed } from '../ui/states.tsx';
import { Bars } from './bars.tsx';
import { quantile } from './quantile.ts';

const SEARCHES = 20;
const WORDS_MAX = 6;

type Measured =
  | { readonly state: 'measuring' }
  | { readonly state: 'failed'; readonly error: ApiError }
  /** Both in ms: until the page had the answer, and what the search itself took. */
  | { readonly state: 'done'; readonly answered: readonly number[]; readonly searched: readonly number[] };

export function SearchSpeed() {
  const [measured, setMeasured] = useState<Measured>({ state: 'measuring' });
  useEffect(() => {
    const controller = new AbortController();
    measure(controller.signal).then(setMeasured, (error: unknown) => {
      if (error instanceof ApiError) setMeasured({ state: 'failed', error });
    });
    return () => controller.abort();
  }, []);
  return (
    <section aria-labelledby="search-heading">
      <h2 id="search-heading">Search</h2>
      {measured.state === 'measuring' && <p role="status">Searching for the words of the latest prompts …</p>}
      {measured.state === 'failed' && <Failed error={measured.error} />}
      {measured.state === 'done' && <Speed {...measured} />}
    </section>
  );
}

function Speed({ answered, searched }: Extract<Measured, { state: 'done' }>) {
  if (answered.length === 0) return <p>There are no prompts yet, so there is nothing to search for.</p>;
  const rows = (name: string, times: readonly number[]) =>
    ([50, 95] as const).map((percent) => {
      const value = quantile(times, percent / 100);
      return { name: `${name}, p${percent}`, value, text: `${value.toFixed(1)} ms` };
    });
  return (
    <Bars
      title={`${counted(answered.length, 'search', 'searches')}, measured now`}
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
  return { state: 'done', answered, searched };
}
