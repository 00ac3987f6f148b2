// One project's index while it is in use: a snapshot, brought up to date by the change feed. Whatever goes wrong
// with a snapshot or a change, the way out is the same: the documents are indexed again, and it is said.
import type { MemoryDocument } from '../documents/document.ts';
import { storeFailure } from '../engine/store/view-store.ts';
import type {
  DocumentChange,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from './document-source.ts';
import { ContentMismatch, type IndexKind, type Pause } from './index-kind.ts';
import { type ParsedSnapshot, readSnapshot, snapshotName, writeSnapshot } from './snapshot-file.ts';

interface State<Content> {
  readonly checkpoint: SourcePosition;
  readonly content: Content;
}

/** Runs work while nothing else reads or changes the index. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

export class LoadedProjectIndex<Content> {
  readonly projectIndex: ProjectIndex;
  readonly #kind: IndexKind<Content>;
  readonly #source: DocumentSource;
  readonly #files: SnapshotFiles | null;
  readonly #workdirs: ReadonlySet<string>;
  #state: State<Content> | null = null;
  #savedAt: SourcePosition | null = null;
  /** What changed since packing began; null while nothing is being packed, or nothing of it is of use. */
  #meanwhile: DocumentChange[] | null = null;

  constructor(
    projectIndex: ProjectIndex,
    kind: IndexKind<Content>,
    source: DocumentSource,
    files: SnapshotFiles | null,
  ) {
    this.projectIndex = projectIndex;
    this.#kind = kind;
    this.#source = source;
    this.#files = files;
    this.#workdirs = new Set(projectIndex.workdirs);
  }

  /** Brings the index to where its source stands. Returns what went wrong on the way, one sentence each. */
  async refresh(changesAfter: DocumentSource['changes']): Promise<string[]> {
    const problems: string[] = [];
    if (this.#state === null) problems.push(...(await this.#load()));
    const changes = this.#state && (await changesAfter(this.#state.checkpoint));
    if (changes === null) await this.rebuild();
    else if (this.#state !== null) problems.push(...(await this.apply(changes, this.#state.checkpoint)));
    return problems;
  }

  /**
   * Takes in changes, of which some may be of other projects or already known.
   * @param since where they begin; when that is later than where this stands, it catches up when it is asked
   */
  async apply(changes: readonly DocumentChange[], since: SourcePosition): Promise<string[]> {
    if (this.#state === null) return [];
    const { checkpoint, content } = this.#state;
    if (since.generation !== checkpoint.generation || since.seq > checkpoint.seq) return [];
    const fresh = changes.filter(({ seq }) => seq > checkpoint.seq);
    if (fresh.length === 0) return [];
    const own = fresh.flatMap((change) => this.#own(change));
    const after = { generation: checkpoint.generation, seq: fresh.at(-1)!.seq };
    try {
      this.#state = {
        checkpoint: after,
        content: own.length > 0 ? await this.#kind.fold(content, own) : content,
      };
    } catch (error) {
      if (!(error instanceof ContentMismatch)) throw error;
      await this.rebuild();
      return [this.#kind.sentences.unfit];
    }
    this.#meanwhile?.push(...own);
    return [];
  }

  /** Only after `refresh`. */
  content(): Content {
    if (this.#state === null) throw new Error('A partition was read before it was refreshed.');
    return this.#state.content;
  }

  bytes(): number {
    return this.#state === null ? 0 : this.#kind.bytes(this.#state.content);
  }

  /** Whether its file, if it can have one, is as new as itself. */
  isSaved(): boolean {
    return (
      this.#state === null || (this.#savedAt !== null && samePosition(this.#savedAt, this.#state.checkpoint))
    );
  }

  isFragmented(): boolean {
    return this.#state !== null && this.#kind.isFragmented(this.#state.content);
  }

  /**
   * Packs the index, in slices, while it goes on answering and changing. Returns what it was when that began.
   * One at a time.
   */
  async compact(inTurn: RunExclusive, pause: Pause): Promise<State<Content> | null> {
    const begun = await inTurn(async () => {
      const state = this.#state;
      if (state === null) return null;
      this.#meanwhile = [];
      return { state, packing: this.#kind.compact(state.content, pause) };
    });
    if (begun === null) return null;
    const { state } = begun;
    const packed = await begun.packing;
    await inTurn(async () => {
      const meanwhile = this.#meanwhile;
      this.#meanwhile = null;
      // Null when it was built again since: then there is nothing to take over.
      if (meanwhile === null || this.#state === null || packed === state.content) return;
      const content = meanwhile.length === 0 ? packed : await this.#kind.fold(packed, meanwhile);
      this.#state = { checkpoint: this.#state.checkpoint, content };
    });
    return { checkpoint: state.checkpoint, content: packed };
  }

  /**
   * Writes a snapshot when there is something newer than the last one.
   * @throws AnnalsError DISK_FULL, VIEW_DAMAGED; the index itself goes on, and the older snapshot stays
   */
  async save(inTurn: RunExclusive, pause: Pause): Promise<void> {
    if (this.#files === null || this.isSaved()) return;
    const packed = await this.compact(inTurn, pause);
    if (packed === null) return;
    const { checkpoint, content } = packed;
    const file = await writeSnapshot(this.#kind, this.projectIndex, checkpoint, content, pause);
    try {
      await this.#files.write(snapshotName(this.#kind, this.projectIndex), file);
    } catch (error) {
      throw storeFailure(this.#kind.name, error);
    }
    this.#savedAt = checkpoint;
  }

  /** Indexes all documents again, whatever there was. */
  async rebuild(): Promise<void> {
    const { checkpoint, documents } = await this.#source.documents(this.projectIndex);
    this.#state = { checkpoint, content: await this.#kind.build(documents) };
    this.#savedAt = null;
    this.#meanwhile = null;
  }

  async #load(): Promise<string[]> {
    const found = await this.#read();
    if (found === null || found.outcome === 'outdated') return [];
    if (found.outcome === 'damaged') return [this.#kind.sentences.damaged];
    this.#state = { checkpoint: found.checkpoint, content: found.content };
    this.#savedAt = found.checkpoint;
    return [];
  }

  async #read(): Promise<ParsedSnapshot<Content> | null> {
    try {
      const file = await this.#files?.read(snapshotName(this.#kind, this.projectIndex));
      return file == null ? null : readSnapshot(this.#kind, this.projectIndex, file);
    } catch {
      return { outcome: 'damaged' };
    }
  }

  /** The change as this project sees it: a document that moved in is new, one that moved out is gone. */
  #own({ seq, before, after }: DocumentChange): DocumentChange[] {
    const own = { seq, before: this.#here(before), after: this.#here(after) };
    return own.before === null && own.after === null ? [] : [own];
  }

  #here(document: MemoryDocument | null): MemoryDocument | null {
    return document !== null && this.#workdirs.has(document.workdir) ? document : null;
  }
}

function samePosition(a: SourcePosition, b: SourcePosition): boolean {
  return a.generation === b.generation && a.seq === b.seq;
}
