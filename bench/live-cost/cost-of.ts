// What a few new lines of one session cost in an open home, stage by stage, in processor time: three transcript lines
// (a tool use, its result, a reply), one hook file, an import of three lines by the library. The home stays open all the
// time, as a worker's does. In the end it is closed and opened again: the first lines then find nothing in memory.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  contextProjector,
  memoryProjector,
  type Projector,
  projectsProjector,
  turnsProjector,
} from '../../projections/index.ts';
import { drainSpool } from '../../src/capture/spool/drain-spool.ts';
import { END_MARK } from '../../src/capture/spool/end-mark.ts';
import { spoolFiles, spoolFolders } from '../../src/capture/spool/spool-files.ts';
import type { Home } from '../../src/home/home.ts';
import { importIntoHome } from '../../src/import/import-paths.ts';
import { importTranscripts } from '../../src/import/import-transcripts.ts';
import { openParts } from '../../src/open-parts.ts';
import { searchMemory } from '../../src/search/search-home.ts';
import { Script } from '../../tests/helpers/transcripts.ts';
import { measured, median, stopwatch } from '../harness/measure.ts';

/** Turns of twenty tool uses each, a single turn without an end, or a fork whose lines are copies up to its last ones. */
export type Shape = 'turns' | 'endless' | 'fork';

export interface CostRequest {
  readonly home: string;
  readonly folder: string;
  readonly shape: Shape;
  readonly toolUses: number;
  readonly rounds: number;
  /** How long to wait before the rounds. */
  readonly settleMs: number;
}

/** Processor time by stage, ms: the median of the rounds. `all` is the whole, not the sum of the medians. */
export type Stages = Readonly<Record<string, number>>;

export interface Cost {
  readonly lines: Stages;
  readonly hook: Stages;
  readonly import: Stages;
  /** The first three lines after a restart, without opening. */
  readonly restart: Stages;
  /** Digests of the views in the end. */
  readonly digest: string;
}

const SESSION = '5f0c7d1e-0000-4000-8000-000000000001';
const FORK = '5f0c7d1e-0000-4000-8000-000000000002';
const CWD = '/home/someone/projects/number-1';
const START = Date.UTC(2026, 0, 1);
const TOOL_USES_PER_TURN = 20;
/** Rounds before the ones that count: code is compiled, caches are filled. */
const WARM_UP = 4;
const WORDS =
  'the reader fails when a line is cut in the middle so append returns before sync and a test'.split(' ');

export async function costOf({
  home,
  folder,
  shape,
  toolUses,
  rounds,
  settleMs,
}: CostRequest): Promise<Cost> {
  const original = join(folder, `${SESSION}.jsonl`);
  const file = shape === 'fork' ? join(folder, `${FORK}.jsonl`) : original;
  mkdirSync(folder, { recursive: true });
  const script = new Lines(shape);
  for (let use = 0; use < toolUses; use++) script.toolUse();
  const lines = script.take();
  appendFileSync(original, lines);
  if (shape === 'fork') {
    appendFileSync(file, lines.toString().replaceAll(SESSION, FORK));
    script.session = FORK;
  }
  const opened = await openParts({ home });
  const stages = watched(opened);
  let cost: Omit<Cost, 'restart'>;
  try {
    await read(opened, original);
    if (shape === 'fork') await read(opened, file);
    await opened.runner.catchUp();
    script.promptFile(home);
    await drain(opened);
    await searchMemory('reader', {}, opened);
    await sleep(settleMs);
    const samples: Record<'lines' | 'hook' | 'import', Stages[]> = { lines: [], hook: [], import: [] };
    for (let round = 0; round < WARM_UP + rounds; round++) {
      script.threeLines();
      appendFileSync(file, script.take());
      const lines = await stages.during(() => follow(opened, stages, file));
      script.hookFile(home);
      const hook = await stages.during(async () => {
        await stages.stage('drain and append', () => drain(opened));
        await opened.runner.catchUp();
      });
      script.threeLines();
      appendFileSync(file, script.take());
      const imported = await stages.during(() => importIntoHome([file], {}, opened));
      if (round < WARM_UP) continue;
      samples.lines.push(lines);
      samples.hook.push(hook);
      samples.import.push(imported);
    }
    const digests = ['turns', 'memory', 'context'].map((name) => opened.runner.digest(name));
    cost = {
      lines: medians(samples.lines),
      hook: medians(samples.hook),
      import: medians(samples.import),
      digest: createHash('sha256')
        .update((await Promise.all(digests)).join())
        .digest('hex')
        .slice(0, 16),
    };
  } finally {
    stages.restore();
    await close(opened);
  }
  script.threeLines();
  appendFileSync(file, script.take());
  return { ...cost, restart: await costAfterRestart(home, file) };
}

async function costAfterRestart(home: string, file: string): Promise<Stages> {
  const opened = await openParts({ home });
  const stages = watched(opened);
  try {
    return await stages.during(() => follow(opened, stages, file));
  } finally {
    stages.restore();
    await close(opened);
  }
}

async function close({ embedding, runner, log }: Home): Promise<void> {
  await embedding.close();
  await runner.close();
  await log.close();
}

async function follow(opened: Home, stages: ReturnType<typeof watched>, file: string): Promise<void> {
  await stages.stage('read and append', () => read(opened, file));
  await opened.runner.catchUp();
}

async function read({ log, excluded }: Home, file: string): Promise<void> {
  await importTranscripts({ log, paths: [file], excluded });
}

