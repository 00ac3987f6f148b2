// What happened last and what happens now, newest first: the timeline, and each tool use, answer and start of a session
// as the stream reports it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { on } from '../api/live.ts';
import { type Captured, detail, type ShownItem, type TimelineAnswer, textDetail } from '../api/types.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { cut, plainLine } from '../ui/plain.ts';
import { toolText } from '../ui/tool-text.ts';

export interface FeedRow {
  readonly key: string;
  /** Null for an event. */
  readonly item: string | null;
  /** Of an event. */
  readonly event: string | null;
  readonly kind: string;
  readonly type: string | null;
  readonly title: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly project: string | null;
  readonly at: string | null;
  readonly failed: boolean;
}

/** The other types are in the timeline. */
const LIVE_TYPES: ReadonlySet<string> = new Set([
  'tool.used',
  'agent.replied',
  'session.started',
  'session.ended',
]);
const TIMELINE_ROWS = 100;
const ROWS_MAX = 2_000;
const READ_AT_ONCE = 4;
const TITLE_CHARS_MAX = 300;

/** Null until the timeline is there. */
export function useFeed() {
  const timeline = useRecorded<TimelineAnswer>('/api/timeline', { limit: TIMELINE_ROWS }, { live: 250 });
  const events = useEventRows();
  const rows = useMemo(() => {
    if (timeline.data === null) return null;
    const items = timeline.data.rows.map(rowOfItem);
    return [...items, ...events].sort(newestFirst);
  }, [timeline.data, events]);
  return { ...timeline, data: rows };
}

function rowOfItem({ id, kind, type, title, session, project, at }: TimelineAnswer['rows'][number]): FeedRow {
  const text = plainLine(title);
  return {
    ...{ key: id, item: id, event: null, kind, type, title: text },
    ...{ session, agent: null, project, at, failed: false },
  };
}

function newestFirst(a: FeedRow, b: FeedRow): number {
  return (b.at ?? '').localeCompare(a.at ?? '') || b.key.localeCompare(a.key);
}

/** One fact may be reported by a hook and by the transcript: it is one row. */
function useEventRows(): readonly FeedRow[] {
  const [rows, setRows] = useState<ReadonlyMap<string, FeedRow>>(new Map());
  const waiting = useRef<Captured[]>([]);
  const reading = useRef(0);
  const isPast = useAsOf() !== '';
  useEffect(() => {
    if (isPast) return;
    let isHere = true;
    const readNext = async (): Promise<void> => {
      const event = waiting.current.pop();
      if (event === undefined) return;
      reading.current += 1;
      const item = await get<ShownItem>(`/api/items/${event.id}`).catch(() => null);
      reading.current -= 1;
      const row = item === null ? null : rowOfEvent(item);
      if (isHere && row !== null) setRows((known) => new Map([...known].slice(-ROWS_MAX)).set(row.key, row));
      void readNext();
    };
    const stop = on('captured', (event) => {
      if (!LIVE_TYPES.has(event.type)) return;
      waiting.current = [...waiting.current, event].slice(-ROWS_MAX);
      if (reading.current < READ_AT_ONCE) void readNext();
    });
    return () => {
      isHere = false;
      stop();
    };
  }, []);
  return useMemo(() => [...rows.values()], [rows]);
}

/** Null if there is nothing to show: an answer without text. */
function rowOfEvent({ id, type, session, agent, at, text, details }: ShownItem): FeedRow | null {
  const body = detail(details, 'body') ?? null;
  const fact = textDetail(details, 'dedupeKey') ?? '';
  const row = {
    key: `${session} ${type} ${fact}`,
    item: null,
    event: id,
    session,
    agent,
    project: null,
    at,
    failed: false,
  };
  switch (type) {
    case 'tool.used': {
      const title = cut(toolText(detail(body, 'input') ?? null), TITLE_CHARS_MAX);
      const failed = textDetail(body, 'outcome') === 'failed';
      return { ...row, kind: 'tool', type: textDetail(body, 'name'), title, failed };
    }
    case 'agent.replied': {
      const title = plainLine(cut(text, TITLE_CHARS_MAX));
      return title === '' ? null : { ...row, kind: 'answer', type: null, title };
    }
    case 'session.started':
      return { ...row, kind: 'session', type: null, title: 'The session started' };
    default:
      return { ...row, kind: 'session', type: null, title: 'The session ended' };
  }
}
