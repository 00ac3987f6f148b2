// Empties the spool into the log: looks at every waiting file, decides by its turn whether it may be told,
// appends in batches and removes a file only after the batch with its tellings is on disk. Killed anywhere, the
// next drain does the rest; what was appended already comes back as a duplicate. Files whose turn is not known
// yet stay in spool/new until it is, or until they have lain there for the idle time.
import { type CursorWrite, isAnnalsError, type Log, type Telling } from '../../../log/index.ts';
import { fromHook, type HookOutcome } from '../claude-code/hook.ts';
import { stringOf } from '../claude-code/line.ts';
import { badFile, type TornIds } from './bad.ts';
import { codeOf, inGroups, type SpoolFile, type SpoolFiles, type SpoolFolders } from './files.ts';
import { Judge } from './judge.ts';
import type { Payload } from './payload.ts';
import { type DrainReport, Tally } from './tally.ts';
import { lookForFiles, payloadOf, takeHook, type Unusable, type Waiting } from './waiting.ts';

const AGENT = 'claude-code';
/** A batch ends at this many files or bytes read, whichever comes first. */
const BATCH_FILES_MAX = 256;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

export interface DrainRequest {
  readonly log: Pick<Log, 'append' | 'cursor' | 'pageBySession'>;
  readonly files: SpoolFiles;
  readonly folders: SpoolFolders;
  /** Folders of which nothing is kept. */
  excluded?(cwd: string): boolean;
  /** Unix ms. */
  now(): number;
}

/** @throws AnnalsError of the log (DISK_FULL, HOME_UNWRITABLE); never for what the spool holds. */
export async function drainSpool(request: DrainRequest): Promise<DrainReport> {
  const { log, files, folders } = request;
  const now = request.now();
  const tally = new Tally();
  const judge = new Judge(log, { agent: AGENT, now });
  const { waiting, unusable } = await lookForFiles(files, folders, { now, tally });
  const drain = new Drain(request, { tally, judge, unusable });
  await drain.decide(waiting);
  await drain.tell();
  await tally.remember(log);
  return tally.report();
}

class Drain {
  readonly #request: DrainRequest;
  readonly #tally: Tally;
  readonly #judge: Judge;
  readonly #unusable: Unusable[];
  readonly #told: Waiting[] = [];
  /** Removed once the sessions' memory is on disk. */
  readonly #untold: SpoolFile[] = [];

  constructor(
    request: DrainRequest,
    { tally, judge, unusable }: { tally: Tally; judge: Judge; unusable: readonly Unusable[] },
  ) {
    this.#request = request;
    this.#tally = tally;
    this.#judge = judge;
    this.#unusable = [...unusable];
  }

  async decide(waiting: readonly Waiting[]): Promise<void> {
    for (const { head, file } of waiting) if (head.caller !== AGENT) this.#ignore(file, `of ${head.caller}`);
    const ofAgent = waiting.filter(({ head }) => head.caller === AGENT);
    for (const { head, file } of ofAgent) if (head.compaction) this.#ignore(file, 'compaction summary');
    const own = ofAgent.filter(({ head }) => !head.compaction);
    await this.#judge.hear(own, this.#unusable);
    this.#told.push(...own.filter(({ head }) => head.prompt !== null));
    for (const { head } of own)
      if (head.prompt?.private === true && head.session !== null) this.#tally.hiddenIn(head.session);
    for (const { session, body } of this.#judge.lostPrompts)
      if (session !== null && 'private' in body && body.private === true) this.#tally.hiddenIn(session);
    for (const one of own) if (one.head.prompt === null) this.#decide(one);
  }

  #decide(waiting: Waiting): void {
    switch (this.#judge.verdictOf(waiting)) {
      case 'public':
        this.#told.push(waiting);
        return;
      case 'private':
        this.#tally.add('private');
        this.#untold.push(waiting.file);
        return;
      case 'unknown':
        this.#tally.add('held');
        return;
      case 'twice':
        this.#ignore(waiting.file, 'told twice');
    }
  }

