// What doctor said last, with its age. It takes seconds, so it looks again only when that is old, or when it is asked to.
import { useRef } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { Diagnosis } from '../api/types.ts';
import { type Loaded, useData } from '../api/use-data.ts';

/** An older diagnosis is shown while a new one is made, ms. */
const FRESH_MS = 5 * 60_000;

export interface DatedDiagnosis extends Pick<Diagnosis, 'ok' | 'checks'> {
  /** Unix ms. */
  readonly at: number;
}

/** Kept for the next visit, also in another tab. */
const STORED_AS = 'annals.diagnosis';

let last: DatedDiagnosis | null = stored();

function stored(): DatedDiagnosis | null {
  const text = localStorage.getItem(STORED_AS);
  return text === null ? null : (JSON.parse(text) as DatedDiagnosis);
}

export function useDiagnosis(): Loaded<DatedDiagnosis> {
  const wantsNew = useRef(false);
  const loaded = useData('', async (signal) => {
    const isNew = wantsNew.current;
    wantsNew.current = false;
    if (last !== null && !isNew && Date.now() - last.at < FRESH_MS) return last;
    const found = await get<Diagnosis>('/api/doctor', {}, signal);
    last = { ...found, at: Date.now() };
    localStorage.setItem(STORED_AS, JSON.stringify(last));
    return last;
  });
  const reload = () => {
    wantsNew.current = true;
    loaded.reload();
  };
  return { ...loaded, data: loaded.data ?? last, reload };
}
