// Memories with fixed ids and times: appended twice they are there once, wherever the first call ended.
import type { Telling } from '../../src/index.ts';

export const MARKERS = 200;

export function markerTelling(number: number): Telling<'memory.saved'> {
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    fact: `marker-${number}`,
    witness: 'api',
    occurredAt: Date.UTC(2026, 0, 1) + number * 1_000,
    body: { title: `Marker ${number}`, text: `The ${number}th thing told while an import ran.` },
  };
}

export function allMarkers(): Telling<'memory.saved'>[] {
  return Array.from({ length: MARKERS }, (_, index) => markerTelling(index + 1));
}
