// One seed is one run: a simulated world, a process of the product that serves it and is broken on purpose, the next
// process that continues, and at the end, without faults, the checks of check.ts.
import { type AppendOutcome, eventId, isAnnalsError, type LogWorld, type NewEvent } from '../../log/index.ts';
import { type Chance, chance } from '../helpers/chance.ts';
import { acceptLoss, checkCursors, checkEnd, type Promises, type What, type Wrong } from './check.ts';
import type { Disk } from './disk.ts';
import { Faults, KINDS, type Kind } from './faults.ts';
import { Life, Trace } from './life.ts';
import { FAILURES_OF_THE_DISK, Program, type Views } from './program.ts';
import { checkForgotten, Rewriting, withRewriting } from './rewriting.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { TranscriptFiles } from './transcript-files.ts';
import { type HookFile, type Step, type Workload, workloadOf } from './workload.ts';

export interface SimulationOptions {
  /** Default: a disk in memory. */
  readonly disk?: (seed: number) => Disk;
  /** Default: all kinds in turn. */
  readonly kind?: Kind;
  /** Whether the run forgets, compacts, exports and restores; default: in a third of the seeds. */
  readonly rewriting?: boolean;
}

export interface Outcome {
  readonly seed: number;
  readonly kind: Kind;
  readonly views: Views;
  /** Broken promises. Empty when there are none. */
  readonly wrong: readonly Wrong[];
  readonly trace: readonly string[];
  readonly events: number;
  readonly kills: number;
  /** Writes that were refused. */
  readonly refused: number;
  /** Number of kills, refused writes, power cuts, lost tails, clock jumps and repeated deliveries. */
  readonly faults: number;
}

const HANG_MS = 60_000;
const REWRITING_SEEDS = 1_500_000_000;

/** A third of the runs also forgets, compacts, exports and restores. */
export function isRewriting(seed: number): boolean {
  return Math.floor(seed / KINDS.length) % 3 === 0;
}

