// Moves the spool into the log: reads every waiting file, decides from its turn's privacy whether it may be recorded,
// appends in batches, and removes a file only after the batch with its events is on disk. If it is killed, the next
// drain continues; events already appended come back as duplicates. Files whose turn is not known yet stay in spool/new
// until it is, or until the idle time is over.
import {
  type CursorWrite,
  isAnnalsError,
  type Json,
  type Log,
  loadCatalog,
  type NewEvent,
} from '../../../log/index.ts';
import { type HookOutcome, hookEvents } from '../../agents/common/hook-events.ts';
import { stringOf } from '../../agents/common/json-fields.ts';
import type { DrainReport } from '../../api/drain.ts';
import { errorCode } from '../../platform/disk-files.ts';
import { type Machine, thisMachine } from '../../platform/machine.ts';
import { type ReadyInjection, readyIdIn } from '../../session-start/ready-file.ts';
import { privatePromptNames, privatePromptWrites } from '../private/private-prompts.ts';
import { badFile, type TornIds } from './bad-file.ts';
import { CallIds, isLogged } from './call-ids.ts';
import { DrainTally } from './drain-tally.ts';
import type { Payload } from './payload.ts';
import { isRecent, PrivacyResolver } from './privacy-resolver.ts';
import { inGroups, type SpoolFile, type SpoolFiles, type SpoolFolders } from './spool-files.ts';
import {
  listWaitingFiles,
  payloadOf,
  takeHook,
  type UnfinishedFile,
  type UnusableFile,
  type WaitingFile,
} from './waiting-files.ts';

/** A batch ends at this many files or bytes read, whichever comes first. */
const BATCH_FILES_MAX = 256;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

export interface DrainRequest {
  readonly log: Pick<Log, 'append' | 'cursor' | 'cursors' | 'pageBySession'>;
  readonly files: SpoolFiles;
  readonly folders: SpoolFolders;
  /** Whether a folder is excluded from recording; null: one that is not known. */
  excluded?(folder: string | null): boolean;
  /** What the ready file with this id shows, if it is still known. */
  injection?(id: string): ReadyInjection | null;
  /** Unix ms. */
  now(): number;
  /** Of this process, unless given. */
  readonly machine?: Machine;
}

/** @throws AnnalsError of the log (DISK_FULL, HOME_UNWRITABLE); never because of what the spool holds. */
export async function drainSpool(request: DrainRequest): Promise<DrainReport> {
  const { log, files, folders, machine = thisMachine() } = request;
  const now = request.now();
  const tally = new DrainTally();
  const { waiting, unusable, unfinished, ignored } = await listWaitingFiles(files, folders, {
    now,
    tally,
    machine,
  });
  const drain = new Drain({ ...request, machine }, { now, tally, unusable });
  for (const { file, reason } of ignored) drain.ignore(file, reason);
  await drain.decide(waiting, unfinished);
  await drain.record();
  await tally.remember(log);
  return tally.report();
}

class Drain {
  readonly #request: Required<Pick<DrainRequest, 'machine'>> & DrainRequest;
  readonly #now: number;
  readonly #tally: DrainTally;
  /** By agent. */
  readonly #resolvers = new Map<string, PrivacyResolver>();
  readonly #unusable: UnusableFile[];
  readonly #recorded: WaitingFile[] = [];
  readonly #callIds = new CallIds();
  /** Of files whose hooks carry no id of the call. */
  readonly #foundIds = new Map<WaitingFile, string>();
  /** Removed after the sessions' memory is on disk. */
  readonly #nothingToRecord: SpoolFile[] = [];
  /** Names of the private prompts. */
  #privatePrompts: readonly string[] = [];

  constructor(
    request: Required<Pick<DrainRequest, 'machine'>> & DrainRequest,
    { now, tally, unusable }: { now: number; tally: DrainTally; unusable: readonly UnusableFile[] },
  ) {
    this.#request = request;
    this.#now = now;
    this.#tally = tally;
    this.#unusable = [...unusable];
  }

