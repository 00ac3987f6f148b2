// Synthetic records in the shape of real ones: bodies of about eighty words, a title that repeats the first of them, paths,
// neighbours, sessions of sixty. Words are from the vocabulary of the built-in table, with frequencies by rank (Zipf), so
// that a query has both rare terms and terms that occur in half of all records. A record is computed from its number on
// demand: a hundred thousand of them take no memory.
import { openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import type {
  DocumentChange,
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SourcePosition,
} from '../../projections/text/index.ts';
import { randomNumbers } from '../../tests/projections/text/random-documents.ts';
import { REPOSITORY } from '../harness/process.ts';

const VOCABULARY = { at: 64, bytes: 218_000 };
const BODY_WORDS = 80;
const TITLE_WORDS = 8;
const SESSION_RECORDS = 60;
const SHARE_WITH_FILES = 0.4;

const words = readFileSync(join(REPOSITORY, 'models/static-minilm-256.bin'))
  .toString('utf8', VOCABULARY.at, VOCABULARY.at + VOCABULARY.bytes)
  .split('\n')
  .filter((token) => /^[a-z]{3,}$/.test(token));

/** Which records are edited or removed, and which share of all. */
export interface Fate {
  isEdited(number: number): boolean;
  isGone(number: number): boolean;
}

const UNCHANGED: Fate = { isEdited: () => false, isGone: () => false };

/** Records 0…count in this many projects, as an index reads them. */
export class SyntheticRecords implements DocumentSource {
  readonly count: number;
  readonly projectIndexes: readonly ProjectIndex[];
  #fate = UNCHANGED;
  #stored: ((number: number) => MemoryDocument | undefined) | null = null;

  constructor(count: number, projectIndexes: number) {
    this.count = count;
    this.projectIndexes = Array.from({ length: projectIndexes }, (_, number) => ({
      id: `project-${number}`,
      workdirs: [placeOf(number)],
    }));
  }

  /** From now on these are edited and those are removed. */
  change(fate: Fate): void {
    this.#fate = fate;
  }

  /** Its current state; undefined if it was removed. */
  record(number: number): MemoryDocument | undefined {
    if (number >= this.count || this.#fate.isGone(number)) return undefined;
    return record(number, this.projectIndexes.length, this.#fate.isEdited(number) ? 1 : 0);
  }

  documents(
    projectIndex: ProjectIndex,
  ): Promise<{ checkpoint: SourcePosition; documents: AsyncIterable<MemoryDocument> }> {
    const all = this.#of(this.projectIndexes.findIndex(({ id }) => id === projectIndex.id));
    return Promise.resolve({
      checkpoint: { generation: 'synthetic', seq: 0 },
      documents: (async function* () {
        yield* all;
      })(),
    });
  }

  getMany(ids: readonly string[]): Promise<readonly (MemoryDocument | undefined)[]> {
    return Promise.resolve(ids.map((id) => this.#stored?.(numberOf(id)) ?? this.record(numberOf(id))));
  }

  /** Writes the records into a folder, for `stored`. */
  store(folder: string): void {
    const lines: Buffer[] = [];
    const ends = new Float64Array(this.count + 1);
    for (let number = 0; number < this.count; number += 1) {
      lines.push(Buffer.from(JSON.stringify(this.record(number) ?? null)));
      ends[number + 1] = ends[number]! + lines.at(-1)!.length;
    }
    writeFileSync(join(folder, 'records'), Buffer.concat(lines));
    writeFileSync(join(folder, 'ends'), new Uint8Array(ends.buffer));
  }

  /** From now on records are read from that file, as the product reads them from its store, instead of computed. */
  stored(folder: string): void {
    const file = openSync(join(folder, 'records'), 'r');
    const ends = new Float64Array(new Uint8Array(readFileSync(join(folder, 'ends'))).buffer);
    this.#stored = (number) => {
      const line = Buffer.allocUnsafe(ends[number + 1]! - ends[number]!);
      readSync(file, line, 0, line.length, ends[number]!);
      return (JSON.parse(line.toString()) ?? undefined) as MemoryDocument | undefined;
    };
  }

  /** What `changes` gives from now on. */
  feed: readonly DocumentChange[] = [];

  changes({ seq }: SourcePosition, limit?: number): Promise<DocumentChanges> {
    const changes = this.feed.filter((change) => change.seq > seq).slice(0, limit);
    return Promise.resolve({ seq: changes.at(-1)?.seq ?? seq, changes });
  }

  /** Queries of two to five words that occur in one record, so that there is something to find. */
  queries(count: number): string[] {
    const random = randomNumbers(4_711);
    return Array.from({ length: count }, () => {
      const { body } = record(Math.floor(random() * this.count), this.projectIndexes.length, 0);
      const bodyWords = body.split(' ');
      const length = 2 + Math.floor(random() * 4);
      return Array.from({ length }, () => bodyWords[Math.floor(random() * bodyWords.length)]!).join(' ');
    });
  }

  *#of(projectIndex: number): Generator<MemoryDocument> {
    for (let number = 0; number < this.count; number += 1) {
      const document =
        projectIndexOf(number, this.projectIndexes.length) === projectIndex && this.record(number);
      if (document) yield document;
    }
  }
}

/** `version` gives another text under the same id. */
export function record(number: number, projectIndexes: number, version: number): MemoryDocument {
  const random = randomNumbers(number * 2 + version * 1_000_003 + 1);
  const body = some(random, BODY_WORDS);
  const session = Math.floor(number / SESSION_RECORDS);
  const file = `src/${some(random, 1)}/${some(random, 1)}.ts`;
  return {
    id: idOf(number),
    kind: number % 5 === 0 ? 'prompt' : 'answer',
    type: null,
    title: body.split(' ').slice(0, TITLE_WORDS).join(' '),
    body,
    files: random() < SHARE_WITH_FILES ? [file] : [],
    concepts: [],
    neighbours: [some(random, TITLE_WORDS), some(random, TITLE_WORDS)],
    workdir: placeOf(projectIndexOf(number, projectIndexes)),
    agent: 'claude-code',
    session: `session-${session}`,
    turn: null,
    agentId: null,
    at: 1_767_225_600_000 + number * 60_000,
    order: String(number),
    tokens: Math.ceil(body.length / 4),
    outcome: null,
    events: [],
  };
}

/** Ids in another order than the numbers, as hashes are. */
function idOf(number: number): string {
  return `p-${(Math.imul(number, 0x9e37_79b1) >>> 0).toString(32).padStart(7, '0')}-${number}`;
}

function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

function projectIndexOf(number: number, projectIndexes: number): number {
  return Math.floor(number / SESSION_RECORDS) % projectIndexes;
}

function placeOf(projectIndex: number): string {
  return `/home/someone/projects/number-${projectIndex}`;
}

/** Random words; the n-th most common one is n times as rare as the most common. */
function some(random: () => number, count: number): string {
  return Array.from({ length: count }, () => words[Math.floor(words.length ** random()) - 1]!).join(' ');
}
