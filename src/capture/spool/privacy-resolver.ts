// Decides from its turn's privacy whether a waiting file may be recorded. It first loads everything at hand (prompts,
// launches, what earlier drains remembered). If that does not show which turn a file belongs to, it reads the log, then
// the transcript. Only then does it decide. A file whose turn is unknown waits. If it is still unknown after the idle
// time, it may be private, so nothing of it is kept.
import type { CursorWrite, Json, Log, NewEvent } from '../../../log/index.ts';
import { stringOf } from '../../agents/common/json-fields.ts';
import { privatePromptsIn } from '../private/private-prompts.ts';
import { loggedSession } from './logged-session.ts';
import { searchForTags } from './private-tags.ts';
import {
  hookCursor,
  NO_MEMORY,
  type SessionMemory,
  SessionPrivacy,
  type TurnPrivacy,
} from './session-privacy.ts';
import { transcriptSession } from './shown-session.ts';
import type { UnfinishedFile, UnusableFile, WaitingFile } from './waiting-files.ts';

/** After half an hour, nothing that could show a file's turn is expected any more. */
export const IDLE_MS = 30 * 60_000;

/** Whether what shows a file's turn may still come. A file of a later time was written by a clock that was wrong. Unix ms. */
export function isRecent(at: number, now: number): boolean {
  return Math.abs(now - at) <= IDLE_MS;
}

/** `duplicate`: another file reported the same event just before. */
export type Resolution = TurnPrivacy | 'duplicate';

/** The sessions of one drain. Loads once, then decides file by file, in the order of the drain. */
export class PrivacyResolver {
  readonly #log: Pick<Log, 'cursor' | 'cursors' | 'pageBySession'>;
  readonly #agent: string;
  readonly #now: number;
  readonly #excluded: (folder: string) => boolean;
  readonly #sessions = new Map<string, SessionPrivacy>();
  readonly #lost: NewEvent[] = [];

  /** `now` in Unix ms. */
  constructor(
    log: Pick<Log, 'cursor' | 'cursors' | 'pageBySession'>,
    { agent, now, excluded }: { agent: string; now: number; excluded(folder: string): boolean },
  ) {
    this.#log = log;
    this.#agent = agent;
    this.#now = now;
    this.#excluded = excluded;
  }

