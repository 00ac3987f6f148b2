// The checkpoint of a generation, written in the same batch as its rows. So the two always match, and views that lost
// unsynced writes in a power cut are only behind.
import { type Checkpoint, isRecord, type Log, parseOwnJson } from '../../../log/index.ts';

export interface GenerationCheckpoint {
  /** The last event that is folded; null before the first one. */
  readonly log: Checkpoint | null;
  /** Number of the newest change in the change feed, whether that entry is kept or not. */
  readonly seq: number;
  /** The oldest feed entry that is kept; `seq + 1` when there is none. */
  readonly feedFrom: number;
  /** Number of dead letters by view. */
  readonly deadLetters: Readonly<Record<string, number>>;
}

/** A position in the change feed of one generation. */
export interface FeedPosition {
  readonly generation: string;
  readonly seq: number;
}

export const EMPTY_CHECKPOINT: GenerationCheckpoint = { log: null, seq: 0, feedFrom: 1, deadLetters: {} };

/** A mismatch between views and log. Kept until a rebuild, or until the log matches again. */
export interface RunnerProblem {
  readonly code: 'LOG_DAMAGED' | 'VIEW_DAMAGED';
  /** One sentence, without captured text. */
  readonly message: string;
}

/** Compares a checkpoint with the log. Null when the log has that event with the same chain. */
export async function logProblem(
  checkpoint: GenerationCheckpoint,
  log: Pick<Log, 'compareCheckpoint' | 'head' | 'logId'>,
): Promise<RunnerProblem | null> {
  if (checkpoint.log === null) return null;
  const comparison = await log.compareCheckpoint(checkpoint.log);
  if (comparison === 'held') return null;
  const position = checkpoint.log.position.toLocaleString('en-US');
  const message =
    comparison === 'ahead'
      ? `the log lost its end: it has ${log.head().position.toLocaleString('en-US')} of ${position} events`
      : checkpoint.log.logId === log.logId
        ? `the log changed before event ${position}: its chain is not the one the views were built from`
        : `the views were built from another log (${checkpoint.log.logId}, event ${position})`;
  return { code: 'LOG_DAMAGED', message };
}

/** Null when the text is not a checkpoint. */
export function parseCheckpoint(text: string): GenerationCheckpoint | null {
  const found = parseOwnJson(text);
  if (!isRecord(found)) return null;
  const { log, seq, feedFrom, deadLetters } = found;
  if (!isCount(seq) || !isCount(feedFrom)) return null;
  if (!isRecord(deadLetters) || !Object.values(deadLetters).every(isCount)) return null;
  if (log !== null && !isLogCheckpoint(log)) return null;
  return { log, seq, feedFrom, deadLetters: deadLetters as Record<string, number> };
}

function isLogCheckpoint(value: unknown): value is Checkpoint {
  return (
    isRecord(value) &&
    typeof value.logId === 'string' &&
    isCount(value.position) &&
    typeof value.chain === 'string'
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
