// An index of one kind over all projects: each is loaded when first asked, caught up whenever it is asked, saved
// when told to, and let go when memory runs short. Calls run one after the other, so that a search never sees
// half of a change; only packing and writing happen beside them, in slices.
import { createHash, type Hash } from 'node:crypto';
import type { MemoryDocument } from '../memory/document.ts';
import { type Held, MemoryBudget } from './budget.ts';
import type { IndexKind } from './index-kind.ts';
import { type InTurn, LoadedPartition } from './loaded-partition.ts';
import { snapshotName } from './snapshot-file.ts';
import type { DocumentChange, DocumentSource, Partition, SnapshotFiles, SourceAnchor } from './source.ts';

/** One loaded project, as a search or a digest sees it. */
export interface Opened<Content> {
  readonly partition: Partition;
  readonly content: Content;
}

export class Partitions<Content> {
  readonly #kind: IndexKind<Content>;
  readonly #source: DocumentSource;
  readonly #files: SnapshotFiles | null;
  readonly #budget: MemoryBudget;
  readonly #loaded = new Map<string, LoadedPartition<Content> & { readonly held: Held }>();
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
    partitions: readonly Partition[],
    question: (opened: readonly Opened<Content>[], degraded: readonly string[]) => T | Promise<T>,
  ): Promise<T> {
    const answer = this.#inTurn(async () => {
      const { loaded, degraded } = await this.#refresh(partitions);
      return question(
        loaded.map((one) => ({ partition: one.partition, content: one.content() })),
        degraded,
      );
    });
    this.#tend(answer);
    return answer;
  }

  /** Takes in changes after a place for the projects that stand there or later; the others catch up when they are asked. */
  apply(changes: readonly DocumentChange[], since: SourceAnchor): Promise<readonly string[]> {
    const problems = this.#inTurn(async () => {
      const found: string[] = [];
      for (const partition of this.#loaded.values()) found.push(...(await partition.apply(changes, since)));
      return found;
    });
    this.#tend(problems);
    return problems;
  }

  /** Loads these projects, or catches them up, without a question: after an import, before a `save`. */
  refresh(partitions: readonly Partition[]): Promise<readonly string[]> {
    return this.ask(partitions, (_, degraded) => degraded);
  }

  /** Writes the snapshots that are not up to date. */
  save(): Promise<void> {
    return this.#keep(async () => {
      for (const partition of [...this.#loaded.values()]) await partition.save(this.#inTurn, pause);
    });
  }

  /** Indexes these projects again from their documents, in place of what was loaded or on disk, and saves them. */
  async rebuild(partitions: readonly Partition[]): Promise<void> {
    await this.#inTurn(async () => {
      for (const partition of partitions) await this.#partition(partition).rebuild();
    });
    await this.save();
  }

  /** Removes the snapshots of projects that are not among these: of merged, renamed and forgotten ones. */
  prune(partitions: readonly Partition[]): Promise<void> {
    return this.#keep(async () => {
      const own = partitions.map((partition) => snapshotName(this.#kind, partition));
      const stems = own.map((name) => name.slice(0, -this.#kind.name.length));
      const beside = (this.#kind.beside ?? []).flatMap((ending) => stems.map((stem) => stem + ending));
      const known = new Set([...own, ...beside]);
      for (const name of (await this.#files?.names()) ?? [])
        if (!known.has(name)) await this.#files?.remove(name);
    });
  }

  /** What `digestOf` adds for each project that has anything, in the order of their ids, as sha-256. */
  protected digestOf(
    partitions: readonly Partition[],
    digestOf: (
      hash: Hash,
      opened: Opened<Content>,
      documents: () => Promise<readonly MemoryDocument[]>,
    ) => Promise<void>,
  ): Promise<string> {
    return this.ask(partitions, async (opened) => {
      const hash = createHash('sha256');
      for (const one of [...opened].sort((a, b) => (a.partition.id < b.partition.id ? -1 : 1)))
        await digestOf(hash, one, async () => {
          const documents: MemoryDocument[] = [];
          for await (const document of (await this.#source.documents(one.partition)).documents)
            documents.push(document);
          return documents;
        });
      return hash.digest('hex');
    });
  }

  /** Whether a project's index is in memory, where it follows what changes. */
  isLoaded(partition: Partition): boolean {
    const one = this.#loaded.get(partition.id);
    return one !== undefined && one.bytes() > 0 && samePlaces(one.partition, partition);
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
    for (const { held } of this.#loaded.values()) this.#budget.gone(held);
    this.#loaded.clear();
  }

  /** Resolves when nothing is being packed, written or unloaded. */
  settled(): Promise<unknown> {
    return this.#upkeep;
  }

  async #refresh(partitions: readonly Partition[]) {
    const loaded: LoadedPartition<Content>[] = [];
    const degraded = new Set<string>();
    const changesAfter = readOnce(this.#source);
    for (const partition of partitions) {
      const one = this.#partition(partition);
      for (const problem of await one.refresh(changesAfter)) degraded.add(problem);
      loaded.push(one);
    }
    return { loaded, degraded: [...degraded] };
  }

  #partition(partition: Partition): LoadedPartition<Content> {
    const known = this.#loaded.get(partition.id);
    if (known && samePlaces(known.partition, partition)) {
      this.#budget.used(known.held);
      return known;
    }
    if (known) this.#budget.gone(known.held);
    const fresh = new LoadedPartition(partition, this.#kind, this.#source, this.#files);
    const held: Held = { bytes: () => fresh.bytes(), unload: () => this.#unload(partition.id, fresh) };
    this.#loaded.set(partition.id, Object.assign(fresh, { held }));
    this.#budget.used(held);
    return fresh;
  }

  /** After an answer, and without delaying it: packs what has grown loose, and unloads what is too much. */
  #tend(answer: Promise<unknown>): void {
    const after = async () => {
      const loose = [...this.#loaded.values()].filter((one) => one.isLoose());
      for (const one of loose) await this.#keep(async () => one.pack(this.#inTurn, pause));
      for (const held of this.#budget.excess()) await held.unload();
    };
    // Whoever asked is told what went wrong with the answer; what goes wrong here is tried again next time.
    void answer.then(after).catch(() => undefined);
  }

  /** Without files it stays: nothing but indexing again would bring it back. */
  async #unload(id: string, one: LoadedPartition<Content>): Promise<void> {
    if (this.#files === null) return;
    await this.#keep(() => one.save(this.#inTurn, pause));
    await this.#inTurn(async () => {
      const known = this.#loaded.get(id);
      if (known !== one || !one.isSaved()) return;
      this.#loaded.delete(id);
      this.#budget.gone(known.held);
    });
  }

  #inTurn: InTurn = <T>(work: () => Promise<T>): Promise<T> => {
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
export function pause(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Reads the change feed once for all projects that stand at the same place or later. */
function readOnce(source: DocumentSource): DocumentSource['changes'] {
  const known: { readonly after: SourceAnchor; readonly changes: readonly DocumentChange[] }[] = [];
  return async (anchor) => {
    const { generation, seq } = anchor;
    const wider = known.find(({ after }) => after.generation === generation && after.seq <= seq);
    if (wider) return wider.changes;
    const changes = await source.changes(anchor);
    if (changes !== null) known.push({ after: anchor, changes });
    return changes;
  };
}

function samePlaces(a: Partition, b: Partition): boolean {
  return [...a.places].sort().join('\n') === [...b.places].sort().join('\n');
}
