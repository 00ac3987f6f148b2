// Keeps the ready files of session starts (src/session-start/ready-file.ts). It follows the views: as soon as rows change,
// the mark goes, and with it the files whose answers were made from these rows. When nothing happened for a moment, the
// missing files are made again and the mark is set. Files of an earlier process are never trusted.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangedKeys, keyParts, memoryKeys, newestRows } from '../../projections/index.ts';
import { agentNamed } from '../agents/index.ts';
import type { ContextAnswer } from '../api.ts';
import { projectOfFolder } from '../home/folder-project.ts';
import type { Home } from '../home/home.ts';
import { recordedGitConfig } from '../home/record-workdirs.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import {
  currentMark,
  injectionsFolder,
  isMarkNewer,
  READY_AGENT,
  readyFolder,
  readyPath,
  readyText,
  removeReadyAnswers,
} from '../session-start/ready-file.ts';
import { contextOf } from './context-of.ts';
import { ReadTrace } from './read-trace.ts';
import { givenText, startAnswer, startContext } from './start-answer.ts';

/** The folders used last. An answer takes some 40 ms of processor time; the folders of a project share one. */
const FOLDERS_MAX = 32;
/** Longer than a second: some shells compare times of files by whole seconds. */
const QUIET_MS = 1_100;
/** So many changed rows come from an import; it would take longer to find the files they belong to than to make all of them. */
const CHANGED_MAX = 2_000;

const READY = agentNamed(READY_AGENT)!.hooks!;

interface Made {
  readonly id: string;
  readonly path: string;
  readonly gitConfig: string;
  readonly trace: ReadTrace;
}

interface Answer {
  /** Of the record of what it shows; empty if the agent is given nothing. */
  readonly id: string;
  readonly text: string;
  readonly trace: ReadTrace;
  /** How many changes there were before it was made. */
  readonly changes: number;
}

