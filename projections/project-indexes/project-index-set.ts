// An index of one kind over all projects. Each project is loaded at its first search, caught up at every search, saved
// on request, and unloaded when memory runs short. Calls run one after the other, so that a search never sees half of a
// change; only compaction and writing run concurrently, in slices.
import { createHash, type Hash } from 'node:crypto';
import { Mutex } from '../../log/index.ts';
import type { MemoryDocument } from '../documents/document.ts';
import type {
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from './document-source.ts';
import type { IndexKind } from './index-kind.ts';
import { LoadedProjectIndex } from './loaded-project-index.ts';
import { type Evictable, MemoryBudget } from './memory-budget.ts';
import { snapshotName } from './snapshot-file.ts';

/** One loaded project, as a search or a digest sees it. */
export interface OpenProjectIndex<Content> {
  readonly projectIndex: ProjectIndex;
  readonly content: Content;
}

export class ProjectIndexSet<Content> {
  readonly #kind: IndexKind<Content>;
  readonly #source: DocumentSource;
  readonly #files: SnapshotFiles | null;
  readonly #budget: MemoryBudget;
  readonly #loaded = new Map<string, LoadedProjectIndex<Content> & { readonly evictable: Evictable }>();
  readonly #calls = new Mutex();
  /** Compaction and writing, concurrent with the other calls. */
  readonly #upkeep = new Mutex();

  /** Without files nothing is persisted between processes, and nothing is unloaded. */
  constructor(
    kind: IndexKind<Content>,
    source: DocumentSource,
    files: SnapshotFiles | null,
    budget: MemoryBudget = new MemoryBudget(),
  ) {
    this.#kind = kind;
    this.#source = source;
    this.#files = files;
    this.#budget = budget;
  }

  /** Runs a query over these projects, each caught up with the source. */
  ask<T>(
    projectIndexes: readonly ProjectIndex[],
    question: (opened: readonly OpenProjectIndex<Content>[], degraded: readonly string[]) => T | Promise<T>,
  ): Promise<T> {
    const answer = this.#calls.run(async () => {
      const { loaded, degraded } = await this.#refresh(projectIndexes);
      return question(
        loaded.map((one) => ({ projectIndex: one.projectIndex, content: one.content() })),
        degraded,
      );
    });
    this.#maintain(answer);
    return answer;
  }

  /** Follows at most about `limit` changed rows with what is loaded. True when there were none. */
  catchUp(limit: number): Promise<boolean> {
    const isCurrent = this.#calls.run(async () => {
      const changesAfter = readOnce(this.#source, limit);
      let followed = 0;
      for (const one of this.#loaded.values()) followed += await one.follow(changesAfter);
      return followed === 0;
    });
    this.#maintain(isCurrent);
    return isCurrent;
  }

  /** Loads these projects from their snapshots. Returns those without one that can be used. */
  load<P extends ProjectIndex>(projectIndexes: readonly P[]): Promise<readonly P[]> {
    return this.#calls.run(async () => {
      // Only whether the feed reaches back: a query reads it.
      const changesAfter = readOnce(this.#source, 1);
      const missing: P[] = [];
      for (const projectIndex of projectIndexes)
        if (!(await this.#projectIndex(projectIndex).load(changesAfter))) missing.push(projectIndex);
      return missing;
    });
  }

  /** Loads these projects or catches them up, without a query: after an import, before a `save`. */
  refresh(projectIndexes: readonly ProjectIndex[]): Promise<readonly string[]> {
    return this.ask(projectIndexes, (_, degraded) => degraded);
  }

  /** Writes the snapshots that are not up to date. */
  save(): Promise<void> {
    return this.#upkeep.run(async () => {
      for (const projectIndex of [...this.#loaded.values()])
        await projectIndex.save(this.#calls.run, nextTurn);
    });
  }

  /** Rebuilds these projects from their documents and saves them. */
  async rebuild(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    await this.#calls.run(async () => {
      for (const projectIndex of projectIndexes) await this.#projectIndex(projectIndex).rebuild();
    });
    await this.save();
  }

  /** Brings every snapshot on disk up to date, without making new ones, and removes those of all other projects. */
  async scrub(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    const names = new Set((await this.#files?.names()) ?? []);
    const isStored = (one: ProjectIndex) =>
      this.#loaded.has(one.id) || names.has(snapshotName(this.#kind, one));
    await this.refresh(projectIndexes.filter(isStored));
    await this.save();
    await this.prune(projectIndexes);
  }

  /** Removes the snapshots of all other projects: merged, renamed and forgotten ones. */
  prune(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    return this.#upkeep.run(async () => {
      const own = projectIndexes.map((projectIndex) => snapshotName(this.#kind, projectIndex));
      const stems = own.map((name) => name.slice(0, -this.#kind.name.length));
      const related = (this.#kind.relatedFiles ?? []).flatMap((ending) => stems.map((stem) => stem + ending));
      const known = new Set([...own, ...related]);
      for (const name of (await this.#files?.names()) ?? [])
        if (!known.has(name)) await this.#files?.remove(name);
    });
  }

  /** Sha-256 over what `digestOf` adds for each project, in the order of their ids. */
  protected digestOf(
    projectIndexes: readonly ProjectIndex[],
    digestOf: (
      hash: Hash,
      opened: OpenProjectIndex<Content>,
      documents: () => Promise<readonly MemoryDocument[]>,
    ) => Promise<void>,
  ): Promise<string> {
    return this.ask(projectIndexes, async (opened) => {
      const hash = createHash('sha256');
      for (const one of [...opened].sort((a, b) => (a.projectIndex.id < b.projectIndex.id ? -1 : 1)))
        await digestOf(hash, one, async () => {
          const documents: MemoryDocument[] = [];
          for await (const document of (await this.#source.documents(one.projectIndex)).documents)
            documents.push(document);
          return documents;
        });
      return hash.digest('hex');
    });
  }

  /** Whether a project's index is in memory, and so follows changes. */
  isLoaded(projectIndex: ProjectIndex): boolean {
    const one = this.#loaded.get(projectIndex.id);
    return one !== undefined && one.bytes() > 0 && sameWorkdirs(one.projectIndex, projectIndex);
  }

  /** Estimated bytes of everything loaded. */
  bytes(): number {
    let bytes = 0;
    for (const one of this.#loaded.values()) bytes += one.bytes();
    return bytes;
  }

  /** Runs work on a project's current content, exclusive of other calls. Returns null when it is not loaded any more. */
  protected withContent<T>(id: string, work: (content: Content) => T): Promise<T | null> {
    return this.#calls.run(async () => {
      const one = this.#loaded.get(id);
      return one === undefined || one.bytes() === 0 ? null : work(one.content());
    });
  }

  /** Releases everything loaded without saving it: another index replaces this one. */
  release(): void {
    for (const { evictable } of this.#loaded.values()) this.#budget.forget(evictable);
    this.#loaded.clear();
  }

  /** Resolves when no compaction, write or unload is running. */
  settled(): Promise<void> {
    return this.#upkeep.run(async () => {});
  }

  async #refresh(projectIndexes: readonly ProjectIndex[]) {
    const loaded: LoadedProjectIndex<Content>[] = [];
    const degraded = new Set<string>();
    const changesAfter = readOnce(this.#source);
    for (const projectIndex of projectIndexes) {
      const one = this.#projectIndex(projectIndex);
      for (const problem of await one.refresh(changesAfter)) degraded.add(problem);
      loaded.push(one);
    }
    return { loaded, degraded: [...degraded] };
  }

  #projectIndex(projectIndex: ProjectIndex): LoadedProjectIndex<Content> {
    const known = this.#loaded.get(projectIndex.id);
    if (known && sameWorkdirs(known.projectIndex, projectIndex)) {
      this.#budget.used(known.evictable);
      return known;
    }
    if (known) this.#budget.forget(known.evictable);
    const fresh = new LoadedProjectIndex(projectIndex, this.#kind, this.#source, this.#files);
    const evictable: Evictable = {
      bytes: () => fresh.bytes(),
      unload: () => this.#unload(projectIndex.id, fresh),
    };
    this.#loaded.set(projectIndex.id, Object.assign(fresh, { evictable }));
    this.#budget.used(evictable);
    return fresh;
  }

  /** After an answer, without delaying it: compacts fragmented indexes and unloads what exceeds the budget. */
  #maintain(answer: Promise<unknown>): void {
    const after = async () => {
      const fragmented = [...this.#loaded.values()].filter((one) => one.isFragmented());
      for (const one of fragmented)
        await this.#upkeep.run(async () => {
          // Answers that end meanwhile find the same index fragmented.
          if (one.isFragmented()) await one.compact(this.#calls.run, nextTurn);
        });
      for (const evictable of this.#budget.excess()) await evictable.unload();
    };
    // The caller sees errors of the answer itself; failed maintenance is retried after the next answer.
    void answer.then(after).catch(() => undefined);
  }

  /** Without files the index stays loaded, because only a rebuild could restore it. */
  async #unload(id: string, one: LoadedProjectIndex<Content>): Promise<void> {
    if (this.#files === null) return;
    await this.#upkeep.run(() => one.save(this.#calls.run, nextTurn));
    await this.#calls.run(async () => {
      const known = this.#loaded.get(id);
      if (known !== one || !one.isSaved()) return;
      this.#loaded.delete(id);
      this.#budget.forget(known.evictable);
    });
  }
}

/** Yields to I/O and other calls. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Reads the change feed once for projects whose positions it covers. Each skips what it has. */
function readOnce(source: DocumentSource, limit?: number): DocumentSource['changes'] {
  const known: { readonly after: SourcePosition; readonly found: DocumentChanges }[] = [];
  return async (checkpoint) => {
    const { generation, seq } = checkpoint;
    const wider = known.find(
      ({ after, found }) => after.generation === generation && after.seq <= seq && seq <= found.seq,
    );
    if (wider) return wider.found;
    const found = await source.changes(checkpoint, limit);
    if (found !== null) known.push({ after: checkpoint, found });
    return found;
  };
}

function sameWorkdirs(a: ProjectIndex, b: ProjectIndex): boolean {
  return [...a.workdirs].sort().join('\n') === [...b.workdirs].sort().join('\n');
}
