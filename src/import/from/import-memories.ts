// Imports what another tool remembered into the log, page by page, so that it can be stopped at any time and repeated: a
// memory that is known with the same text adds nothing. Nothing is written into the other tool's folders.
import { dirname } from 'node:path';
import {
  AnnalsError,
  type BodyOf,
  importKey,
  importOrigin,
  loadCatalog,
  type NewEvent,
} from '../../../log/index.ts';
import {
  canonicalJson,
  type ImportedRow,
  importedId,
  newestVersion,
  sessionKeys,
} from '../../../projections/index.ts';
import type {
  ImportedKind,
  ImportFromOptions,
  ImportFromReport,
  MemorySource,
  SkippedMemory,
} from '../../api.ts';
import { sanitizeText, sanitizeValue } from '../../capture/redact/index.ts';
import type { Unreadable } from '../../capture/transcripts/discover.ts';
import type { Home } from '../../home/home.ts';
import { recordWorkdirs } from '../../home/record-workdirs.ts';
import { makeSearchable, makeVectors } from '../make-indexes.ts';
import type { Finding, FoundMemory } from './found-memory.ts';
import { readerOf } from './sources.ts';

const AGENT = 'annals';
/** Tools that work in folders, also where they do not say in which. */
const OF_FOLDERS: ReadonlySet<MemorySource> = new Set(['claude-mem', 'claude-memory']);
/** A note belongs to the folder that it lies in, also where no project follows from that. */
const NOTES: ReadonlySet<MemorySource> = new Set(['markdown', 'basic-memory']);
const PAGE_MEMORIES = 200;
const SKIPPED_SHOWN_MAX = 100;
/** A memory is a note, not a file. 256 KiB of UTF-8. */
const TEXT_BYTES_MAX = 256 * 1024;
const TITLE_BYTES_MAX = 2_000;
const LIST_MAX = 200;

type Body = BodyOf<'import.memory'>;

/** @throws AnnalsError INPUT_UNREADABLE when none of the paths could be read; of the log */
export async function importMemories(
  from: MemorySource,
  paths: readonly string[],
  options: ImportFromOptions,
  home: Home,
): Promise<ImportFromReport> {
  const began = home.now();
  const run = new ImportRun(from, options, home);
  for (const path of paths)
    for await (const finding of readerOf(from)(path, from)) {
      if (options.signal?.aborted === true) break;
      await run.take(finding);
    }
  await run.endPage();
  const report = run.report();
  const [first] = report.unreadable;
  if (report.files === 0 && first !== undefined)
    throw new AnnalsError('INPUT_UNREADABLE', `${first.path} could not be imported: it ${first.reason}.`, {
      hint: 'See `annals import --help` for what --from reads.',
      facts: { path: first.path, unreadable: report.unreadable.length },
    });
  await recordWorkdirs([...run.folders], home);
  await makeSearchable(home);
  const vectors = await makeVectors(options, home);
  return { ...report, ...(vectors === null ? {} : { vectors }), ms: home.now() - began };
}

interface Waiting {
  readonly body: Body;
  readonly memory: FoundMemory;
  readonly origin: string;
  /** Of the memory, in all its versions. */
  readonly id: string;
}

class ImportRun {
  /** Folders of the memories that were stored. */
  readonly folders = new Set<string>();
  readonly #from: MemorySource;
  readonly #options: ImportFromOptions;
  readonly #home: Home;
  readonly #kinds = new Map<string, Record<keyof ImportedKind, number>>();
  readonly #skipped = new Map<string, number>();
  readonly #skippedItems: SkippedMemory[] = [];
  readonly #unreadable: Unreadable[] = [];
  #page: Waiting[] = [];
  #files = 0;
  #read = 0;

  constructor(from: MemorySource, options: ImportFromOptions, home: Home) {
    this.#from = from;
    this.#options = options;
    this.#home = home;
  }

  async take(finding: Finding): Promise<void> {
    if ('file' in finding) this.#files += 1;
    else if ('unreadable' in finding) this.#unreadable.push(finding.unreadable);
    else if ('skipped' in finding) this.#skip(finding.skipped);
    else await this.#takeMemory(finding.memory);
  }

  /** Stores the memories that wait. */
  async endPage(): Promise<void> {
    const page = this.#page;
    this.#page = [];
    const { log, runner, views } = this.#home;
    await runner.catchUp();
    const newEvents: NewEvent<'import.memory'>[] = [];
    const changes: { readonly memory: FoundMemory; readonly isNew: boolean }[] = [];
    /** The text of a memory that occurs twice in this page. */
    const inPage = new Map<string, Body>();
    for (const { body: found, memory, origin, id } of page) {
      const session = sessionOf(memory);
      const rows = await views.turns.range<ImportedRow>(sessionKeys.versionsOf(AGENT, session, id));
      const known = inPage.get(id) ?? newestVersion(rows.map(([, row]) => row))?.body;
      const body = this.#placed(found, known);
      const reason = this.#folderRefusal(memory, body);
      if (reason !== null) {
        this.#skipMemory(memory, reason);
        continue;
      }
      if (known !== undefined && isSame(known, body)) {
        this.#count(memory, 'unchanged');
        continue;
      }
      const version = (known?.version ?? 0) + 1;
      inPage.set(id, { ...body, version });
      changes.push({ memory, isNew: version === 1 });
      newEvents.push({
        type: 'import.memory',
        agent: AGENT,
        session,
        dedupeKey: importKey(origin, version),
        channel: 'import',
        occurredAt: memory.at ?? null,
        body: { ...body, version },
      });
    }
    const outcomes = await log.append(newEvents);
    for (const [index, { outcome }] of outcomes.entries()) {
      const { memory, isNew } = changes[index]!;
      if (outcome === 'appended' && memory.cwd) this.folders.add(memory.cwd);
      if (outcome === 'forgotten') this.#count(memory, 'forgotten');
      else this.#count(memory, outcome === 'duplicate' ? 'unchanged' : isNew ? 'new' : 'changed');
    }
    this.#options.onProgress?.(this.#read);
  }