export class ReadyFiles {
  readonly #home: Home;
  readonly #stops: readonly (() => void)[];
  readonly #made = new Map<string, Made>();
  /** Workdirs with documents, as text; another one may change the project of any folder. */
  #known = '';
  /** The folders used last; null when they have to be found again. */
  #wanted: readonly string[] | null = null;
  /** Counts changes: what was read before one must not be written after it. */
  #changes = 0;
  #isMarked = false;
  /** Whether a file could not be removed or written: what is on disk is not known then. */
  #isBroken = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(home: Home) {
    this.#home = home;
    this.#stops = [
      // A mark must be newer than the log's file, which any batch changes.
      home.log.onWrite(() => this.#noteWrite()),
      home.runner.onProjected((changed) => this.#noteRows(changed)),
      // Each answer shows it.
      home.notice.onChange(() => this.#noteRows(null)),
    ];
    this.#try(() => removeReadyAnswers(home.paths.home));
    this.#later();
  }

  /** Makes what is missing and sets the mark, unless something changes meanwhile. Never rejects. */
  refresh(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running = this.#running
      .then(() => (this.#isClosed ? undefined : this.#refresh()))
      // The next session start asks Node, which reports what is wrong.
      .catch(() => undefined);
    return this.#running;
  }

  /** The files stay: they are current until the log changes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  #noteWrite(): void {
    this.#unmark();
    this.#later();
  }

  #noteRows(changed: ChangedKeys | null): void {
    this.#changes += 1;
    this.#unmark();
    const views = Object.keys(this.#home.views).map((name) => [name, changed?.(name) ?? []] as const);
    const count = views.reduce((sum, [, keys]) => sum + keys.length, 0);
    let touched = 0;
    for (const [folder, { trace }] of this.#made) {
      const isTouched =
        changed === null ||
        count > CHANGED_MAX ||
        views.some(([name, keys]) => trace.isTouchedBy(name, keys));
      if (!isTouched) continue;
      touched += 1;
      this.#remove(folder);
    }
    // Rows of a folder that has no file: it may be one of the folders used last now.
    if (touched === 0) this.#wanted = null;
    this.#later();
  }

  #later(): void {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), QUIET_MS).unref();
  }

  async #refresh(): Promise<void> {
    const { log, runner, imports, pausedBecause, paths } = this.#home;
    await runner.catchUp();
    const head = log.head().position;
    if (pausedBecause !== null || imports.isImporting || runner.projected() < head) return;
    if (this.#isBroken) this.#startAgain();
    await this.#findFolders();
    const answers = new Map<string, Answer>();
    for (const folder of this.#wanted ?? []) {
      await this.#bringUp(folder, answers);
      // The next refresh tries again, with one folder.
      if (this.#isBroken) break;
      // Other work goes first.
      await nextTurn();
      if (this.#isClosed) return;
    }
    this.#try(() => this.#removeOldRecords());
    if (log.head().position !== head || this.#wanted === null || this.#timer !== null || this.#isBroken)
      return;
    this.#makeFolder(dirname(currentMark(paths.home)));
    rmSync(currentMark(paths.home), { force: true });
    writeFileSync(currentMark(paths.home), '', { mode: 0o600 });
    this.#isMarked = true;
    if (!isMarkNewer(paths.home)) this.#noteWrite();
  }

  #startAgain(): void {
    this.#isBroken = false;
    this.#made.clear();
    this.#try(() => removeReadyAnswers(this.#home.paths.home));
  }

  /** Which folders were used last, by the newest prompt in them. */
  async #findFolders(): Promise<void> {
    const { memory, context } = this.#home.views;
    const workdirs = (await memory.range(memoryKeys.workdirs())).map(([rowKey]) => keyParts(rowKey)[1]!);
    const known = workdirs.join('\n');
    if (known !== this.#known) for (const folder of [...this.#made.keys()]) this.#remove(folder);
    else if (this.#wanted !== null) return;
    this.#known = known;
    const changes = this.#changes;
    const used: { readonly folder: string; readonly at: number }[] = [];
    for (const folder of workdirs) {
      const [newest] = await newestRows(context, [folder], 'prompt', 1);
      used.push({ folder, at: newest?.at ?? 0 });
    }
    if (changes !== this.#changes) return;
    used.sort((one, other) => other.at - one.at);
    const wanted = new Set(used.slice(0, FOLDERS_MAX).map(({ folder }) => folder));
    for (const folder of [...this.#made.keys()]) if (!wanted.has(folder)) this.#remove(folder);
    this.#wanted = [...wanted];
  }

  async #bringUp(folder: string, answers: Map<string, Answer>): Promise<void> {
    const home = this.#home;
    const changes = this.#changes;
    const path = isAbsolute(folder) ? readyPath(home.paths.home, folder) : null;
    const gitConfig = path === null || home.excluded(folder) ? null : await recordedGitConfig(folder, home);
    const made = this.#made.get(folder);
    if (made?.gitConfig === gitConfig) return;
    this.#remove(folder);
    if (path === null || gitConfig === null) return;
    const { id, text, trace } = await this.#answerIn(folder, changes, answers);
    if (changes !== this.#changes || this.#isClosed) return;
    this.#made.set(folder, { id, path, gitConfig, trace });
    this.#try(() => {
      this.#makeFolder(dirname(path));
      writeFileSync(`${path}.new`, readyText({ folder, gitConfig, id, answer: text }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    });
  }

  /** All folders of a project get the same answer, until something changes. */
  async #answerIn(folder: string, changes: number, answers: Map<string, Answer>): Promise<Answer> {
    const trace = new ReadTrace();
    const traced = trace.through(this.#home);
    const project = JSON.stringify(await projectOfFolder(folder, traced));
    const known = answers.get(project);
    if (known?.changes === changes) {
      trace.add(known.trace);
      return { ...known, trace };
    }
    const options = { cwd: folder, kind: 'startup', ...startContext(READY) } as const;
    const context = await contextOf(options, traced);
    const answer = { id: this.#record(context), text: startAnswer(READY, context), trace, changes };
    answers.set(project, answer);
    return answer;
  }

  /** Keeps what an answer shows until sessions that it was printed for are recorded. Returns its id. */
  #record(context: ContextAnswer): string {
    const text = givenText(READY, context);
    if (text === '') return '';
    const id = Buffer.from(randomBytes(8)).toString('hex');
    const folder = injectionsFolder(this.#home.paths.home);
    const { items, tokens } = context;
    const hash = createHash('sha256').update(text).digest('hex');
    this.#try(() => {
      this.#makeFolder(folder);
      writeFileSync(join(folder, id), JSON.stringify({ items, tokens, hash }), { mode: 0o600 });
    });
    return id;
  }

  /** Nothing above the folder of ready files: a home that was removed stays removed. */
  #makeFolder(path: string): void {
    const folder = readyFolder(this.#home.paths.home);
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  /** A file in the spool may name one that is not current any more. */
  #removeOldRecords(): void {
    const { home } = this.#home.paths;
    const [waiting, records] = [join(home, 'spool', 'new'), injectionsFolder(home)];
    if (!existsSync(records) || (existsSync(waiting) && readdirSync(waiting).length > 0)) return;
    const used = new Set([...this.#made.values()].map(({ id }) => id));
    for (const id of readdirSync(records)) if (!used.has(id)) rmSync(join(records, id), { force: true });
  }

  #remove(folder: string): void {
    const made = this.#made.get(folder);
    if (made === undefined) return;
    this.#made.delete(folder);
    this.#try(() => rmSync(made.path, { force: true }));
  }

  #unmark(): void {
    if (!this.#isMarked) return;
    this.#isMarked = false;
    this.#try(() => rmSync(currentMark(this.#home.paths.home), { force: true }));
  }

  #try(act: () => void): void {
    try {
      act();
    } catch {
      // `doctor` looks at the home's disk and rights.
      this.#isBroken = true;
    }
  }
}
