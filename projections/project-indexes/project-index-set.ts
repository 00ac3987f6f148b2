// An index of one kind over all projects: each is loaded when first asked, caught up whenever it is asked, saved
// when told to, and let go when memory runs short. Calls run one after the other, so that a search never sees
// half of a change; only packing and writing happen beside them, in slices.
import { createHash, type Hash } from 'node:crypto';
import type { MemoryDocument } from '../documents/document.ts';
import type {
  DocumentChange,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from './document-source.ts';
import type { IndexKind } from './index-kind.ts';
import { LoadedProjectIndex, type RunExclusive } from './loaded-project-index.ts';
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
  #last: Promise<unknown> = Promise.resolve();
  /** Packing and writing: one after the other too, but not in turn with the rest. */
  #upkeep: Promise<unknown> = Promise.resolve();

  /** Without files nothing is kept between processes, and nothing is unloaded. */
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

  /** Asks these projects, each at the place where the source stands. */
  ask<T>(
    projectIndexes: readonly ProjectIndex[],
    question: (opened: readonly OpenProjectIndex<Content>[], degraded: readonly string[]) => T | Promise<T>,
  ): Promise<T> {
    const answer = this.#inTurn(async () => {
      const { loaded, degraded } = await this.#refresh(projectIndexes);
      return question(
        loaded.map((one) => ({ projectIndex: one.projectIndex, content: one.content() })),
        degraded,
      );
    });
    this.#tend(answer);
    return answer;
  }

  /** Takes in changes after a place for the projects that stand there or later; the others catch up when they are asked. */
  apply(changes: readonly DocumentChange[], since: SourcePosition): Promise<readonly string[]> {
    const problems = this.#inTurn(async () => {
      const found: string[] = [];
      for (const projectIndex of this.#loaded.values())
        found.push(...(await projectIndex.apply(changes, since)));
      return found;
    });
    this.#tend(problems);
    return problems;
  }

  /** Loads these projects, or catches them up, without a question: after an import, before a `save`. */
  refresh(projectIndexes: readonly ProjectIndex[]): Promise<readonly string[]> {
    return this.ask(projectIndexes, (_, degraded) => degraded);
  }

  /** Writes the snapshots that are not up to date. */
  save(): Promise<void> {
    return this.#keep(async () => {
      for (const projectIndex of [...this.#loaded.values()]) await projectIndex.save(this.#inTurn, nextTurn);
    });
  }

  /** Indexes these projects again from their documents, in place of what was loaded or on disk, and saves them. */
  async rebuild(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    await this.#inTurn(async () => {
      for (const projectIndex of projectIndexes) await this.#projectIndex(projectIndex).rebuild();
    });
    await this.save();
  }

  /** Removes the snapshots of projects that are not among these: of merged, renamed and forgotten ones. */
  prune(projectIndexes: readonly ProjectIndex[]): Promise<void> {
    return this.#keep(async () => {
      const own = projectIndexes.map((projectIndex) => snapshotName(this.#kind, projectIndex));
      const stems = own.map((name) => name.slice(0, -this.#kind.name.length));
      const beside = (this.#kind.relatedFiles ?? []).flatMap((ending) => stems.map((stem) => stem + ending));
      const known = new Set([...own, ...beside]);
      for (const name of (await this.#files?.names()) ?? [])
        if (!known.has(name)) await this.#files?.remove(name);
    });
  }

  /** What `digestOf` adds for each project that has anything, in the order of their ids, as sha-256. */
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

  /** Whether a project's index is in memory, where it follows what changes. */
  isLoaded(projectIndex: ProjectIndex): boolean {
    const one = this.#loaded.get(projectIndex.id);
    return one !== undefined && one.bytes() > 0 && sameWorkdirs(one.projectIndex, projectIndex);
  }

  /** Bytes of what is loaded, about. */
  bytes(): number {
    let bytes = 0;
    for (const one of this.#loaded.values()) bytes += one.bytes();
    return bytes;
  }

  /** Gives a project's content to some work as it then is, between other calls; null when it is not loaded any more. */
  protected between<T>(id: string, work: (content: Content) => T): Promise<T | null> {
    return this.#inTurn(async () => {
      const one = this.#loaded.get(id);
      return one === undefined || one.bytes() === 0 ? null : work(one.content());
    });
  }

  /** Lets go of all that is loaded without saving it: another index takes its place. */
  release(): void {
    for (const { evictable } of this.#loaded.values()) this.#budget.gone(evictable);
    this.#loaded.clear();
  }

  /** Resolves when nothing is being packed, written or unloaded. */
  settled(): Promise<unknown> {
    return this.#upkeep;
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
    if (known) this.#budget.gone(known.evictable);
    const fresh = new LoadedProjectIndex(projectIndex, this.#kind, this.#source, this.#files);
    const evictable: Evictable = {
      bytes: () => fresh.bytes(),
      unload: () => this.#unload(projectIndex.id, fresh),
    };
    this.#loaded.set(projectIndex.id, Object.assign(fresh, { evictable }));
    this.#budget.used(evictable);
    return fresh;
  }

  /** After an answer, and without delaying it: packs what has grown loose, and unloads what is too much. */
  #tend(answer: Promise<unknown>): void {
    const after = async () => {
      const loose = [...this.#loaded.values()].filter((one) => one.isFragmented());
      for (const one of loose) await this.#keep(async () => one.compact(this.#inTurn, nextTurn));
      for (const evictable of this.#budget.excess()) await evictable.unload();
    };
    // Whoever asked is told what went wrong with the answer; what goes wrong here is tried again next time.
    void answer.then(after).catch(() => undefined);
  }

  /** Without files it stays: nothing but indexing again would bring it back. */
  async #unload(id: string, one: LoadedProjectIndex<Content>): Promise<void> {
    if (this.#files === null) return;
    await this.#keep(() => one.save(this.#inTurn, nextTurn));
    await this.#inTurn(async () => {
      const known = this.#loaded.get(id);
      if (known !== one || !one.isSaved()) return;
      this.#loaded.delete(id);
      this.#budget.gone(known.evictable);
    });
  }

  #inTurn: RunExclusive = <T>(work: () => Promise<T>): Promise<T> => {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  };

  #keep<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#upkeep.then(work);
    this.#upkeep = result.catch(() => undefined);
    return result;
  }
}

/** Lets input, output and other answers have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Reads the change feed once for all projects that stand at the same place or later. */
function readOnce(source: DocumentSource): DocumentSource['changes'] {
  const known: { readonly after: SourcePosition; readonly changes: readonly DocumentChange[] }[] = [];
  return async (checkpoint) => {
    const { generation, seq } = checkpoint;
    const wider = known.find(({ after }) => after.generation === generation && after.seq <= seq);
    if (wider) return wider.changes;
    const changes = await source.changes(checkpoint);
    if (changes !== null) known.push({ after: checkpoint, changes });
    return changes;
  };
}

function sameWorkdirs(a: ProjectIndex, b: ProjectIndex): boolean {
  return [...a.workdirs].sort().join('\n') === [...b.workdirs].sort().join('\n');
}
