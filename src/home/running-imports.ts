// The imports that are under way in an open home, for whoever reads meanwhile: how far they are, and from where on a
// reader has to see everything, because the caller told it himself.
import type { Log } from '../../log/index.ts';
import type { Embedder, ProjectIndex, Runner } from '../../projections/index.ts';
import type { ImportProgress } from '../api.ts';

type Progress = Pick<ImportProgress, 'filesDone' | 'filesTotal'>;

/** The text index, or that of the vectors that an embedder makes by its recipe. */
type IndexName = 'text' | Embedder['recipe'];

export class RunningImports {
  readonly #reading = new Set<{ progress: Progress | null }>();
  /** Log position up to which this caller's own tellings stand. */
  #appendedUpTo = 0;
  /** By index: the projects of it that are in memory. */
  readonly #loaded = new Map<string, Set<string>>();

  /** An import begins to read. */
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

  /** The caller told something himself: from now on his readers wait for it. */
  noteAppended(position: number): void {
    this.#appendedUpTo = Math.max(this.#appendedUpTo, position);
  }

  /** An index of these projects is asked: from now on it is in memory. Vectors of another recipe are another index. */
  loaded(index: IndexName, projects: readonly ProjectIndex[]): void {
    const names = this.#loaded.get(index) ?? new Set<string>();
    this.#loaded.set(index, names);
    for (const project of projects) names.add(nameOf(project));
  }

  isLoaded(index: IndexName, project: ProjectIndex): boolean {
    return this.#loaded.get(index)?.has(nameOf(project)) === true;
  }

  /** Whether a reader need not wait for the views: only an import is ahead of them. */
  mayRead(runner: Pick<Runner, 'projected' | 'isFlood'>): boolean {
    return runner.isFlood && runner.projected() >= this.#appendedUpTo;
  }

  /** What is not found yet, for `degraded`. */
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
        ? 'all that it has read is found'
        : `of what it has read ${count(behind)} ${behind === 1 ? 'event is' : 'events are'} not found yet`;
    return [`An import is under way${files}: ${events}.`];
  }
}

/** With other places it is another index. */
function nameOf({ id, workdirs }: ProjectIndex): string {
  return [id, ...[...workdirs].sort()].join('\n');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
