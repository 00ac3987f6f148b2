// Reads transcripts as a description says, records nothing, and counts what was found: for who writes a description.
import { existsSync } from 'node:fs';
import { basename, posix } from 'node:path';
import picomatch from 'picomatch';
import type { NewEvent } from '../../../log/index.ts';
import { PrivatePrompts } from '../../capture/private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../../capture/text/clip.ts';
import { discover, reasonOf, type Unreadable } from '../../capture/transcripts/discover.ts';
import type { Machine } from '../../platform/machine.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import { countableName } from '../common/countable-name.ts';
import { openRecords } from '../common/open-records.ts';
import type { RecordState } from '../common/record-state.ts';
import type { TranscriptFormat } from '../common/records.ts';
import { sanitizerOf } from '../common/sanitizer.ts';
import { SubagentFiles } from '../common/subagent-files.ts';
import type { TranscriptRun } from '../common/transcript-reader.ts';
import { startOfFile } from '../index.ts';
import type { DeclaredAgent } from './declared-agent.ts';
import type { DeclaredFormat, LineMatches } from './declared-format.ts';
import { fulfils, scopeOf } from './field-values.ts';

export interface RuleCount {
  readonly record: string;
  /** Lines, or items of lines, that fulfil its conditions. */
  matched: number;
  /** How many lacked a field that the record needs, by field. */
  readonly missing: { [field: string]: number };
}

export interface DescriptionCheck {
  readonly files: number;
  readonly unreadable: readonly Unreadable[];
  /** Files that only their folder makes transcripts of this agent: none of the first lines fulfils `recognise`. */
  readonly notRecognised: readonly string[];
  readonly lines: number;
  /** Lines that are not JSON objects. */
  readonly parked: number;
  readonly sessions: number;
  readonly prompts: number;
  readonly replies: number;
  /** Calls with their results. */
  readonly toolUses: number;
  readonly callsWithoutResult: number;
  readonly resultsWithoutCall: number;
  /** Prompts, replies and tool uses without a time. */
  readonly withoutTime: number;
  /** The same without a working folder: they belong to no project. */
  readonly withoutFolder: number;
  readonly rules: readonly RuleCount[];
  /** Lines that no rule is for, by kind. */
  readonly unknown: { readonly [kind: string]: number };
  /** Texts that are no prompts, by reason. */
  readonly notPrompts: { readonly [reason: string]: number };
  /** The first prompts, without secrets and private text, shortened. */
  readonly firstPrompts: readonly string[];
}

const PROMPTS_SHOWN = 3;
const PROMPT_CHARS_MAX = 200;

/** Reads the transcripts at these paths; without paths, those in the folders of the description. */
export async function checkDescription(
  declared: DeclaredAgent,
  paths: readonly string[],
  machine: Machine,
): Promise<DescriptionCheck> {
  const { folders, isTranscript } = declared.agent.transcripts!;
  const present = folders(machine).filter((folder) => existsSync(folder));
  // In a folder of copies, the names of files must do.
  const hasName = picomatch(posix.basename(declared.description.files), { dot: true });
  const { files, unreadable } =
    paths.length > 0
      ? await discover(paths, (path) => hasName(basename(path)))
      : await discover(present, isTranscript);
  const found = new Count(declared);
  const failed: Unreadable[] = [];
  for (const { path } of files) {
    try {
      await found.read(path);
    } catch (error) {
      failed.push({ path, reason: reasonOf(error) });
    }
  }
  return { ...found.counts(), unreadable: [...unreadable, ...failed] };
}

class Count {
  readonly #declared: DeclaredAgent;
  readonly #rules: RuleCount[];
  readonly #unknown = new Map<string, number>();
  readonly #notPrompts = new Map<string, number>();
  readonly #notRecognised: string[] = [];
  readonly #events: NewEvent[] = [];
  #files = 0;
  #lines = 0;
  #parked = 0;
  #sessions = 0;
  #callsOpen = 0;
  #resultsOpen = 0;

  constructor(declared: DeclaredAgent) {
    this.#declared = declared;
    this.#rules = declared.description.rules.map(({ record }) => ({ record, matched: 0, missing: {} }));
  }

