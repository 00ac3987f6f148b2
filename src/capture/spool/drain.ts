// Empties the spool into the log: looks at every waiting file, decides by its turn whether it may be told,
// appends in batches and removes a file only after the batch with its tellings is on disk. Killed anywhere, the
// next drain does the rest; what was appended already comes back as a duplicate. Files whose turn is not known
// yet stay in spool/new until it is, or until they have lain there for the idle time.
import { isAnnalsError, type Json, type Log, type Telling } from '../../../log/index.ts';
import { fromHook } from '../claude-code/hook.ts';
import { stringOf } from '../claude-code/line.ts';
import { badFile, idsIn } from './bad.ts';
import { wholePayload } from './end-mark.ts';
import { codeOf, inGroups, inOrder, type SpoolFile, type SpoolFiles, type SpoolFolders } from './files.ts';
import { loggedSession } from './logged.ts';
import { lookAt, type Payload } from './payload.ts';
import { shownSession } from './shown-session.ts';
import { NO_MEMORY, type SessionMemory, SessionStanding, type Standing } from './standing.ts';

const AGENT = 'claude-code';
const COUNTS_KEY = 'spool/counts';
/** After half an hour a turn whose prompt nobody told is taken for one that is not private. */
const IDLE_MS = 30 * 60_000;
/** A hook writes for moments; what is not whole after an hour was broken off. */
const BROKEN_OFF_MS = 60 * 60_000;
/** A batch ends at this many files or bytes read, whichever comes first. */
const BATCH_FILES_MAX = 256;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** Payloads up to this many bytes together are kept in memory; the others are read a second time. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

export interface DrainRequest {
  readonly log: Pick<Log, 'append' | 'cursor' | 'pageBySession'>;
  readonly files: SpoolFiles;
  readonly folders: SpoolFolders;
  /** Folders of which nothing is kept. */
  excluded?(cwd: string): boolean;
  /** Unix ms. */
  now(): number;
}

export interface DrainReport {
  readonly appended: number;
  readonly duplicates: number;
  /** Files that tell nothing, by reason; removed. */
  readonly ignored: { readonly [reason: string]: number };
  /** Files of private turns; removed, nothing of them is kept. */
  readonly private: number;
  /** Files that wait in spool/new until their turn is known. */
  readonly held: number;
  /** Files that are being written, or were broken off within the hour. */
  readonly unfinished: number;
  /** Unusable files, now redacted in spool/bad. */
  readonly bad: number;
  /** Links, folders and other users' files; left alone. */
  readonly foreign: number;
  /** What could not be read, written or removed, one sentence each (first 20). */
  readonly problems: readonly string[];
  /** Folders that the tellings name. */
  readonly cwds: readonly string[];
}

/** @throws AnnalsError of the log (DISK_FULL, HOME_UNWRITABLE); never for what the spool holds. */
export async function drainSpool(request: DrainRequest): Promise<DrainReport> {
  const run = new Drain(request);
  await run.look();
  await run.judge();
  await run.tell();
  await run.remember();
  return run.report();
}

/** Over all drains of this home, for `status`. A drain that was killed may be missing. */
export interface SpoolCounts {
  /** Events that were new. */
  readonly told: number;
  /** Files that tell nothing, by reason. */
  readonly ignored: { readonly [reason: string]: number };
  readonly private: number;
  readonly bad: number;
}

export async function spoolCounts(log: Pick<Log, 'cursor'>): Promise<SpoolCounts> {
  const kept = (await log.cursor(COUNTS_KEY)) as SpoolCounts | undefined;
  return kept ?? { told: 0, ignored: {}, private: 0, bad: 0 };
}

/** A waiting file. `payload` is null while it is not in memory. */
interface Waiting {
  readonly file: SpoolFile;
  /** Unix ms. */
  readonly at: number;
  readonly head: Omit<Payload, 'hook'>;
  hook: Payload['hook'] | null;
}

interface Unusable {
  readonly file: SpoolFile;
  readonly at: number;
  readonly reason: string;
  readonly ids: ReturnType<typeof idsIn>;
}