  /** All files of this agent. `own`: those that wait. */
  async load(
    own: readonly WaitingFile[],
    unusable: readonly UnusableFile[],
    unfinished: readonly UnfinishedFile[],
  ): Promise<void> {
    const sessions = [...own.map(({ head }) => head.session), ...unusable.map(({ ids }) => ids.session)];
    for (const session of new Set(sessions)) if (session !== null) await this.#openSession(session);
    for (const { head } of own)
      if (head.folders.length > 0) this.#privacy(head.session)?.seeFolder(head.folders.some(this.#excluded));
    const others = own.filter(({ head }) => head.prompt === null);
    this.#seePrompts(own.filter(({ head }) => head.prompt?.byPerson === true));
    // What cannot be read may have been a private prompt. Of a run with an id, the transcript decides.
    for (const { ids, at, file } of unusable)
      if (ids.mayBePrompt && ids.promptId === null)
        this.#privacy(ids.session)?.seePrompt(UNREADABLE_PROMPT, null, { at, file: file.name });
    for (const { ids, at } of unfinished)
      if (ids.mayBePrompt && ids.promptId === null) this.#privacy(ids.session)?.seeUnfinished(at);
    for (const { head, at } of others)
      if (head.event === 'Stop' && head.agentId === null) this.#privacy(head.session)?.seeStop(at);
    for (const [session, privacy] of this.#sessions)
      if (needsLog(session, privacy, others, unusable))
        privacy.seeLog(await loggedSession(this.#log, this.#agent, session));
    for (const [session, privacy] of this.#sessions) {
      const paths = new Set(this.#transcriptsToAsk(session, privacy, others, unusable));
      const path = await mayHidePrompt(session, privacy, others);
      if (path !== null) paths.add(path);
      const restarted = restartedRuns(session, privacy, others);
      for (const one of others)
        if (one.head.session === session && restarted.has(one.head.promptId) && one.head.transcript !== null)
          paths.add(one.head.transcript);
      const unknown = new Set([...unknownRuns(session, privacy, others), ...restarted]);
      for (const path of paths) {
        const shown = await transcriptSession(path, { agent: this.#agent, session }, this.#log);
        privacy.seeLog(shown);
        this.#lost.push(...shown.promptEvents.filter(({ body }) => unknown.has(body.promptId ?? null)));
      }
    }
    // A program's prompt belongs to the turn that launched the task it names, so learn launches before it, and again
    // after.
    this.#learnLaunches(others);
    this.#seePrompts(own.filter(({ head }) => head.prompt?.byPerson === false));
    this.#learnLaunches(others);
  }

  /** For files that are not prompts. */
  resolve(waiting: WaitingFile): Resolution {
    const { head, at } = waiting;
    const session = this.#privacy(head.session);
    // Starts and ends of sessions contain nothing of the work.
    if (session === null || head.event === 'SessionStart' || head.event === 'SessionEnd')
      return isSecondFiring(waiting, session) ? 'duplicate' : 'public';
    const startedAt = startOf(waiting);
    if (session.readsPrivateTask(head)) session.seePrivateRead(head, startedAt);
    const privacy = this.#afterIdleTime(session, session.privacyOf(head, startedAt), head.agentId, at);
    if (privacy !== 'public') return privacy;
    if (isSecondFiring(waiting, session)) return 'duplicate';
    session.seeLaunch(head.launches, 'public');
    return 'public';
  }

  privacyOf({ ids, at }: UnusableFile): TurnPrivacy {
    const session = this.#privacy(ids.session);
    if (session === null) return 'public';
    return this.#afterIdleTime(session, session.privacyOf({ ...ids, inputs: [] }, at), ids.agentId, at);
  }

  /** Whether a session was ever in an excluded folder; null while no hook named a folder. */
  isExcluded(session: string): boolean | null {
    return this.#privacy(session)?.excluded ?? null;
  }

  /** Prompts of runs that a hook mentioned but no prompt hook reported, from the transcript. */
  get lostPrompts(): readonly NewEvent[] {
    return this.#lost;
  }

  /** What to remember of the sessions until the next drain. */
  cursors(): readonly CursorWrite[] {
    return [...this.#sessions].flatMap(([session, privacy]) => {
      const memory = privacy.memory();
      return memory === null
        ? []
        : [{ key: hookCursor(this.#agent, session), value: memory as unknown as Json }];
    });
  }

  async #openSession(session: string): Promise<void> {
    const remembered = await this.#log.cursor(hookCursor(this.#agent, session));
    const privacy = new SessionPrivacy((remembered as SessionMemory | undefined) ?? NO_MEMORY);
    // A restored log remembers nothing of hooks, and a private prompt may have been forgotten.
    if (remembered === undefined) {
      const known = await privatePromptsIn(this.#log, this.#agent, session);
      const prompts = known.map(({ promptId, at }) => ({ promptId, at, private: true }));
      privacy.seeLog({ prompts, launched: [], runs: [] });
    }
    this.#sessions.set(session, privacy);
  }

  #seePrompts(prompts: readonly WaitingFile[]): void {
    for (const { head, file, at } of prompts)
      this.#privacy(head.session)?.seePrompt(head.prompt!, head.promptId, { at, file: file.name });
  }

  /** A sub-agent may launch another: what is learned about one may decide about the next. */
  #learnLaunches(others: readonly WaitingFile[]): void {
    const launching = others.filter(({ head }) => head.launches.length > 0);
    for (let learned = true; learned; ) {
      learned = false;
      for (const one of launching) {
        const session = this.#privacy(one.head.session);
        const privacy = session?.privacyOf(one.head, startOf(one)) ?? 'unknown';
        if (session?.seeLaunch(one.head.launches, privacy) === true) learned = true;
      }
    }
  }

  /**
   * Transcripts of files that nothing explains yet. Sub-agents are read later, because their launch is reported only
   * when they end.
   */
  #transcriptsToAsk(
    session: string,
    privacy: SessionPrivacy,
    others: readonly WaitingFile[],
    unusable: readonly UnusableFile[],
  ): ReadonlySet<string> {
    const unknown = (ids: Parameters<SessionPrivacy['privacyOf']>[0], at: number) =>
      (ids.agentId === null || !isRecent(at, this.#now)) && privacy.privacyOf(ids, at) === 'unknown';
    const paths = [
      ...others.map((one) =>
        one.head.session === session &&
        !one.head.event.startsWith('Session') &&
        unknown(one.head, startOf(one))
          ? one.head.transcript
          : null,
      ),
      ...unusable.map(({ ids, at }) =>
        ids.session === session && unknown({ ...ids, inputs: [] }, at) ? ids.transcript : null,
      ),
    ];
    return new Set(paths.filter((path) => path !== null));
  }

  /** After the idle time, unknown becomes private. A sub-agent becomes public if its session has no private turn. */
  #afterIdleTime(
    session: SessionPrivacy,
    privacy: TurnPrivacy,
    agentId: string | null,
    at: number,
  ): TurnPrivacy {
    if (privacy !== 'unknown' || isRecent(at, this.#now)) return privacy;
    return agentId === null || session.mayBePrivate(agentId) ? 'private' : 'public';
  }

  #privacy(session: string | null): SessionPrivacy | null {
    return session === null ? null : (this.#sessions.get(session) ?? null);
  }
}

const UNREADABLE_PROMPT = { byPerson: true, private: true, machineText: '' };

/** Reading a whole session is expensive, so do it only if nothing at hand shows which turn a file belongs to. */
function needsLog(
  session: string,
  privacy: SessionPrivacy,
  others: readonly WaitingFile[],
  unusable: readonly UnusableFile[],
): boolean {
  return (
    unusable.some(({ ids }) => ids.session === session) ||
    others.some(
      (one) =>
        one.head.session === session &&
        !one.head.event.startsWith('Session') &&
        (one.head.promptId === null || privacy.privacyOf(one.head, startOf(one)) === 'unknown'),
    )
  );
}

/** The path of a session's transcript, if it holds a private tag and the session has files to record. */
async function mayHidePrompt(
  session: string,
  privacy: SessionPrivacy,
  others: readonly WaitingFile[],
): Promise<string | null> {
  const path = others.find(({ head }) => head.session === session && !head.event.startsWith('Session'))?.head
    .transcript;
  if (path === undefined || path === null || !path.endsWith('.jsonl')) return null;
  privacy.searched = await searchForTags(path, privacy.searched);
  return privacy.searched.found ? path : null;
}

/** Ids of runs that nothing at hand explains. */
function unknownRuns(
  session: string,
  privacy: SessionPrivacy,
  others: readonly WaitingFile[],
): ReadonlySet<string | null> {
  const unknown = others.filter(
    (one) =>
      one.head.session === session &&
      one.head.promptId !== null &&
      one.head.agentId === null &&
      !one.head.event.startsWith('Session') &&
      privacy.privacyOf(one.head, startOf(one)) === 'unknown',
  );
  return new Set(unknown.map(({ head }) => head.promptId));
}

/**
 * Ids of runs that ended a second time without a prompt in between: something fired no prompt hook, and the agent did
 * more work. In 2.1.197 a shell command carries the id of the run before it.
 */
function restartedRuns(
  session: string,
  privacy: SessionPrivacy,
  others: readonly WaitingFile[],
): ReadonlySet<string | null> {
  const restarted = new Set<string | null>();
  for (const { head, at } of others)
    if (
      head.session === session &&
      head.promptId !== null &&
      head.agentId === null &&
      head.event === 'Stop' &&
      !head.continued &&
      privacy.endedBefore(head.promptId, at, endsOf(head.promptId, session, others))
    )
      restarted.add(head.promptId);
  return restarted;
}

function endsOf(promptId: string, session: string, others: readonly WaitingFile[]): readonly number[] {
  return others.flatMap(({ head, at }) =>
    head.session === session &&
    head.promptId === promptId &&
    head.agentId === null &&
    head.event === 'Stop' &&
    !head.continued
      ? [at]
      : [],
  );
}

/** The file is written when a tool has ended, but the agent decided on it before it began. */
function startOf({ head, at }: WaitingFile): number {
  return at - head.durationMs;
}

/** Events without an id of their own: a second installation would count them twice. */
const SINGULAR: ReadonlySet<string> = new Set([
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStop',
]);

function isSecondFiring({ head, at, file, hook }: WaitingFile, session: SessionPrivacy | null): boolean {
  if (session === null || !SINGULAR.has(head.event) || hook === null) return false;
  const what = [head.event, hook.source ?? hook.reason, head.promptId, head.agentId, hook.stop_hook_active];
  const words = stringOf(hook.last_assistant_message)?.length ?? 0;
  return session.isSecondFiring(JSON.stringify([...what, words]), { at, file: file.name });
}