  async read(path: string): Promise<void> {
    const { agent, description } = this.#declared;
    const file = await openRegularFile(path);
    try {
      const { lines } = await startOfFile(path, file);
      const { recognise } = description;
      if (recognise !== undefined && !lines.some((line) => fulfils(recognise, scopeOf(line))))
        this.#notRecognised.push(path);
      const opened = await openRecords(agent.name, this.#counting())(path, file, RUN);
      if ('heldBack' in opened) return;
      const { reader } = opened;
      let state = reader.fresh;
      for await (const page of reader.pages(state)) {
        const read = reader.read(state, page.lines);
        state = read.state;
        for (const event of read.events) this.#events.push(shortened(event));
      }
      this.#files += 1;
      this.#lines += state.counts.lines;
      this.#parked += state.counts.parked;
      this.#sessions += new Set(state.speakers.map(({ session }) => session)).size;
      for (const { side } of (state as RecordState).open)
        if (side === 'call') this.#callsOpen += 1;
        else this.#resultsOpen += 1;
      for (const [reason, number] of Object.entries(state.counts.refused))
        add(this.#notPrompts, reason, number);
    } finally {
      await file.close();
    }
  }

  counts(): Omit<DescriptionCheck, 'unreadable'> {
    const of = (type: NewEvent['type']) => this.#events.filter((event) => event.type === type);
    const kept = [...of('prompt.submitted'), ...of('agent.replied'), ...of('tool.used')];
    const texts = of('prompt.submitted').map(({ body }) => ('text' in body ? body.text : null));
    return {
      files: this.#files,
      notRecognised: this.#notRecognised,
      lines: this.#lines,
      parked: this.#parked,
      sessions: this.#sessions,
      prompts: of('prompt.submitted').length,
      replies: of('agent.replied').length,
      toolUses: of('tool.used').length,
      callsWithoutResult: this.#callsOpen,
      resultsWithoutCall: this.#resultsOpen,
      withoutTime: kept.filter(({ occurredAt }) => occurredAt === null).length,
      withoutFolder: kept.filter(({ body }) => !('cwd' in body) || body.cwd === null).length,
      rules: this.#rules,
      unknown: Object.fromEntries(this.#unknown),
      notPrompts: Object.fromEntries(this.#notPrompts),
      firstPrompts: texts.filter((text) => typeof text === 'string').slice(0, PROMPTS_SHOWN),
    };
  }

  /** The format, counting what its rules match. A line that is read a second time is counted once. */
  #counting(): TranscriptFormat {
    const { format } = this.#declared;
    let counted = -1;
    const records: DeclaredFormat['records'] = (line, memory, location) => {
      if (location.offset > counted) {
        counted = location.offset;
        for (const one of format.matchesOf(line, memory, location)) this.#line(one);
      }
      return format.records(line, memory, location);
    };
    return { ...format, records } as unknown as TranscriptFormat;
  }

  #line({ matches, kind }: LineMatches): void {
    if (matches.length === 0) add(this.#unknown, countableName(kind), 1);
    for (const { rule, missing } of matches) {
      const count = this.#rules[rule]!;
      count.matched += 1;
      if (missing !== null) count.missing[missing] = (count.missing[missing] ?? 0) + 1;
    }
  }
}

/** What a reader asks while it opens a file: nothing is recorded, and nothing is known from hooks. */
const RUN: TranscriptRun = {
  log: {
    cursor: async () => undefined,
    pageBySession: async () => ({ events: [], next: null }),
  } as unknown as TranscriptRun['log'],
  sanitizer: sanitizerOf(TRANSCRIPT_CLIP_BYTES),
  privatePrompts: new PrivatePrompts(),
  subagents: new SubagentFiles(),
};

/** Only what is counted and shown of an event: a folder may hold gigabytes. */
function shortened(event: NewEvent): NewEvent {
  const { body } = event;
  const cwd = 'cwd' in body ? body.cwd : null;
  const text = event.type === 'prompt.submitted' && 'text' in body ? body.text : null;
  const shown = typeof text === 'string' ? text.slice(0, PROMPT_CHARS_MAX) : null;
  return { ...event, body: { cwd, text: shown } } as unknown as NewEvent;
}

function add(counts: Map<string, number>, name: string, number: number): void {
  counts.set(name, (counts.get(name) ?? 0) + number);
}
