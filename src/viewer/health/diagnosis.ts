// What doctor said last, with its age. It takes seconds, so it looks again only when that is old, or when it is asked to.
import { useRef } from 'preact/hooks';
import { currentToken } from '../api/access.ts';
import { get } from '../api/client.ts';
import type { Diagnosis } from '../api/types.ts';
import { type Loaded, useData } from '../api/use-data.ts';

/** An older diagnosis is shown while a new one is made, ms. */
const FRESH_MS = 5 * 60_000;

export interface DatedDiagnosis extends Pick<Diagnosis, 'ok' | 'checks'> {
  /** Unix ms. */
  readonly at: number;
}

/** Kept for the next visit. Of another worker, perhaps of another home at the same address, it says nothing. */
const storedAs = (): string => `annals.diagnosis ${currentToken()}`;

function stored(): DatedDiagnosis | null {
  const text = sessionStorage.getItem(storedAs());
  return text === null ? null : (JSON.parse(text) as DatedDiagnosis);
}

export function useDiagnosis(): Loaded<DatedDiagnosis> {
  const wantsNew = useRef(false);
  const loaded = useData('', async (signal) => {
    const isNew = wantsNew.current;
    wantsNew.current = false;
    const last = stored();
    if (last !== null && !isNew && Date.now() - last.at < FRESH_MS) return last;
    const key = storedAs();
    const found: DatedDiagnosis = { ...(await get<Diagnosis>('/api/doctor', {}, signal)), at: Date.now() };
    sessionStorage.setItem(key, JSON.stringify(found));
    return found;
  });
  const reload = () => {
    wantsNew.current = true;
    loaded.reload();
  };
  return { ...loaded, data: loaded.data ?? stored(), reload };
}