export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Outcome> {
  const run = new Run(seed, options);
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<'hung'>((resolve) => {
    timer = setTimeout(() => resolve('hung'), HANG_MS);
  });
  try {
    const end = await Promise.race([run.all(), hung]);
    if (end === 'hung') run.add(`it hangs after: ${run.trace.lines.at(-1)}`);
  } catch (error) {
    run.add(`the run ended with ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    clearTimeout(timer);
    await run.disk.end();
  }
  return run.outcome();
}

class Run {
  readonly wrong: Wrong[] = [];
  readonly trace = new Trace();
  readonly disk: Disk;
  readonly #seed: number;
  readonly #files = new TranscriptFiles();
  readonly #rewriting: Rewriting | null;
  readonly #faults: Faults;
  readonly #workload: Workload;
  readonly #steps: readonly Step[];
  readonly #views: Views;
  readonly #pageSize: number;
  readonly #luck: Chance;
  readonly #world: LogWorld;
  readonly #grown: number[];
  /** Hook files lost in a power cut before they were drained. */
  readonly #hookFiles = new Map<string, HookFile>();
  readonly #promises: Promises;
  #clock = Date.UTC(2026, 0, 2);
  #life: Life;
  #program: Program | null = null;
  #hooksLeft: number;
  #toAppendAgain: (readonly NewEvent[])[] = [];
  #events = 0;
  /** Number of refused writes when the last step succeeded: a later step may get the error of an earlier one. */
  #refusedBefore = 0;

  constructor(seed: number, options: SimulationOptions) {
    const { disk, kind = KINDS[seed % KINDS.length]!, rewriting: rewrites = isRewriting(seed) } = options;
    this.#seed = seed;
    this.disk = disk?.(seed) ?? new SimulatedDisk();
    this.#luck = chance(seed * 3 + 1);
    this.#faults = new Faults(
      kind,
      Math.floor(seed / KINDS.length),
      chance(seed * 3 + 2),
      disk !== undefined,
      rewrites,
    );
    const { disorder, clockJumps } = this.#faults;
    const rewriting = rewrites ? chance(seed + REWRITING_SEEDS) : null;
    this.#views = this.#luck.below(10) === 0 ? 'all' : 'small';
    this.#pageSize = 3 + this.#luck.below(5);
    this.#workload = workloadOf(this.#luck, { disorder, clockJumps, steps: 5 + this.#luck.below(7) });
    const { steps } = this.#workload;
    this.#steps = rewriting === null ? steps : withRewriting(steps, rewriting);
    this.#grown = this.#workload.transcripts.map(() => -1);
    this.#hooksLeft = this.#workload.hooks.length;
    this.#promises = { acknowledged: new Map(), appended: new Set(), needed: new Map(), tailLost: false };
    const bytes = chance(seed * 3 + 3);
    const randomBytes = (size: number): Uint8Array => {
      const words = new Uint32Array(Math.ceil(size / 4));
      for (let at = 0; at < words.length; at++) words[at] = bytes.below(2 ** 32);
      return new Uint8Array(words.buffer, 0, size);
    };
    this.#world = {
      now: () => this.#clock++,
      randomBytes,
    };
    this.#rewriting =
      rewriting === null ? null : new Rewriting({ luck: rewriting, now: this.#world.now, randomBytes });
    this.#life = this.#begin();
  }

  add(message: string, what: What = 'other'): void {
    this.wrong.push({ what, message });
  }

  outcome(): Outcome {
    const { kills, failed, jumps, powerCuts, tails } = this.#faults.counts;
    const { repeated } = this.#workload;
    return {
      seed: this.#seed,
      kind: this.#faults.kind,
      views: this.#views,
      wrong: this.wrong,
      trace: this.trace.lines,
      events: this.#events,
      kills,
      refused: failed,
      faults: kills + failed + jumps + powerCuts + tails + repeated,
    };
  }

  async all(): Promise<void> {
    for (const { bytes, session, newEvents } of this.#workload.transcripts) {
      this.#files.grow(pathOf(session), bytes, 0);
      for (const newEvent of newEvents) this.#promises.appended.add(eventId(newEvent));
    }
    for (const step of this.#steps) await this.#do(step);
    await this.#finish();
  }

  /** Delivers everything to the end without faults; then all promises must hold. */
  async #finish(): Promise<void> {
    this.#faults.off();
    // A kill that was planned earlier may still be pending, and would hit the first of these steps.
    await this.#life.quiet();
    if (!this.#life.alive) await this.#restart();
    for (const [index, { bytes, session, newEvents }] of this.#workload.transcripts.entries()) {
      this.#grown[index] = bytes.length;
      this.#files.grow(pathOf(session), bytes, bytes.length);
      for (const newEvent of newEvents) this.#promises.needed.set(eventId(newEvent), newEvent);
    }
    const rest = this.#workload.hooks.slice(-this.#hooksLeft, this.#hooksLeft === 0 ? 0 : undefined);
    for (const file of rest) this.#leave(file);
    if (this.#luck.below(3) === 0 && this.#program !== null) await this.#do({ do: 'restart' });
    for (const what of ['import', 'drain', 'tell', 'catch up'] as const)
      await this.#do(what === 'tell' ? { do: 'tell', calls: [] } : { do: what });
    for (const file of this.#hookFiles.values())
      if (file.needed && !this.disk.inSpool().has(file.name))
        for (const newEvent of file.newEvents) this.#promises.needed.set(eventId(newEvent), newEvent);
    // The next opening finishes interrupted work.
    if (this.#rewriting !== null) await this.#do({ do: 'restart' });
    if (this.#rewriting !== null) await this.#do({ do: 'catch up' });
    const program = this.#program;
    if (program === null) {
      this.add('the log does not open although there are no faults any more');
      return;
    }
    await this.#checkCursors(program);
    if (this.#rewriting !== null && !this.#promises.tailLost)
      this.wrong.push(...(await checkForgotten(program.log, this.disk)));
    const fresh = {
      disk: new SimulatedDisk(),
      files: this.#files,
      life: new Life(this.#faults, this.#luck, new Trace()),
    };
    const settings = { world: this.#world, views: this.#views, pageSize: this.#pageSize, ...fresh };
    this.wrong.push(...(await checkEnd(program, this.#promises, settings)));
    this.#events = program.log.head().position;
    await program.close();
  }

  /** One step, in the current process; opens one first when there is none. */
  async #do(step: Step): Promise<void> {
    if (this.#outside(step)) return;
    const program = this.#program ?? (await this.#open());
    if (program === null) return;
    await this.#alive(step.do, () => this.#inside(step, program));
  }

  /** What the world does without the product. */
  #outside(step: Step): boolean {
    if (step.do === 'grow') {
      const { bytes, cuts, session } = this.#workload.transcripts[step.transcript]!;
      const index = this.#grown[step.transcript]! + 1;
      this.#grown[step.transcript] = index;
      this.#files.grow(pathOf(session), bytes, cuts[index] ?? bytes.length);
      return true;
    }
    if (step.do === 'hooks') {
      for (const file of step.files) this.#leave(file);
      this.#hooksLeft -= step.files.length;
      return true;
    }
    if (step.do !== 'jump') return false;
    this.#clock += step.ms;
    this.#faults.counts.jumps += 1;
    return true;
  }

  async #inside(step: Step, program: Program): Promise<void> {
    switch (step.do) {
      case 'import':
        return program.import(this.#workload.transcripts.map(({ session }) => pathOf(session)));
      case 'drain':
        return program.drain();
      case 'tell':
        return this.#tell(program, step.calls);
      case 'catch up':
        await program.runner.catchUp();
        return this.#noProblems(program);
      case 'search':
        return program.search();
      case 'rebuild': {
        const names = program.runner.states().map(({ name }) => name);
        const chosen = this.#luck.below(2) === 0 ? names : [names[this.#luck.below(names.length)]!];
        await program.runner.rebuild(chosen);
        return;
      }
      case 'verify': {
        const { problems } = await program.log.verify();
        if (!this.#promises.tailLost)
          for (const { message } of problems) this.add(`verify during the run: ${message}`);
        return;
      }
      case 'forget':
        return this.#forget(program);
      case 'compact':
        return program.compact();
      case 'export':
        return this.#rewriting!.export(program);
      case 'restore':
        this.wrong.push(...(await this.#rewriting!.restore(this.#life)));
        return;
      case 'import export':
        if (this.#promises.tailLost) return;
        for (const id of await this.#rewriting!.importExport(program)) this.#promises.appended.add(id);
        return;
      case 'head':
        await program.log.saveHead();
        return;
      case 'restart':
        this.#program = null;
        await program.close();
        this.#life = this.#begin();
        return;
    }
  }

  /** A damaged log refuses the forgetting before anything is selected. */
  async #forget(program: Program): Promise<void> {
    if (this.#promises.tailLost) return;
    const newEvent = await this.#rewriting!.choose(program);
    if (newEvent === null) return;
    this.#promises.appended.add(eventId(newEvent));
    this.#acknowledge(await program.forget(newEvent));
  }

  /** Several concurrent callers; failed calls are repeated later, as a client would. */
  async #tell(program: Program, calls: readonly (readonly NewEvent[])[]): Promise<void> {
    const again = this.#toAppendAgain;
    this.#toAppendAgain = [];
    const all = [...again, ...calls].filter((call) => call.length > 0);
    for (const newEvent of all.flat()) this.#promises.appended.add(eventId(newEvent));
    const answers = all.map(async (call, index) => {
      this.#toAppendAgain.push(call);
      const outcomes = await program.tell(call, `caller ${index}`);
      this.#toAppendAgain = this.#toAppendAgain.filter((one) => one !== call);
      this.#acknowledge(outcomes);
    });
    for (const answer of await Promise.allSettled(answers))
      if (answer.status === 'rejected') throw answer.reason;
  }

  #acknowledge(outcomes: readonly AppendOutcome[]): void {
    if (!this.#life.alive) return;
    for (const { id, position, outcome } of outcomes) {
      if (outcome === 'forgotten') continue;
      const known = this.#promises.acknowledged.get(id);
      if (known !== undefined && known !== position)
        this.add(`event ${id} was acknowledged at ${known} and at ${position}`, 'doubled');
      this.#promises.acknowledged.set(id, position);
    }
  }

  async #open(): Promise<Program | null> {
    const options = { disk: this.disk, life: this.#life, world: this.#world, files: this.#files };
    await this.#alive('open', async () => {
      const program = await Program.open({ ...options, views: this.#views, pageSize: this.#pageSize });
      this.#program = program;
      await program.drain();
      await this.#checkCursors(program);
      await this.#afterLoss(program);
    });
    return this.#program;
  }

  /** Runs a step while the process lives. An error of the product is allowed when a write may have failed. */
  async #alive(what: string, work: () => Promise<void>): Promise<void> {
    const life = this.#life;
    const end = await Promise.race([life.killed, settled(work())]);
    // A failure at the moment of the kill may arrive first, but the process is already dead.
    if (end === 'killed' || !life.alive) return this.#restart();
    this.trace.note(end === null ? what : `${what}: ${describe(end.error)}`);
    if (end === null) {
      this.#refusedBefore = this.#faults.counts.failed;
      return;
    }
    const expected = isAnnalsError(end.error) && FAILURES_OF_THE_DISK.has(end.error.code);
    if (!expected || this.#faults.counts.failed === this.#refusedBefore)
      this.add(`${what} answered ${describe(end.error)}`);
    // After a failed close or open the process can only end.
    if (this.#program === null || what === 'open') {
      life.kill(`because ${what} failed`);
      await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    this.#program = null;
    await this.#life.quiet();
    const loss = { power: this.#faults.powerGoes, tail: this.#faults.kind === 'log loses its tail' };
    const { logEndsAt, spool } = await this.disk.restart(loss, this.#luck);
    for (const name of spool) this.#hookFiles.delete(name);
    if (loss.power) this.#faults.counts.powerCuts += 1;
    if (logEndsAt !== null) {
      this.#faults.counts.tails += 1;
      this.#tailLost(logEndsAt);
    }
    this.#life = this.#begin();
  }

  /** Acknowledged events after this position are lost, and so are drained hook files. */
  #tailLost(logEndsAt: number): void {
    this.#promises.tailLost = true;
    for (const [id, at] of this.#promises.acknowledged)
      if (at > logEndsAt) this.#promises.acknowledged.delete(id);
    const inSpool = this.disk.inSpool();
    for (const name of this.#hookFiles.keys()) if (!inSpool.has(name)) this.#hookFiles.delete(name);
  }

  /** Acknowledged events in a lost tail are missing; the promise is that the loss is reported. */
  async #afterLoss(program: Program): Promise<void> {
    const { log, runner } = program;
    if (!this.#promises.tailLost) {
      if (log.damage.length > 0) this.add(`damage at opening: ${log.damage[0]!.message}`);
      return;
    }
    const { position } = log.head();
    // The loss may be noticed at once, after further appends, or accepted: each must end well.
    const drawn = this.#luck.below(3);
    if (drawn === 0) return;
    const ahead = (runner.checkpoint()?.position ?? 0) > position;
    await runner.catchUp();
    if (ahead && runner.problems.length === 0) this.add('views that are ahead of the log were not reported');
    if (drawn === 1) return;
    await acceptLoss(program);
  }

  #noProblems({ runner }: Program): void {
    if (this.#promises.tailLost) return;
    for (const { code, message } of runner.problems)
      if (code === 'LOG_DAMAGED' || !this.#faults.mayFail) this.add(`a view is ahead: ${message}`, 'view');
  }

  async #checkCursors(program: Program): Promise<void> {
    this.wrong.push(...(await checkCursors(program.log, this.#workload.transcripts)));
  }

  #begin(): Life {
    this.#faults.begin();
    return new Life(this.#faults, this.#luck, this.trace);
  }

  #leave(file: HookFile): void {
    this.disk.leaveInSpool(file.name, file.bytes, file.modifiedNs);
    this.#hookFiles.set(file.name, file);
    for (const newEvent of file.newEvents) this.#promises.appended.add(eventId(newEvent));
  }
}

function pathOf(session: string): string {
  return `/home/u/.claude/projects/${session}.jsonl`;
}

async function settled(work: Promise<void>): Promise<{ error: unknown } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return { error };
  }
}

function describe(error: unknown): string {
  if (isAnnalsError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
