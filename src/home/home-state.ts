// What a query has to know of the part of the home that writes: how far the views are, which imports run, what is wrong.
import type { Log } from '../../log/index.ts';
import type { Runner } from '../../projections/index.ts';
import type { EmbedderState } from '../embed/embedders/embedding.ts';
import { counted, grouped } from '../terminal-text/grouped-number.ts';

export interface HomeState {
  /** The last position of the log. */
  readonly head: number;
  /** The log position that every view covers. */
  readonly projected: number;
  /** Queries wait for the views up to this position, because a caller appended the events. */
  readonly required: number;
  /** Whether the views are built again beside those that are read. */
  readonly isBuilding: boolean;
  /** Whether an import runs, its vectors included. Queries then wait for nothing beyond `required`. */
  readonly isImporting: boolean;
  /** Files that running imports have read, and all of them; null when none is reading. */
  readonly reading: { readonly filesDone: number; readonly filesTotal: number } | null;
  /** Problems that every answer reports, one sentence each. */
  readonly problems: readonly string[];
  /** What a person must do, one sentence; null most of the time. */
  readonly notice: string | null;
  /** What the last run of the embedder recorded. */
  readonly embedder: EmbedderState | null;
}

/** The imports that run, and what was appended by callers. */
export class RunningImports {
  readonly #running = new Set<{ reading: HomeState['reading'] }>();
  /** Called after each change. */
  onChange: () => void = () => undefined;
  /** As in `HomeState`. */
  required = 0;
  /** Which session or sub-agent launched each sub-agent whose file was read. */
  readonly launchers = new Map<string, string>();

  /** Registers an import that starts. `read` takes how far it is, null once everything is read. */
  begin(): { read(files: HomeState['reading']): void; end(): void } {
    const one = { reading: null as HomeState['reading'] };
    this.#running.add(one);
    this.onChange();
    return {
      read: (files) => {
        one.reading = files;
        this.onChange();
      },
      end: () => {
        this.#running.delete(one);
        this.onChange();
      },
    };
  }

  /** Queries from now on wait for the events up to this position. */
  noteAppended(position: number): void {
    this.required = Math.max(this.required, position);
    this.onChange();
  }

  get isImporting(): boolean {
    return this.#running.size > 0;
  }

  get reading(): HomeState['reading'] {
    const reading = [...this.#running].flatMap((one) => one.reading ?? []);
    if (reading.length === 0) return null;
    const sum = (of: 'filesDone' | 'filesTotal') => reading.reduce((total, one) => total + one[of], 0);
    return { filesDone: sum('filesDone'), filesTotal: sum('filesTotal') };
  }
}

export interface StateSources {
  readonly log: Pick<Log, 'head' | 'damage'>;
  readonly runner: Pick<Runner, 'projected' | 'problems' | 'isBuilding'>;
  readonly imports: RunningImports;
  readonly embedding: { readonly recorded: EmbedderState | null };
  /** Problems with the settings, one sentence each. */
  readonly settingsDegraded: readonly string[];
  readonly unfinished: readonly string[];
  readonly notice: { readonly text: string | null };
}

export function stateOf({
  log,
  runner,
  imports,
  embedding,
  settingsDegraded,
  unfinished,
  notice,
}: StateSources): HomeState {
  return {
    head: log.head().position,
    projected: runner.projected(),
    required: imports.required,
    isBuilding: runner.isBuilding,
    isImporting: imports.isImporting,
    reading: imports.reading,
    problems: [
      ...settingsDegraded,
      ...unfinished,
      ...log.damage.map(({ message }) => message),
      ...runner.problems.map(({ message }) => message),
    ],
    notice: notice.text,
    embedder: embedding.recorded,
  };
}

/** Whether a query may be answered from the views as they are: only an import is ahead of them. */
export function mayReadNow({ isImporting, projected, required }: HomeState): boolean {
  return isImporting && projected >= required;
}

/** Views that are more events behind than hooks leave within moments are being built. */
export const FAR_BEHIND = 1_000;

/** Whether a caller that takes what there is so far gets it. */
export function isPartial(state: HomeState): boolean {
  return state.isBuilding || state.head - state.projected > FAR_BEHIND || mayReadNow(state);
}

/** What an answer from such views may lack, for `degraded`. */
export function partialSentences(state: HomeState): string[] {
  const { head, projected, isBuilding } = state;
  if (head - projected > FAR_BEHIND)
    return [
      `The views are being built from the log: ${grouped(projected)} of ${grouped(head)} events so far. What is recorded meanwhile is safe.`,
    ];
  if (isBuilding) return ['The views are being built again; until then the old ones answer.'];
  return importSentences(state, projected);
}

/**
 * What cannot be found yet, for `degraded`.
 * @param found the log position up to which everything can be found
 */
export function importSentences({ head, reading }: HomeState, found: number): string[] {
  if (reading === null) return [];
  const { filesDone, filesTotal } = reading;
  const behind = Math.max(0, head - found);
  const files = filesTotal === 0 ? '' : `, ${grouped(filesDone)} of ${grouped(filesTotal)} files so far`;
  const events =
    behind === 0
      ? 'everything read so far can be found'
      : `${counted(behind, 'event')} read so far cannot be found yet`;
  return [`An import is running${files}: ${events}.`];
}