class Drain {
  readonly #request: DrainRequest;
  readonly #now: number;
  readonly #waiting: Waiting[] = [];
  readonly #unusable: Unusable[] = [];
  readonly #sessions = new Map<string, SessionStanding>();
  readonly #told: Waiting[] = [];
  /** Removed once the sessions' memory is on disk. */
  readonly #untold: SpoolFile[] = [];
  readonly #ignored: Record<string, number> = {};
  readonly #problems: string[] = [];
  readonly #cwds = new Set<string>();
  #counts = { appended: 0, duplicates: 0, private: 0, held: 0, unfinished: 0, bad: 0, foreign: 0 };
  #keptBytes = 0;

  constructor(request: DrainRequest) {
    this.#request = request;
    this.#now = request.now();
  }

  async look(): Promise<void> {
    const { files, folders } = this.#request;
    const fresh = await files.list(folders.new);
    const aside = await files.list(folders.tmp);
    for (const { problem } of [fresh, aside]) if (problem !== null) this.#problem(problem);
    this.#counts.foreign = fresh.foreign + aside.foreign;
    const brokenOff = aside.files.filter((file) => this.#now - msOf(file) > BROKEN_OFF_MS);
    this.#counts.unfinished = aside.files.length - brokenOff.length;
    await inGroups([...brokenOff, ...fresh.files].sort(inOrder), (file) => this.#lookAt(file));
    // Reading in groups may end in another order.
    this.#waiting.sort((one, other) => inOrder(one.file, other.file));
  }

  async #lookAt(file: SpoolFile): Promise<void> {
    let written: Buffer;
    try {
      written = await this.#request.files.read(file.path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#problem(`${file.path} cannot be read (${codeOf(error)})`);
      return;
    }
    const at = msOf(file);
    const whole = wholePayload(file.name, written);
    if (whole === null && this.#now - at <= BROKEN_OFF_MS) {
      this.#counts.unfinished += 1;
      return;
    }
    const bytes = whole ?? written;
    const looked = lookAt(bytes);
    if ('unusable' in looked) {
      this.#unusable.push({ file, at, reason: looked.unusable, ids: idsIn(bytes) });
      return;
    }
    const { hook, ...head } = looked.payload;
    const keep = this.#keptBytes + bytes.length <= KEPT_BYTES_MAX;
    if (keep) this.#keptBytes += bytes.length;
    this.#waiting.push({ file, at, head, hook: keep ? hook : null });
  }

  async judge(): Promise<void> {
    const own = this.#waiting.filter(({ head }) => head.caller === AGENT);
    for (const waiting of this.#waiting)
      if (waiting.head.caller !== AGENT) this.#ignore(waiting.file, `of ${waiting.head.caller}`);
    const sessions = [
      ...own.map(({ head }) => head.session),
      ...this.#unusable.map(({ ids }) => ids.session),
    ];
    for (const session of new Set(sessions)) if (session !== null) await this.#openSession(session);

    const prompts = own.filter(({ head }) => head.prompt !== null);
    const others = own.filter(({ head }) => head.prompt === null);
    for (const { head, file, at } of prompts.filter(({ head }) => head.prompt?.byPerson === true))
      this.#standing(head.session)?.seePrompt(head.prompt!, head.promptId, { at, file: file.name });
    for (const [session, standing] of this.#sessions)
      if (this.#needsLog(session, standing, others))
        standing.seeLog(await loggedSession(this.#request.log, AGENT, session));
    for (const [session, standing] of this.#sessions)
      for (const path of this.#transcriptsToAsk(session, standing, others))
        standing.seeLog(await shownSession(path, session));
    // A machine's prompt serves the turn that launched what it is about, so launches are learned before it, and after.
    this.#learnLaunches(others);
    for (const { head, file, at } of prompts.filter(({ head }) => head.prompt?.byPerson === false))
      this.#standing(head.session)?.seePrompt(head.prompt!, head.promptId, { at, file: file.name });
    this.#learnLaunches(others);

    this.#told.push(...prompts);
    for (const waiting of others) this.#decide(waiting);
  }

  /** A sub-agent may launch another: what is learned of one may decide on the next. */
  #learnLaunches(others: readonly Waiting[]): void {
    const launching = others.filter(({ head }) => head.launches.length > 0);
    for (let learned = true; learned; ) {
      learned = false;
      for (const { head, at } of launching) {
        const session = this.#standing(head.session);
        if (session?.seeLaunch(head.launches, session.standingOf(head, at)) === true) learned = true;
      }
    }
  }

  #decide(waiting: Waiting): void {
    const { head, at, file } = waiting;
    const session = this.#standing(head.session);
    // Starts and ends say nothing of what was done.
    if (session === null || head.event === 'SessionStart' || head.event === 'SessionEnd') {
      if (this.#isSecondFiring(waiting, session)) this.#ignore(file, 'told twice');
      else this.#told.push(waiting);
      return;
    }
    const standing = this.#settled(session, session.standingOf(head, at), head.agentId, at);
    if (standing === 'unknown') this.#counts.held += 1;
    else if (standing === 'private') {
      this.#counts.private += 1;
      this.#untold.push(file);
    } else if (this.#isSecondFiring(waiting, session)) this.#ignore(file, 'told twice');
    else {
      session.seeLaunch(head.launches, 'public');
      this.#told.push(waiting);
    }
  }

  /** After the idle time nothing is unknown any more. */
  #settled(session: SessionStanding, standing: Standing, agentId: string | null, at: number): Standing {
    if (standing !== 'unknown' || this.#now - at <= IDLE_MS) return standing;
    return session.isDoubtful(agentId) ? 'private' : 'public';
  }

  #isSecondFiring({ head, at, file, hook }: Waiting, session: SessionStanding | null): boolean {
    if (session === null || !SINGULAR.has(head.event) || hook === null) return false;
    const what = [head.event, hook.source ?? hook.reason, head.promptId, head.agentId, hook.stop_hook_active];
    const words = stringOf(hook.last_assistant_message)?.length ?? 0;
    return session.isSecondFiring(JSON.stringify([...what, words]), { at, file: file.name });
  }

  async tell(): Promise<void> {
    await this.#append([], this.#cursors());
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

  /** Nothing vanishes without a count. */
  async remember(): Promise<void> {
    const { appended, private: hidden, bad } = this.#counts;
    if (appended + hidden + bad === 0 && Object.keys(this.#ignored).length === 0) return;
    const before = await spoolCounts(this.#request.log);
    const ignored: Record<string, number> = { ...before.ignored };
    for (const [reason, count] of Object.entries(this.#ignored))
      ignored[reason] = (ignored[reason] ?? 0) + count;
    const value = {
      told: before.told + appended,
      ignored,
      private: before.private + hidden,
      bad: before.bad + bad,
    };
    await this.#append([], [{ key: COUNTS_KEY, value }]);
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

  #excluded(cwd: string): boolean {
    return this.#request.excluded?.(cwd) ?? false;
  }

  /** Null when the file cannot be read again: it stays. */
  async #tellingsOf(waiting: Waiting): Promise<readonly Telling[] | null> {
    let { hook } = waiting;
    if (hook === null) {
      const bytes = await this.#payloadOf(waiting.file).catch(() => null);
      const looked = bytes === null ? null : lookAt(bytes);
      if (looked === null || !('payload' in looked)) return null;
      hook = looked.payload.hook;
    }
    waiting.hook = null;
    const { tellings, ignored } = fromHook(hook, { spoolName: waiting.file.name, receivedAt: waiting.at });
    if (ignored !== null) this.#count(ignored);
    const kept = tellings.filter(({ body }) => typeof body.cwd !== 'string' || !this.#excluded(body.cwd));
    if (kept.length < tellings.length) this.#count('of an excluded folder');
    for (const { body } of kept)
      if (typeof body.cwd === 'string' && body.cwd !== '') this.#cwds.add(body.cwd);
    return kept;
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
        const { session, promptId, agentId } = head;
        const ids = { session, promptId, agentId, cwd: null, transcript: null };
        this.#unusable.push({ file, at, reason: 'the log refused what it tells', ids });
      }
    }
  }

  async #append(
    tellings: readonly Telling[],
    cursors: readonly { key: string; value: unknown }[],
  ): Promise<void> {
    if (tellings.length === 0 && cursors.length === 0) return;
    const outcomes = await this.#request.log.append(tellings, { cursors });
    for (const { outcome } of outcomes) {
      if (outcome === 'appended') this.#counts.appended += 1;
      else this.#counts.duplicates += 1;
    }
  }

  async #park({ file, at, reason, ids }: Unusable): Promise<void> {
    const { files, folders } = this.#request;
    const session = this.#standing(ids.session);
    const found = session === null ? 'public' : session.standingOf({ ...ids, inputs: [] }, at);
    const standing = session === null ? found : this.#settled(session, found, ids.agentId, at);
    if (standing === 'unknown') {
      this.#counts.held += 1;
      return;
    }
    try {
      const hidden = standing === 'private' || (ids.cwd !== null && this.#excluded(ids.cwd));
      const bytes = hidden ? null : await this.#payloadOf(file);
      await files.write(`${folders.bad}/${file.name}`, badFile(reason, { bytes, at }, file.bytes));
      this.#counts.bad += 1;
    } catch (error) {
      this.#problem(
        `${file.path} is unusable (${reason}) and cannot be moved to spool/bad (${codeOf(error)})`,
      );
      return;
    }
    await this.#remove([file]);
  }

  /** Also of a file that was broken off. */
  async #payloadOf({ name, path }: SpoolFile): Promise<Buffer> {
    const bytes = await this.#request.files.read(path);
    return wholePayload(name, bytes) ?? bytes;
  }

  async #remove(files: readonly SpoolFile[]): Promise<void> {
    await inGroups(files, async ({ path }) => {
      try {
        await this.#request.files.remove(path);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') this.#problem(`${path} cannot be removed (${codeOf(error)})`);
      }
    });
  }

  async #openSession(session: string): Promise<void> {
    const remembered = await this.#request.log.cursor(cursorKey(session));
    this.#sessions.set(session, new SessionStanding((remembered as SessionMemory | undefined) ?? NO_MEMORY));
  }

  /** Reading a whole session is dear: only when what is at hand does not say which turn a file serves. */
  #needsLog(session: string, standing: SessionStanding, others: readonly Waiting[]): boolean {
    return (
      this.#unusable.some(({ ids }) => ids.session === session) ||
      others.some(
        ({ head, at }) =>
          head.session === session &&
          !head.event.startsWith('Session') &&
          (head.promptId === null || standing.standingOf(head, at) === 'unknown'),
      )
    );
  }

  /** Transcripts of what nobody has explained within the idle time. Reading one is dear too: once, before it counts as not private. */
  #transcriptsToAsk(
    session: string,
    standing: SessionStanding,
    others: readonly Waiting[],
  ): ReadonlySet<string> {
    const unknown = (ids: Parameters<SessionStanding['standingOf']>[0], at: number) =>
      this.#now - at > IDLE_MS && standing.standingOf(ids, at) === 'unknown';
    const paths = [
      ...others.map(({ head, at }) =>
        head.session === session && !head.event.startsWith('Session') && unknown(head, at)
          ? head.transcript
          : null,
      ),
      ...this.#unusable.map(({ ids, at }) =>
        ids.session === session && unknown({ ...ids, inputs: [] }, at) ? ids.transcript : null,
      ),
    ];
    return new Set(paths.filter((path) => path !== null));
  }

  #cursors(): { key: string; value: Json }[] {
    return [...this.#sessions].flatMap(([session, standing]) => {
      const memory = standing.memory();
      return memory === null ? [] : [{ key: cursorKey(session), value: memory as unknown as Json }];
    });
  }

  #standing(session: string | null): SessionStanding | null {
    return session === null ? null : (this.#sessions.get(session) ?? null);
  }

  #ignore(file: SpoolFile, reason: string): void {
    this.#count(reason);
    this.#untold.push(file);
  }

  #count(reason: string): void {
    this.#ignored[reason] = (this.#ignored[reason] ?? 0) + 1;
  }

  #problem(sentence: string): void {
    if (this.#problems.length < 20) this.#problems.push(sentence);
  }

  report(): DrainReport {
    return { ...this.#counts, ignored: this.#ignored, problems: this.#problems, cwds: [...this.#cwds] };
  }
}

/** Events without an id of their own: fired by a second installation they would count twice. */
const SINGULAR: ReadonlySet<string> = new Set([
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStop',
]);

function cursorKey(session: string): string {
  return `hooks/${AGENT}/${session}`;
}

function msOf(file: SpoolFile): number {
  return Number(file.modifiedNs / 1_000_000n);
}
