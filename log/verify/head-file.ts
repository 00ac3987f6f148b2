// The head file: a small file outside LevelDB with the last known position and chain of the log. LevelDB silently
// drops the end of a damaged write-ahead file (measured: one flipped byte, the last batch gone); only a record
// outside it can reveal that. A head file that the log no longer matches is kept as evidence until a user accepts
// the loss.
import type { Checkpoint } from '../event.ts';
import type { Log, LogFiles, VerifyProblem } from '../log.ts';
import { storeError } from '../store.ts';

export class HeadFile {
  readonly #files: LogFiles;
  readonly #path: string | null;
  readonly #log: Pick<Log, 'head' | 'compareCheckpoint'>;

  /** `path` is null for a log in memory, which has no head file. */
  constructor(files: LogFiles, path: string | null, log: Pick<Log, 'head' | 'compareCheckpoint'>) {
    this.#files = files;
    this.#path = path;
    this.#log = log;
  }

  /** The difference between the head file and the log; null when they agree. */
  async problem(): Promise<VerifyProblem | null> {
    return this.#path === null ? null : this.#problemOf(await readHeadFile(this.#files, this.#path));
  }

  /** Returns false when the file was kept as evidence, and for a log in memory. @throws AnnalsError DISK_FULL, HOME_UNWRITABLE */
  async save({ acceptLoss = false }: { acceptLoss?: boolean } = {}): Promise<boolean> {
    if (this.#path === null) return false;
    const written = await readHeadFile(this.#files, this.#path);
    if (!acceptLoss && (await this.#problemOf(written)) !== null) return false;
    const head = this.#log.head();
    // Most commands only read; two syncs to rewrite the same content would take a tenth of their time.
    if (isSame(written, head)) return true;
    try {
      await this.#files.writeAtomically(this.#path, `${JSON.stringify(head)}\n`);
    } catch (error) {
      throw storeError(error, 'The head file could not be written');
    }
    return true;
  }

  async #problemOf(written: Checkpoint | 'unreadable' | null): Promise<VerifyProblem | null> {
    if (written === null || written === 'unreadable') return headProblem(written, 'held', 0);
    return headProblem(written, await this.#log.compareCheckpoint(written), this.#log.head().position);
  }
}

async function readHeadFile(files: LogFiles, path: string): Promise<Checkpoint | 'unreadable' | null> {
  const text = await files.readText(path);
  if (text === undefined) return null;
  try {
    const head: unknown = JSON.parse(text);
    return isCheckpoint(head) ? head : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** The problem that a head file shows; null when it agrees with the log or does not exist. */
function headProblem(
  written: Checkpoint | 'unreadable' | null,
  comparison: 'held' | 'ahead' | 'foreign',
  found: number,
): VerifyProblem | null {
  if (written === null) return null;
  if (written === 'unreadable')
    return { kind: 'head', position: null, message: 'the head beside the log cannot be read' };
  if (comparison === 'held') return null;
  const message =
    comparison === 'ahead'
      ? `log lost its tail: ${count(found)} of ${count(written.position)}`
      : `the head beside the log was written by another log or the log changed below position ${count(written.position)}`;
  return { kind: 'head', position: written.position, message };
}

function isSame(written: Checkpoint | 'unreadable' | null, { logId, position, chain }: Checkpoint): boolean {
  if (written === null || written === 'unreadable') return false;
  return written.logId === logId && written.position === position && written.chain === chain;
}

function isCheckpoint(value: unknown): value is Checkpoint {
  if (typeof value !== 'object' || value === null) return false;
  const checkpoint = value as Record<string, unknown>;
  return (
    typeof checkpoint.logId === 'string' &&
    typeof checkpoint.chain === 'string' &&
    typeof checkpoint.position === 'number' &&
    Number.isSafeInteger(checkpoint.position)
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