async function drain({ log, paths, now, excluded }: Home): Promise<void> {
  await drainSpool({ log, files: spoolFiles, folders: spoolFolders(paths.home), now, excluded });
}

/** Measures the parts of an open home while they work. */
function watched(opened: Home) {
  let times = new Map<string, number>();
  const stage = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const { value, cpuMs } = await measured(work);
    times.set(name, (times.get(name) ?? 0) + cpuMs);
    return value;
  };
  const restored: (() => void)[] = [];
  const watch = (owner: object, method: string, name: string): void => {
    const parts = owner as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const own = Object.getOwnPropertyDescriptor(owner, method);
    const before = parts[method]!;
    parts[method] = function (this: unknown, ...given: unknown[]) {
      return stage(name, () => before.apply(this, given));
    };
    restored.push(() => {
      if (own === undefined) delete parts[method];
      else Object.defineProperty(owner, method, own);
    });
  };
  const projectors: readonly Projector[] = [
    turnsProjector,
    projectsProjector,
    memoryProjector,
    contextProjector,
  ];
  for (const projector of projectors) watch(projector, 'fold', projector.name);
  for (const index of [opened.text, opened.vectors]) watch(index, 'catchUp', index.name);
  return {
    stage,
    /** What each stage takes while this works. */
    during: async (work: () => Promise<unknown>): Promise<Stages> => {
      times = new Map();
      const elapsed = stopwatch();
      await work();
      const { cpuMs } = elapsed();
      return { all: cpuMs, ...Object.fromEntries(times) };
    },
    restore: () => {
      for (const undo of restored) undo();
    },
  };
}

function medians(samples: readonly Stages[]): Stages {
  const names = new Set(samples.flatMap((sample) => Object.keys(sample)));
  return Object.fromEntries([...names].map((name) => [name, median(samples.map((one) => one[name] ?? 0))]));
}

/** One session's lines, and what hooks report of it. */
class Lines {
  session = SESSION;
  readonly #shape: Shape;
  #uses = 0;
  #hooks = 0;
  #last = '';
  #promptId = '';
  #prompt = '';
  #lines = 0;
  #script = this.#scriptFrom(null);

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  toolUse(): void {
    const isTurn =
      this.#uses % (this.#shape === 'endless' ? Number.POSITIVE_INFINITY : TOOL_USES_PER_TURN) === 0;
    if (isTurn) {
      this.#promptId = `prompt-${this.#uses}`;
      this.#prompt = `Please mend this: ${this.#prose(30)}.`;
      this.#lines++;
      this.#script.prompt(this.#prompt, { promptId: this.#promptId });
    }
    this.threeLines();
  }

  /** A tool use, its result and a reply. */
  threeLines(): void {
    const extra = { promptId: this.#promptId };
    const use = this.#uses++;
    this.#lines += 3;
    const id = `toolu_${use}`;
    const isCommand = use % 2 === 0;
    const input = isCommand
      ? { command: `npm test -- part-${use % 97}`, description: `Run the tests of ${this.#prose(4)}` }
      : { file_path: `${CWD}/src/part-${use % 97}.ts` };
    this.#script.use(id, isCommand ? 'Bash' : 'Read', input, extra);
    const failed = use % 9 === 0 ? { is_error: true } : {};
    this.#script.result(id, `${this.#prose(30)}\n${use % 7} passed`, extra, failed);
    this.#last = this.#script.reply(`I looked at part ${use}: ${this.#prose(25)}.`, extra);
  }

  /** What was written since the last call. */
  take(): Buffer {
    const bytes = this.#script.bytes();
    this.#script = this.#scriptFrom(this.#last);
    return bytes;
  }

  /** A script that continues after this line. Earlier lines are dropped, because they would distort the measurement. */
  #scriptFrom(parent: string | null): Script {
    return new Script({ session: this.session, cwd: CWD, start: START, firstUuid: this.#lines + 1, parent });
  }

  /** The last prompt: tool uses after it belong to it. */
  promptFile(home: string): void {
    this.#leave(home, { hook_event_name: 'UserPromptSubmit', prompt: this.#prompt, source: 'user' });
  }

  /** A tool use that the transcript does not hold yet. */
  hookFile(home: string): void {
    this.#leave(home, {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: `toolu_hook_${this.#hooks}`,
      tool_input: { command: `git status # ${this.#hooks}` },
      tool_response: { stdout: this.#prose(20), stderr: '', interrupted: false },
      duration_ms: 5,
    });
  }

  /** Fires a hook at the time of the last line. */
  #leave(home: string, fields: object): void {
    const payload = {
      session_id: this.session,
      transcript_path: `/home/someone/.claude/projects/number-1/${this.session}.jsonl`,
      cwd: CWD,
      prompt_id: this.#promptId,
      ...fields,
    };
    mkdirSync(join(home, 'spool/new'), { recursive: true, mode: 0o700 });
    const path = join(home, 'spool/new', `claude-code-${String(this.#hooks++).padStart(10, '0')}`);
    writeFileSync(path, JSON.stringify(payload) + END_MARK);
    utimesSync(path, this.#at / 1000, this.#at / 1000);
  }

  /** When the last line was written, Unix ms: a script's lines are a second apart. */
  get #at(): number {
    return START + (this.#lines + 1) * 1_000;
  }

  #prose(words: number): string {
    let text = '';
    for (let at = 0; at < words; at++)
      text += `${WORDS[(this.#uses * 31 + at * at * 7) % WORDS.length]}${at % 11 === 0 ? this.#uses + at : ''} `;
    return text.trimEnd();
  }
}
