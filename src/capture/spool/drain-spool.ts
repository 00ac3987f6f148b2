// Moves the spool into the log: reads every waiting file, decides from its turn's privacy whether it may be recorded,
// appends in batches, and removes a file only after the batch with its events is on disk. If it is killed, the next
// drain continues; events already appended come back as duplicates. Files whose turn is not known yet stay in spool/new
// until it is, or until the idle time is over.
import { type CursorWrite, isAnnalsError, type Log, type NewEvent } from '../../../log/index.ts';
import { type HookOutcome, hookEvents } from '../../agents/claude-code/hook-events.ts';
import { stringOf } from '../../agents/common/json-fields.ts';
import type { DrainReport } from '../../api/drain.ts';
import { privatePromptNames, privatePromptWrites } from '../private/private-prompts.ts';
import { badFile, type TornIds } from './bad-file.ts';
import { DrainTally } from './drain-tally.ts';
import type { Payload } from './payload.ts';
import { PrivacyResolver } from './privacy-resolver.ts';
import { codeOf, inGroups, type SpoolFile, type SpoolFiles, type SpoolFolders } from './spool-files.ts';
import {
  listWaitingFiles,
  payloadOf,
  takeHook,
  type UnusableFile,
  type WaitingFile,
} from './waiting-files.ts';

const AGENT = 'claude-code';
/** A batch ends at this many files or bytes read, whichever comes first. */
const BATCH_FILES_MAX = 256;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

export interface DrainRequest {
  readonly log: Pick<Log, 'append' | 'cursor' | 'cursors' | 'pageBySession'>;
  readonly files: SpoolFiles;
  readonly folders: SpoolFolders;
  /** Whether a folder is excluded from recording. */
  excluded?(cwd: string): boolean;
  /** Unix ms. */
  now(): number;
}

/** @throws AnnalsError of the log (DISK_FULL, HOME_UNWRITABLE); never because of what the spool holds. */
export async function drainSpool(request: DrainRequest): Promise<DrainReport> {
  const { log, files, folders } = request;
  const now = request.now();
  const tally = new DrainTally();
  const resolver = new PrivacyResolver(log, { agent: AGENT, now });
  const { waiting, unusable } = await listWaitingFiles(files, folders, { now, tally });
  const drain = new Drain(request, { tally, resolver, unusable });
  await drain.decide(waiting);
  await drain.record();
  await tally.remember(log);
  return tally.report();
}

class Drain {
  readonly #request: DrainRequest;
  readonly #tally: DrainTally;
  readonly #resolver: PrivacyResolver;
  readonly #unusable: UnusableFile[];
  readonly #recorded: WaitingFile[] = [];
  /** Removed after the sessions' memory is on disk. */
  readonly #nothingToRecord: SpoolFile[] = [];
  /** Names of the private prompts. */
  #privatePrompts: readonly string[] = [];

  constructor(
    request: DrainRequest,
    {
      tally,
      resolver,
      unusable,
    }: { tally: DrainTally; resolver: PrivacyResolver; unusable: readonly UnusableFile[] },
  ) {
    this.#request = request;
    this.#tally = tally;
    this.#resolver = resolver;
    this.#unusable = [...unusable];
  }

  async decide(waiting: readonly WaitingFile[]): Promise<void> {
    for (const { head, file } of waiting) if (head.caller !== AGENT) this.#ignore(file, `of ${head.caller}`);
    const ofAgent = waiting.filter(({ head }) => head.caller === AGENT);
    for (const { head, file } of ofAgent) if (head.compaction) this.#ignore(file, 'compaction summary');
    const own = ofAgent.filter(({ head }) => !head.compaction);
    await this.#resolver.load(own, this.#unusable);
    this.#recorded.push(...own.filter(({ head }) => head.prompt !== null));
    this.#privatePrompts = privatePromptNames([...own.map(promptFields), ...this.#resolver.lostPrompts]);
    for (const one of own) if (one.head.prompt === null) this.#decide(one);
  }