  report(): Omit<ImportFromReport, 'ms'> {
    return {
      from: this.#from,
      files: this.#files,
      kinds: Object.fromEntries(this.#kinds),
      appended: [...this.#kinds.values()].reduce((sum, kind) => sum + kind.new + kind.changed, 0),
      skipped: Object.fromEntries(this.#skipped),
      skippedItems: this.#skippedItems,
      unreadable: this.#unreadable,
    };
  }

  async #takeMemory(memory: FoundMemory): Promise<void> {
    this.#read += 1;
    this.#count(memory, 'read');
    const body = await bodyOf(memory);
    if (!hasText(body)) return this.#skipMemory(memory, 'it has no text, or only private text');
    const { tool, installation, kind, originalId } = memory;
    const origin = importOrigin({ tool, installation, kind, originalId });
    this.#page.push({ body, memory, origin, id: importedId(AGENT, sessionOf(memory), origin) });
    if (this.#page.length >= PAGE_MEMORIES) await this.endPage();
  }

  /** What names the folder may be gone when the memory is read again: then it stays where it was. */
  #placed(body: Body, known: Body | undefined): Body {
    const cwd = body.cwd ?? known?.cwd ?? null;
    const { project: named } = this.#options;
    const project = cwd === null ? (nameOf(named) ?? known?.project ?? null) : null;
    return { ...body, cwd, project: body.project ?? project };
  }

  #folderRefusal(memory: FoundMemory, { cwd }: Body): string | null {
    const { excluded } = this.#home;
    // The body has the folder without what looks like a secret.
    const folders = [cwd, memory.cwd, NOTES.has(this.#from) ? dirname(memory.file) : null];
    if (folders.some((folder) => folder && excluded(folder))) return 'its folder is excluded';
    if (cwd === null && OF_FOLDERS.has(this.#from) && excluded(null))
      return 'its folder is not known, and the settings exclude folders';
    return null;
  }

  #count({ kind }: FoundMemory, what: keyof ImportedKind): void {
    const counts = this.#kinds.get(kind) ?? { read: 0, new: 0, changed: 0, unchanged: 0, forgotten: 0 };
    this.#kinds.set(kind, counts);
    counts[what] += 1;
  }

  #skipMemory({ kind, originalId, file }: FoundMemory, reason: string): void {
    this.#skip({ file, what: `${kind} ${sanitizeText(originalId, NAME)}`, reason });
  }

  #skip(item: SkippedMemory): void {
    this.#skipped.set(item.reason, (this.#skipped.get(item.reason) ?? 0) + 1);
    if (this.#skippedItems.length < SKIPPED_SHOWN_MAX) this.#skippedItems.push(item);
  }
}

/** The body as it is stored: hidden blocks and secrets removed, long texts clipped. */
async function bodyOf(memory: FoundMemory): Promise<Body> {
  const { tool, installation, kind, originalId, author, file } = memory;
  const by = author === 'user' ? 'person' : 'agent';
  const clean = (text: string, clipBytes = TEXT_BYTES_MAX) =>
    sanitizeText(text, { author: by, clipBytes }).trim();
  const cleanOr = (text: string | null | undefined, clipBytes?: number) =>
    text ? clean(text, clipBytes) || null : null;
  return (await loadCatalog())['import.memory'].body.parse({
    tool: sanitizeText(tool, NAME),
    installation,
    originalId: sanitizeText(originalId, NAME),
    kind,
    title: cleanOr(memory.title, TITLE_BYTES_MAX),
    text: cleanOr(memory.text),
    parts: (memory.parts ?? [])
      .slice(0, LIST_MAX)
      .map((part) => ({ name: sanitizeText(part.name, NAME), text: clean(part.text) }))
      .filter(({ text }) => text !== ''),
    type: nameOf(memory.type),
    author,
    sessionAgent: nameOf(memory.sessionAgent),
    project: nameOf(memory.project),
    cwd: nameOf(memory.cwd),
    concepts: namesIn(memory.concepts),
    files: namesIn(memory.files),
    file: sanitizeText(file, NAME),
    metadata: sanitizeValue(memory.metadata ?? null, { author: by, clipBytes: TITLE_BYTES_MAX }),
  } satisfies Omit<Body, 'version'>);
}

/** Names, paths and labels. */
const NAME = { author: 'tool', clipBytes: 4_096 } as const;

function nameOf(text: string | null | undefined): string | null {
  return text ? sanitizeText(text, NAME).trim() || null : null;
}

function hasText({ title, text, parts }: Body): boolean {
  return [title, text, ...parts.map((part) => part.text)].some((one) => one !== null && one !== '');
}

function namesIn(names: readonly string[] = []): string[] {
  return names.slice(0, LIST_MAX).map((one) => sanitizeText(one, NAME));
}

/** A session id is kept for ever, so it must not hold a secret. */
function sessionOf({ session }: FoundMemory): string | null {
  return session ? sanitizeText(session, NAME) : null;
}

/** Where the memory was read from, and what the tool notes beside it, may change without a new version. */
function isSame(one: Body, other: Body): boolean {
  const shared = { version: 0, file: null, metadata: null, installation: null };
  return canonicalJson({ ...one, ...shared }) === canonicalJson({ ...other, ...shared });
}
