// Claude Code transcripts for tests: real files where the machine has them, and hand-made ones, written line
// by line in the shapes of the format. By default, every hand-made line follows the one before it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { NewEvent } from '../../log/index.ts';
import { FRESH_STATE, type ReaderState } from '../../src/agents/claude-code/reader-state.ts';
import { readLines } from '../../src/agents/claude-code/transcript-reader.ts';
import { type Sanitizer, sanitizerOf } from '../../src/agents/common/sanitizer.ts';
import { PrivatePrompts } from '../../src/capture/private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../../src/capture/text/clip.ts';
import { linesOf } from '../../src/capture/transcripts/line-splitter.ts';
import { claudeCodeTranscripts, readsAllTranscripts } from './shared-data.ts';

export interface TranscriptFile {
  /** Path below the data folder, with `/`. */
  readonly name: string;
  readonly path: string;
  bytes(): Buffer;
}

/** The size of the largest real file that `npm test` reads, bytes: 23 of 32 files. `npm run test:long` reads all. */
const BYTES_MAX = readsAllTranscripts ? Number.POSITIVE_INFINITY : 1_000_000;

/** The real files in the order of their names; empty when there are none. */
export function realTranscripts(): readonly TranscriptFile[] {
  const root = claudeCodeTranscripts;
  if (root === null) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(root, name))
    .filter((path) => statSync(path).size <= BYTES_MAX)
    .map((path) => ({
      name: relative(root, path).replaceAll('\\', '/'),
      path,
      bytes: () => readFileSync(path),
    }));
}

export interface ReadOptions {
  readonly name?: string;
  readonly sanitizer?: Sanitizer;
  readonly privatePromptIds?: ReadonlySet<string>;
  /** Whether sub-agents have separate files; default true. */
  readonly hasOwnFile?: (agentId: string) => boolean;
}

export interface WholeRead {
  readonly newEvents: readonly NewEvent[];
  readonly state: ReaderState;
}

/** Reads bytes as a file that grows in slices ending at each cut; after each, the state goes through JSON like a cursor. */
export function readInSlices(bytes: Buffer, cuts: readonly number[], options: ReadOptions = {}): WholeRead {
  const newEvents: NewEvent[] = [];
  let state: ReaderState = FRESH_STATE;
  for (const end of [...cuts, bytes.length]) {
    const file = bytes.subarray(0, end);
    const outcome = readLines(state, linesOf(file.subarray(state.offset), state.offset), {
      sanitizer: options.sanitizer ?? sanitizerOf(TRANSCRIPT_CLIP_BYTES),
      lineAt: (offset, length) => file.subarray(offset, offset + length),
      hasOwnFile: options.hasOwnFile ?? (() => true),
      fallbackSession: basename(options.name ?? 'fallback-session', '.jsonl'),
      agentId: /agent-([^/]+)\.jsonl$/.exec(options.name ?? '')?.[1] ?? null,
      privatePromptIds: options.privatePromptIds ?? new Set(),
      privatePrompts: new PrivatePrompts(),
    });
    newEvents.push(...outcome.events);
    state = JSON.parse(JSON.stringify(outcome.state)) as ReaderState;
  }
  return { newEvents, state };
}

export function readWhole(bytes: Buffer, options: ReadOptions = {}): WholeRead {
  return readInSlices(bytes, [], options);
}

/** The events of one type, with typed bodies. */
export function ofType<T extends NewEvent['type']>(
  newEvents: readonly NewEvent[],
  type: T,
): readonly NewEvent<T>[] {
  return newEvents.filter((newEvent) => newEvent.type === type) as unknown as readonly NewEvent<T>[];
}

/** Removes `promptId` from every line, as in older versions. */
export function withoutPromptIds(bytes: Buffer): Buffer {
  return mapLines(bytes, (line) => {
    const { promptId: _, ...rest } = line;
    return rest;
  });
}

export type RawLine = Record<string, unknown>;

/** Rewrites each line of a transcript; null removes it. Lines that are not JSON are kept. */
export function mapLines(bytes: Buffer, change: (line: RawLine, index: number) => RawLine | null): Buffer {
  const out = rawLines(bytes).map((line, index) => change(line, index));
  return Buffer.from(
    out
      .filter((line) => line !== null)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
}

export function rawLines(bytes: Buffer): RawLine[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as RawLine);
}

