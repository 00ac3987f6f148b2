// Tracks the imports that run in an open home: how far they are, and up to which position reads must wait, because the
// caller appended the events himself.
import type { Log } from '../../log/index.ts';
import type { Embedder, FeedPosition, ProjectIndex, Runner } from '../../projections/index.ts';
import type { ImportProgress } from '../api.ts';

type Progress = Pick<ImportProgress, 'filesDone' | 'filesTotal'>;

/** The text index, or that of the vectors that an embedder makes by its recipe. */
type IndexName = 'text' | Embedder['recipe'];

export class RunningImports {
  readonly #reading = new Set<{ progress: Progress | null }>();
  /** Log position up to which this caller appended events. */
  #appendedUpTo = 0;
  /** Index → its projects that are in memory. */
  readonly #loaded = new Map<string, Set<string>>();
  /** Index and project → the position of the view that an import last saved it at. */
  readonly #saved = new Map<string, FeedPosition>();

  /** Registers an import that starts reading. */
  begin(): { note(progress: Progress): void; end(): void } {
    const one = { progress: null as Progress | null };
    this.#reading.add(one);
    return {
      note: (progress) => {
        one.progress = progress;
      },
      end: () => this.#reading.delete(one),
    };
  }

  /** Reads from now on wait for the caller's own events up to this position. */
  noteAppended(position: number): void {
    this.#appendedUpTo = Math.max(this.#appendedUpTo, position);
  }

  /** Notes that an index of these projects was searched, so it is in memory. Vectors of another recipe are another index. */
  loaded(index: IndexName, projects: readonly ProjectIndex[]): void {
    const names = this.#loaded.get(index) ?? new Set<string>();
    this.#loaded.set(index, names);
    for (const project of projects) names.add(nameOf(project));
  }

  isLoaded(index: IndexName, project: ProjectIndex): boolean {
    return this.#loaded.get(index)?.has(nameOf(project)) === true;
  }

  saved(index: IndexName, project: ProjectIndex, position: FeedPosition): void {
    this.#saved.set(`${index} ${nameOf(project)}`, position);
  }

  /** Where an import of this process last saved the index of a project that is not in memory. */
  savedAt(index: IndexName, project: ProjectIndex): FeedPosition | undefined {
    return this.#saved.get(`${index} ${nameOf(project)}`);
  }

  /** Whether a read may skip waiting for the views: only an import is ahead of them. */
  mayRead(runner: Pick<Runner, 'projected' | 'isImporting'>): boolean {
    return runner.isImporting && runner.projected() >= this.#appendedUpTo;
  }

  /** What cannot be found yet, for `degraded`. */
  sentences(log: Pick<Log, 'head'>, runner: Pick<Runner, 'projected'>): string[] {
    if (this.#reading.size === 0) return [];
    let done = 0;
    let total = 0;
    for (const { progress } of this.#reading) {
      done += progress?.filesDone ?? 0;
      total += progress?.filesTotal ?? 0;
    }
    const behind = Math.max(0, log.head().position - runner.projected());
    const files = total === 0 ? '' : `, ${count(done)} of ${count(total)} files so far`;
    const events =
      behind === 0
        ? 'everything read so far can be found'
        : `${count(behind)} ${behind === 1 ? 'event' : 'events'} read so far cannot be found yet`;
    return [`An import is running${files}: ${events}.`];
  }
}

/** Project id and workdirs: other workdirs make another index. */
function nameOf({ id, workdirs }: ProjectIndex): string {
  return [id, ...[...workdirs].sort()].join('\n');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
