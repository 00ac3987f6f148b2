// One loaded project index: a snapshot, brought up to date by the change feed. When a snapshot is bad, the index
// is rebuilt from the documents and the problem is reported.
import type { Mutex } from '../../log/index.ts';
import { storeFailure } from '../engine/store/view-store.ts';
import type {
  DocumentChange,
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from './document-source.ts';
import type { IndexKind, Pause } from './index-kind.ts';
import { type ParsedSnapshot, readSnapshot, snapshotName, writeSnapshot } from './snapshot-file.ts';

interface State<Content> {
  readonly checkpoint: SourcePosition;
  readonly content: Content;
}

/** Runs work while nothing else reads or modifies the index. */
type RunExclusive = Mutex['run'];

export class LoadedProjectIndex<Content> {
  readonly projectIndex: ProjectIndex;
  readonly #kind: IndexKind<Content>;
  readonly #source: DocumentSource;
  readonly #files: SnapshotFiles | null;
  readonly #workdirs: ReadonlySet<string>;
  #state: State<Content> | null = null;
  #savedAt: SourcePosition | null = null;
  /** Changes since compaction began; null while none runs or after a rebuild made it useless. */
  #pending: DocumentChange[] | null = null;

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

  /** Catches up with the source. Returns the problems on the way, one sentence each. */
  async refresh(changesAfter: DocumentSource['changes']): Promise<string[]> {
    const problems: string[] = [];
    if (this.#state === null) problems.push(...(await this.#load()));
    const changes = this.#state && (await changesAfter(this.#state.checkpoint));
    if (changes === null) await this.rebuild();
    else await this.#apply(changes);
    return problems;
  }

  /** Loads its snapshot if it is not loaded. False when there is none that can be used. */
  async load(changesAfter: DocumentSource['changes']): Promise<boolean> {
    if (this.#state === null) await this.#load();
    if (this.#state === null) return false;
    const changes = await changesAfter(this.#state.checkpoint);
    if (changes === null) this.#state = null;
    return changes !== null;
  }

  /**
   * Follows the source if it is loaded. If the changes are gone, it is unloaded, and the next query loads it again.
   * Returns how far it came.
   */
  async follow(changesAfter: DocumentSource['changes']): Promise<number> {
    if (this.#state === null) return 0;
    const from = this.#state.checkpoint;
    const changes = await changesAfter(from);
    if (changes === null) this.#state = null;
    else await this.#apply(changes);
    return changes === null ? 0 : changes.seq - from.seq;
  }

  /** Applies changes; those of other projects and known ones are skipped. */
  async #apply({ seq, changes }: DocumentChanges): Promise<void> {
    const { checkpoint, content } = this.#state!;
    if (seq === checkpoint.seq) return;
    const own = changes.filter((change) => change.seq > checkpoint.seq).map((change) => this.#own(change));
    const some = own.filter(({ id, document }) => document !== null || this.#kind.holds(content, id));
    this.#state = {
      checkpoint: { generation: checkpoint.generation, seq },
      content: some.length > 0 ? await this.#kind.fold(content, some) : content,
    };
    this.#pending?.push(...some);
  }

  /** @throws Error before the first `refresh` */
  content(): Content {
    if (this.#state === null) throw new Error('A project index was read before it was refreshed.');
    return this.#state.content;
  }

  bytes(): number {
    return this.#state === null ? 0 : this.#kind.bytes(this.#state.content);
  }

  /** Whether its snapshot need not be written. */
  isSaved(): boolean {
    return (
      this.#files?.isReadOnly === true ||
      this.#state === null ||
      (this.#savedAt !== null && samePosition(this.#savedAt, this.#state.checkpoint))
    );
  }

  isFragmented(): boolean {
    return this.#state !== null && this.#kind.isFragmented(this.#state.content);
  }

  /**
   * Compacts the index in slices, while it serves searches and takes changes. Returns the compacted state as of the call.
   * Run one compaction at a time.
   */
  async compact(runExclusive: RunExclusive, pause: Pause): Promise<State<Content> | null> {
    const begun = await runExclusive(async () => {
      const state = this.#state;
      if (state === null) return null;
      this.#pending = [];
      return { state, compaction: this.#kind.compact(state.content, pause) };
    });
    if (begun === null) return null;
    const { state } = begun;
    const compacted = await begun.compaction;
    await runExclusive(async () => {
      const pending = this.#pending;
      this.#pending = null;
      // Null after a rebuild: the compacted state is then outdated.
      if (pending === null || this.#state === null || compacted === state.content) return;
      const content = pending.length === 0 ? compacted : await this.#kind.fold(compacted, pending);
      this.#state = { checkpoint: this.#state.checkpoint, content };
    });
    return { checkpoint: state.checkpoint, content: compacted };
  }

  /**
   * Writes a snapshot unless the last one is up to date.
   * @throws AnnalsError DISK_FULL, HOME_UNWRITABLE, VIEW_DAMAGED; the index stays usable, and the older snapshot stays
   */
  async save(runExclusive: RunExclusive, pause: Pause): Promise<void> {
    if (this.#files === null || this.isSaved()) return;
    const compacted = await this.compact(runExclusive, pause);
    if (compacted === null) return;
    const { checkpoint, content } = compacted;
    const file = await writeSnapshot(this.#kind, this.projectIndex, checkpoint, content, pause);
    try {
      await this.#files.write(snapshotName(this.#kind, this.projectIndex), file);
    } catch (error) {
      throw storeFailure(`The ${this.#kind.name} indexes`, error, `annals rebuild ${this.#kind.name}`);
    }
    this.#savedAt = checkpoint;
  }

  /** Rebuilds the index from all documents. */
  async rebuild(): Promise<void> {
    const { checkpoint, documents } = await this.#source.documents(this.projectIndex);
    this.#state = { checkpoint, content: await this.#kind.build(documents) };
    this.#savedAt = null;
    this.#pending = null;
  }

  async #load(): Promise<string[]> {
    const found = await this.#read();
    if (found === null || found.outcome === 'outdated') return [];
    if (found.outcome === 'damaged') return [this.#kind.damaged];
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

  /** The change as this project sees it: a document that moved in is added, one that moved out is removed. */
  #own({ document, ...change }: DocumentChange): DocumentChange {
    return {
      ...change,
      document: document !== null && this.#workdirs.has(document.workdir) ? document : null,
    };
  }
}

function samePosition(a: SourcePosition, b: SourcePosition): boolean {
  return a.generation === b.generation && a.seq === b.seq;
}