  async tell(): Promise<void> {
    await this.#append(this.#kept(this.#judge.lostPrompts), this.#judge.cursors());
    await this.#remove(this.#untold);
    for (let batch = this.#nextBatch(0); batch.files.length > 0; batch = this.#nextBatch(batch.end)) {
      const read = await inGroups(batch.files, (waiting) => this.#tellingsOf(waiting));
      const tellings = read.flatMap((one) => one ?? []);
      try {
        await this.#append(tellings, []);
        await this.#remove(batch.files.filter((_, index) => read[index] !== null).map(({ file }) => file));
      } catch (error) {
        if (!isAnnalsError(error) || error.code !== 'INPUT_INVALID') throw error;
        await this.#oneByOne(batch.files, read);
      }
    }
    for (const unusable of this.#unusable) await this.#park(unusable);
  }

  #nextBatch(start: number): { files: Waiting[]; end: number } {
    let bytes = 0;
    let end = start;
    while (
      end < this.#told.length &&
      end - start < BATCH_FILES_MAX &&
      (bytes === 0 || bytes < BATCH_BYTES_MAX)
    )
      bytes += this.#told[end++]!.file.bytes;
    return { files: this.#told.slice(start, end), end };
  }

  /** Null when the file cannot be read again: it stays. */
  async #tellingsOf(waiting: Waiting): Promise<readonly Telling[] | null> {
    const hook = await takeHook(waiting, this.#request.files);
    if (hook === null) return null;
    const outcome = this.#outcomeOf(waiting, hook);
    if (outcome === null) return null;
    const { tellings, ignored } = outcome;
    if (ignored !== null) this.#tally.ignored(ignored);
    const kept = this.#kept(tellings);
    if (kept.length < tellings.length) this.#tally.ignored('of an excluded folder');
    for (const { body } of kept)
      if (typeof body.cwd === 'string' && body.cwd !== '') this.#tally.toldOf(body.cwd);
    return kept;
  }

  /** What we cannot read must not hold up the others: it is parked. Null then. */
  #outcomeOf({ file, at, head }: Waiting, hook: Payload['hook']): HookOutcome | null {
    try {
      return fromHook(hook, { spoolName: file.name, receivedAt: at });
    } catch {
      this.#unusable.push({
        file,
        at,
        reason: 'this version cannot read it',
        ids: { ...idsOf(head), cwd: stringOf(hook.cwd) },
        hidden: false,
      });
      return null;
    }
  }

  /** A telling that the log refuses must not hold up the others. */
  async #oneByOne(files: readonly Waiting[], read: readonly (readonly Telling[] | null)[]): Promise<void> {
    for (const [index, { file, at, head }] of files.entries()) {
      const tellings = read[index];
      if (tellings === null || tellings === undefined) continue;
      try {
        await this.#append(tellings, []);
        await this.#remove([file]);
      } catch (error) {
        if (!isAnnalsError(error) || error.code !== 'INPUT_INVALID') throw error;
        this.#unusable.push({
          file,
          at,
          reason: 'the log refused what it tells',
          ids: idsOf(head),
          hidden: false,
        });
      }
    }
  }

  async #append(tellings: readonly Telling[], cursors: readonly CursorWrite[]): Promise<void> {
    if (tellings.length === 0 && cursors.length === 0) return;
    const outcomes = await this.#request.log.append(tellings, { cursors });
    for (const { outcome } of outcomes) this.#tally.add(outcome === 'appended' ? 'appended' : 'duplicates');
  }

  async #park(unusable: Unusable): Promise<void> {
    const { files, folders } = this.#request;
    const { file, at, reason, ids } = unusable;
    const standing = unusable.hidden ? 'private' : this.#judge.standingOf(unusable);
    if (standing === 'unknown') {
      this.#tally.add('held');
      return;
    }
    try {
      const hidden = standing === 'private' || (ids.cwd !== null && this.#excluded(ids.cwd));
      const bytes = hidden ? null : await payloadOf(file, files);
      await files.write(`${folders.bad}/${file.name}`, badFile(reason, { bytes, at }, file.bytes));
      this.#tally.add('bad');
    } catch (error) {
      this.#tally.problem(
        `${file.path} is unusable (${reason}) and cannot be moved to spool/bad (${codeOf(error)})`,
      );
      return;
    }
    await this.#remove([file]);
  }

  async #remove(files: readonly SpoolFile[]): Promise<void> {
    await inGroups(files, async ({ path }) => {
      try {
        await this.#request.files.remove(path);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') this.#tally.problem(`${path} cannot be removed (${codeOf(error)})`);
      }
    });
  }

  #ignore(file: SpoolFile, reason: string): void {
    this.#tally.ignored(reason);
    this.#untold.push(file);
  }

  #kept(tellings: readonly Telling[]): readonly Telling[] {
    return tellings.filter(({ body }) => typeof body.cwd !== 'string' || !this.#excluded(body.cwd));
  }

  #excluded(cwd: string): boolean {
    return this.#request.excluded?.(cwd) ?? false;
  }
}

function idsOf({ session, promptId, agentId }: Waiting['head']): TornIds {
  return { session, promptId, agentId, cwd: null, transcript: null };
}
