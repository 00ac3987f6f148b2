// A view's checkpoint, written in the same batch as its rows: so rows and anchor are never apart, and a view
// that lost its unsynced tail in a power cut is only behind. A first view stands at a place in the log; a
// second one at a place in the change feed of one generation of the view it follows.
import type { Checkpoint, Log } from '../../../log/index.ts';

export interface ViewCheckpoint {
  /** First view: the log as far as it is folded. Second: where its upstream stood. null: before all events. */
  readonly log: Checkpoint | null;
  /** Second view only; null until it is filled, so a fill that was cut off is known as one. */
  readonly upstream: FeedPosition | null;
  /** How many changes this generation has seen: the number of its newest feed entry, kept or not. */
  readonly seq: number;
  /** The oldest feed entry that is kept; `seq + 1` when none is. */
  readonly feedFrom: number;
  /** Dead letters of this generation. */
  readonly dead: number;
}

export interface FeedPosition {
  readonly generation: string;
  readonly seq: number;
}

export const EMPTY_CHECKPOINT: ViewCheckpoint = { log: null, upstream: null, seq: 0, feedFrom: 1, dead: 0 };

/** How a view and the log fit, where they do not. Kept until `heal()` or until the log is whole again. */
export interface RunnerProblem {
  readonly code: 'LOG_DAMAGED' | 'VIEW_DAMAGED';
  readonly view: string;
  /** One sentence, without captured text. */
  readonly message: string;
}

/** Holds an anchor against the log. null when that event is there with the same chain. */
export async function logProblem(
  view: string,
  checkpoint: ViewCheckpoint,
  log: Log,
): Promise<RunnerProblem | null> {
  if (checkpoint.log === null) return null;
  const comparison = await log.compareCheckpoint(checkpoint.log);
  if (comparison === 'held') return null;
  const position = checkpoint.log.position.toLocaleString('en-US');
  const message =
    comparison === 'ahead'
      ? `log lost its tail: ${log.head().position.toLocaleString('en-US')} of ${position}`
      : checkpoint.log.logId === log.logId
        ? `the log changed before event ${position}: its chain is not the one this view was made from`
        : `this view was made from another log (${checkpoint.log.logId}, event ${position})`;
  return { code: 'LOG_DAMAGED', view, message };
}

/** Reads an anchor back. null when the text is not one. */
export function parseCheckpoint(text: string): ViewCheckpoint | null {
  const found = parsedJson(text);
  if (!isRecord(found)) return null;
  const { log, upstream, seq, feedFrom, dead } = found;
  if (!isCount(seq) || !isCount(feedFrom) || !isCount(dead)) return null;
  if (log !== null && !isLogCheckpoint(log)) return null;
  if (upstream !== null && !isFeedPosition(upstream)) return null;
  return { log, upstream, seq, feedFrom, dead };
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLogCheckpoint(value: unknown): value is Checkpoint {
  return (
    isRecord(value) &&
    typeof value.logId === 'string' &&
    isCount(value.position) &&
    typeof value.chain === 'string'
  );
}

function isFeedPosition(value: unknown): value is FeedPosition {
  return isRecord(value) && typeof value.generation === 'string' && isCount(value.seq);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