/** The lines of a transcript that existed at a time; a line without a time existed with the line before it. */
export function cutAt(text: string, time: number): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const times = lines.map((line) => Date.parse((JSON.parse(line) as { timestamp?: string }).timestamp ?? ''));
  let last = times.find((at) => !Number.isNaN(at)) ?? 0;
  return lines
    .filter((_, index) => {
      last = Number.isNaN(times[index]!) ? last : times[index]!;
      return last <= time;
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** The uuid of a hand-made line: it begins with its number. */
export function uuidOf(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

export interface ScriptOptions {
  readonly session?: string;
  readonly cwd?: string;
  readonly version?: string;
  readonly firstUuid?: number;
  readonly start?: number;
  /** The uuid that the first line follows. */
  readonly parent?: string | null;
}

/** A hand-made transcript. Each method adds a line and returns its uuid. */
export class Script {
  readonly session: string;
  readonly #options: ScriptOptions;
  readonly #pieces: Buffer[] = [];
  #number: number;
  #parent: string | null;

  constructor(options: ScriptOptions = {}) {
    this.#options = options;
    this.session = options.session ?? '11111111-2222-4333-8444-555555555555';
    this.#number = options.firstUuid ?? 1;
    this.#parent = options.parent ?? null;
  }

  prompt(text: string, extra: RawLine = {}): string {
    return this.message('user', { role: 'user', content: text }, extra);
  }

  reply(text: string, extra: RawLine = {}, message: RawLine = {}): string {
    return this.assistant([{ type: 'text', text }], extra, message);
  }

  use(
    id: string,
    name = 'Bash',
    input: RawLine = { command: 'ls' },
    extra: RawLine = {},
    message: RawLine = {},
  ) {
    return this.assistant([{ type: 'tool_use', id, name, input }], extra, message);
  }

  result(id: string, content: unknown, extra: RawLine = {}, block: RawLine = {}): string {
    const blocks = [{ type: 'tool_result', tool_use_id: id, content, ...block }];
    return this.message('user', { role: 'user', content: blocks }, extra);
  }

  assistant(content: readonly unknown[], extra: RawLine = {}, message: RawLine = {}): string {
    const usage = { input_tokens: 10, output_tokens: 1 };
    const id = `msg_${this.#number}`;
    const complete = {
      id,
      role: 'assistant',
      model: 'claude-test-1',
      stop_reason: null,
      usage,
      content,
      ...message,
    };
    return this.message('assistant', complete, extra);
  }

  system(subtype: string, extra: RawLine = {}): string {
    return this.message('system', null, { subtype, ...extra });
  }

  attachment(attachment: RawLine, extra: RawLine = {}): string {
    return this.message('attachment', null, { attachment, ...extra });
  }

  /** Adds a line with the envelope of messages. */
  message(type: string, message: unknown, extra: RawLine): string {
    const uuid = uuidOf(this.#number);
    const line = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.#options.cwd ?? '/home/u/app',
      sessionId: this.session,
      version: this.#options.version ?? '2.1.100',
      gitBranch: 'main',
      type,
      ...(message === null ? {} : { message }),
      uuid,
      timestamp: new Date(this.#time()).toISOString(),
      ...extra,
    };
    this.#number += 1;
    this.#parent = line.uuid as string;
    this.raw(line);
    return line.uuid as string;
  }

  /** Adds a line without the envelope: titles, queue operations. */
  meta(type: string, extra: RawLine = {}): void {
    this.raw({ type, sessionId: this.session, ...extra });
  }

  enqueue(content: string): void {
    this.queue('enqueue', { content });
  }

  /** Sends the oldest queued text. */
  dequeue(): void {
    this.queue('dequeue');
  }

  queue(operation: 'enqueue' | 'dequeue' | 'remove' | 'popAll', extra: RawLine = {}): void {
    this.meta('queue-operation', { operation, ...extra, timestamp: new Date(this.#time()).toISOString() });
  }

  raw(line: unknown): void {
    this.text(`${JSON.stringify(line)}\n`);
  }

  text(text: string): void {
    this.#pieces.push(Buffer.from(text));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  #time(): number {
    return (this.#options.start ?? Date.UTC(2026, 0, 1)) + this.#number * 1000;
  }
}
