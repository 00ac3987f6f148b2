// Memories with fixed ids and times: appending them twice stores them once, wherever the first call ended.
import type { NewEvent } from '../../../src/index.ts';

export const MARKERS = 200;

export function markerEvent(number: number): NewEvent<'memory.saved'> {
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey: `marker-${number}`,
    channel: 'api',
    occurredAt: Date.UTC(2026, 0, 1) + number * 1_000,
    body: { title: `Marker ${number}`, text: `The ${number}th memory saved while an import ran.` },
  };
}

export function allMarkers(): NewEvent<'memory.saved'>[] {
  return Array.from({ length: MARKERS }, (_, index) => markerEvent(index + 1));
}