  async decide(waiting: readonly WaitingFile[], unfinished: readonly UnfinishedFile[]): Promise<void> {
    const agents = [...waiting.map(({ head }) => head.agent), ...this.#unusable.map(({ agent }) => agent)];
    for (const agent of new Set(agents)) {
      const excluded = (folder: string) => this.#excluded(folder);
      const resolver = new PrivacyResolver(this.#request.log, { agent, now: this.#now, excluded });
      this.#resolvers.set(agent, resolver);
      await resolver.load(
        waiting.filter(({ head }) => head.agent === agent),
        this.#unusable.filter((one) => one.agent === agent),
        unfinished.filter((one) => one.agent === agent),
      );
    }
    this.#privatePrompts = privatePromptNames([...waiting.map(promptFields), ...this.#lostPrompts]);
    const included = waiting.filter((one) => this.#isIncluded(one));
    this.#recorded.push(...included.filter(({ head }) => head.prompt !== null));
    for (const one of included) if (one.head.prompt === null) await this.#decide(one);
  }

  /** Of a folder that is not excluded. A file whose agent names no folder waits until another one of its session does. */
  #isIncluded({ head: { agent, session, folders }, file, at }: WaitingFile): boolean {
    const isUnknown = folders.length === 0 && session !== null;
    const isExcluded = isUnknown
      ? this.#resolvers.get(agent)!.isExcluded(session)
      : folders.some((folder) => this.#excluded(folder));
    if (isExcluded === false || (isExcluded === null && !this.#excluded(null))) return true;
    if (isExcluded === null && isRecent(at, this.#now)) this.#tally.add('waiting');
    else this.ignore(file, isExcluded === null ? 'of an unknown folder' : 'of an excluded folder');
    return false;
  }

  get #lostPrompts(): readonly NewEvent[] {
    return [...this.#resolvers.values()].flatMap(({ lostPrompts }) => lostPrompts);
  }

  async #decide(waiting: WaitingFile): Promise<void> {
    switch (this.#resolvers.get(waiting.head.agent)!.resolve(waiting)) {
      case 'public':
        return this.#keep(waiting);
      case 'private':
        this.#tally.add('private');
        this.#nothingToRecord.push(waiting.file);
        return;
      case 'unknown':
        this.#tally.add('waiting');
        return;
      case 'duplicate':
        this.ignore(waiting.file, 'fired twice');
    }
  }

  /** A tool use without the id of its call waits for the transcript to show the call. */
  async #keep(waiting: WaitingFile): Promise<void> {
    const { head, file, at } = waiting;
    const id = await this.#callIds.find(waiting);
    if (id !== null) this.#foundIds.set(waiting, id);
    if (head.call === null || id !== null) {
      this.#recorded.push(waiting);
      return;
    }
    if (isRecent(at, this.#now)) {
      this.#tally.add('waiting');
      return;
    }
    if (await isLogged(this.#request.log, waiting)) this.ignore(file, 'the transcript has it');
    else this.#recorded.push(waiting);
  }

  async record(): Promise<void> {
    const remembered = [...this.#resolvers.values()].flatMap((resolver) => resolver.cursors());
    const cursors = [...remembered, ...privatePromptWrites(this.#privatePrompts)];
    await this.#append(this.#kept(this.#lostPrompts), cursors);
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
    const { files, machine } = this.#request;
    const hook = await takeHook(waiting, files, machine);
    if (hook === null) return null;
    const outcome = this.#outcomeOf(waiting, hook);
    if (outcome === null) return null;
    const { events, ignored } = outcome;
    if (ignored !== null) this.#tally.ignored(ignored);
    const kept = this.#kept([...events, ...(await this.#injected(waiting.file.name, events))]);
    if (kept.length < events.length) this.#tally.ignored('of an excluded folder');
    return kept;
  }

  /** What the capture script printed when the session started. */
  async #injected(name: string, events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
    const id = readyIdIn(name);
    const started = events.find(({ type }) => type === 'session.started');
    if (id === null || started === undefined) return [];
    const known = this.#request.injection?.(id);
    const { agent, session, channel, occurredAt, body } = started;
    const cwd = stringOf(body.cwd as Json);
    const make = (shown: ReadyInjection): NewEvent<'context.injected'> => ({
      ...{ type: 'context.injected', agent, session, dedupeKey: name, channel, occurredAt },
      body: { occasion: 'startup', cwd, ...shown },
    });
    const whole = make(known ?? {});
    const { body: schema } = (await loadCatalog())['context.injected'];
    return [schema.safeParse(whole.body).success ? whole : make({})];
  }

  /** A file that we cannot read must not hold up the others: it is parked. Null then. */
  #outcomeOf(waiting: WaitingFile, hook: Payload['hook']): HookOutcome | null {
    const { file, at, head } = waiting;
    const { agent } = head;
    const id = this.#foundIds.get(waiting);
    try {
      return hookEvents(id === undefined ? hook : { ...hook, tool_use_id: id }, {
        agent,
        spoolName: file.name,
        receivedAt: at,
      });
    } catch {
      this.#unusable.push({
        file,
        agent,
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
          agent: head.agent,
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
    const { file, agent, at, reason, ids } = unusable;
    const privacy = unusable.hidden ? 'private' : this.#resolvers.get(agent)!.privacyOf(unusable);
    if (privacy === 'unknown') {
      this.#tally.add('waiting');
      return;
    }
    try {
      const hidden = privacy === 'private' || this.#excluded(ids.cwd);
      const bytes = hidden ? null : await payloadOf(file, files);
      await files.write(`${folders.bad}/${file.name}`, badFile(reason, { bytes, at }, file.bytes));
      this.#tally.add('bad');
    } catch (error) {
      this.#tally.problem(
        `${file.path} is unusable (${reason}) and cannot be moved to spool/bad (${errorCode(error)})`,
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
        if (errorCode(error) !== 'ENOENT')
          this.#tally.problem(`${path} cannot be removed (${errorCode(error)})`);
      }
    });
  }

  ignore(file: SpoolFile, reason: string): void {
    this.#tally.ignored(reason);
    this.#nothingToRecord.push(file);
  }

  #kept(events: readonly NewEvent[]): readonly NewEvent[] {
    return events.filter(({ agent, session, body }) =>
      typeof body.cwd === 'string'
        ? !this.#excluded(body.cwd)
        : session === null || this.#resolvers.get(agent)?.isExcluded(session) !== true,
    );
  }

  #excluded(folder: string | null): boolean {
    return this.#request.excluded?.(folder) ?? false;
  }
}

/** What names the prompt of a file, as in its event. */
function promptFields({ head: { agent, session, prompt, promptId }, file, at }: WaitingFile) {
  const type = prompt === null ? 'no prompt' : 'prompt.submitted';
  const isPrivate = prompt?.private === true;
  return {
    ...({ type, agent, session, channel: 'hook', dedupeKey: file.name, occurredAt: at } as const),
    body: { promptId, private: isPrivate },
  };
}

function idsOf({ session, promptId, agentId }: WaitingFile['head']): TornIds {
  return { session, promptId, agentId, cwd: null, transcript: null, mayBePrompt: false };
}