  #decide(waiting: WaitingFile): void {
    switch (this.#resolver.resolve(waiting)) {
      case 'public':
        this.#recorded.push(waiting);
        return;
      case 'private':
        this.#tally.add('private');
        this.#nothingToRecord.push(waiting.file);
        return;
      case 'unknown':
        this.#tally.add('waiting');
        return;
      case 'duplicate':
        this.#ignore(waiting.file, 'fired twice');
    }
  }

  async record(): Promise<void> {
    const cursors = [...this.#resolver.cursors(), ...privatePromptWrites(this.#privatePrompts)];
    await this.#append(this.#kept(this.#resolver.lostPrompts), cursors);
    await this.#remove(this.#nothingToRecord);
    for (let batch = this.#nextBatch(0); batch.files.length > 0; batch = this.#nextBatch(batch.end)) {
      const read = await inGroups(batch.files, (waiting) => this.#eventsOf(waiting));
      const events = read.flatMap((one) => one ?? []);
      try {
        await this.#append(events, []);
        await this.#remove(batch.files.filter((_, index) => read[index] !== null).map(({ file }) => file));
      } catch (error) {
        if (!isAnnalsError(error) || error.code !== 'INPUT_INVALID') throw error;
        await this.#oneByOne(batch.files, read);
      }
    }
    for (const unusable of this.#unusable) await this.#park(unusable);
  }

  #nextBatch(start: number): { files: WaitingFile[]; end: number } {
    let bytes = 0;
    let end = start;
    while (
      end < this.#recorded.length &&
      end - start < BATCH_FILES_MAX &&
      (bytes === 0 || bytes < BATCH_BYTES_MAX)
    )
      bytes += this.#recorded[end++]!.file.bytes;
    return { files: this.#recorded.slice(start, end), end };
  }

  /** Null when the file cannot be read again. It then stays. */
  async #eventsOf(waiting: WaitingFile): Promise<readonly NewEvent[] | null> {
    const hook = await takeHook(waiting, this.#request.files);
    if (hook === null) return null;
    const outcome = this.#outcomeOf(waiting, hook);
    if (outcome === null) return null;
    const { events, ignored } = outcome;
    if (ignored !== null) this.#tally.ignored(ignored);
    const kept = this.#kept(events);
    if (kept.length < events.length) this.#tally.ignored('of an excluded folder');
    return kept;
  }

  /** A file that we cannot read must not hold up the others: it is parked. Null then. */
  #outcomeOf({ file, at, head }: WaitingFile, hook: Payload['hook']): HookOutcome | null {
    try {
      return hookEvents(hook, { spoolName: file.name, receivedAt: at });
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

  /** An event that the log refuses must not hold up the others. */
  async #oneByOne(
    files: readonly WaitingFile[],
    read: readonly (readonly NewEvent[] | null)[],
  ): Promise<void> {
    for (const [index, { file, at, head }] of files.entries()) {
      const events = read[index];
      if (events === null || events === undefined) continue;
      try {
        await this.#append(events, []);
        await this.#remove([file]);
      } catch (error) {
        if (!isAnnalsError(error) || error.code !== 'INPUT_INVALID') throw error;
        this.#unusable.push({
          file,
          at,
          reason: 'the log refused its events',
          ids: idsOf(head),
          hidden: false,
        });
      }
    }
  }

  async #append(events: readonly NewEvent[], cursors: readonly CursorWrite[]): Promise<void> {
    if (events.length === 0 && cursors.length === 0) return;
    const outcomes = await this.#request.log.append(events, { cursors });
    for (const [index, { outcome }] of outcomes.entries()) {
      this.#tally.add(outcome === 'appended' ? 'appended' : 'duplicates');
      const { cwd } = events[index]!.body;
      // The folder of a forgotten session must not be recorded again.
      if (outcome !== 'forgotten' && typeof cwd === 'string' && cwd !== '') this.#tally.seeWorkdir(cwd);
    }
  }

  async #park(unusable: UnusableFile): Promise<void> {
    const { files, folders } = this.#request;
    const { file, at, reason, ids } = unusable;
    const privacy = unusable.hidden ? 'private' : this.#resolver.privacyOf(unusable);
    if (privacy === 'unknown') {
      this.#tally.add('waiting');
      return;
    }
    try {
      const hidden = privacy === 'private' || (ids.cwd !== null && this.#excluded(ids.cwd));
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
    this.#nothingToRecord.push(file);
  }

  #kept(events: readonly NewEvent[]): readonly NewEvent[] {
    return events.filter(({ body }) => typeof body.cwd !== 'string' || !this.#excluded(body.cwd));
  }

  #excluded(cwd: string): boolean {
    return this.#request.excluded?.(cwd) ?? false;
  }
}

/** What names the prompt of a file, as in its event. */
function promptFields({ head: { session, prompt, promptId }, file, at }: WaitingFile) {
  const type = prompt === null ? 'no prompt' : 'prompt.submitted';
  const isPrivate = prompt?.private === true;
  return {
    ...({ type, agent: AGENT, session, channel: 'hook', dedupeKey: file.name, occurredAt: at } as const),
    body: { promptId, private: isPrivate },
  };
}

function idsOf({ session, promptId, agentId }: WaitingFile['head']): TornIds {
  return { session, promptId, agentId, cwd: null, transcript: null };
}
