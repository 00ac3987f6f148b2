// Whether what a hook's payload reports is private. A `prompt_id` names a run of the agent, not a prompt: what is typed
// while the agent works carries the id of the current run. A run is private from its first private prompt on: tool uses
// that began later, sub-agents and background work that these launched, and the final answer, however late they come.
// Payloads with an unknown turn wait. Between drains a cursor of the log remembers little of a session: ids, times and
// yes or no. The transcript may replace a lost prompt.
import type { TranscriptState } from '../../agents/common/transcript-reader.ts';
import type { Payload, PromptPart } from './payload.ts';
import { NOT_SEARCHED, type TagSearch } from './private-tags.ts';

export type TurnPrivacy = 'public' | 'private' | 'unknown';

/** A prompt reported by a hook or by a line of the transcript. */
export interface SeenPrompt {
  readonly promptId: string | null;
  /** Unix ms; null when unknown. */
  readonly at: number | null;
  readonly private: boolean;
  /** The transcript shows that no private prompt was sent together with it. */
  readonly alone?: true;
  /** Of a private prompt: the first time after it at which the agent stopped, Unix ms. */
  readonly stoppedAt?: number;
}

const HOOKS = 'hooks/';

/** Key of the cursor of a session. */
export function hookCursor(agent: string, session: string): string {
  return `${HOOKS}${agent}/${session}`;
}

export function isHookCursor(key: string): boolean {
  return key.startsWith(HOOKS);
}

/** JSON value of the session's cursor. */
export interface SessionMemory {
  readonly prompts: readonly SeenPrompt[];
  /** What was launched (sub-agents, background shells) and whether by a private turn. */
  readonly launched: readonly (readonly [id: string, isPrivate: boolean])[];
  /** The last events without an id of their own: what, when (Unix ms), reported by which file. */
  readonly fired: readonly (readonly [what: string, at: number, file: string])[];
  /** How far the transcript was searched for private tags. */
  readonly searched: TagSearch;
  /** Whether it was ever in an excluded folder. Absent while no hook named a folder. */
  readonly excluded?: boolean;
}

/** What the log or the transcript has of a session. */
export interface LoggedSession {
  readonly prompts: readonly SeenPrompt[];
  /** Sub-agents launched by tool uses that are in the log, so by turns that are not private. */
  readonly launched: readonly string[];
  /** Runs in the transcript, by id, and when they became private (`RunState.privateFrom`). */
  readonly runs: TranscriptState['runs'];
}

export const NO_MEMORY: SessionMemory = {
  prompts: [],
  launched: [],
  fired: [],
  searched: NOT_SEARCHED,
};
const NOT_LOGGED: LoggedSession = { prompts: [], launched: [], runs: [] };

const PROMPTS_MAX = 300;
const LAUNCHED_MAX = 500;
const FIRED_MAX = 30;
/** A hook that is installed twice fires twice at once. */
const TWICE_FIRED_MS = 2_000;

/** Queued prompts that are sent together fire their hooks within moments. Nobody types that fast. */
const SENT_TOGETHER_MS = 900;

/** Private stays private; unknown may become known. */
const CERTAINTY: Readonly<Record<TurnPrivacy, number>> = { unknown: 0, public: 1, private: 2 };

/** When a payload arrived, and in which file. */
export interface PayloadTime {
  /** Unix ms. */
  readonly at: number;
  readonly file: string;
}

/** One session during one drain. */
export class SessionPrivacy {
  readonly #prompts: SeenPrompt[];
  readonly #launched: Map<string, TurnPrivacy>;
  readonly #fired: (readonly [string, number, string])[];
  #searched: TagSearch;
  #excluded: boolean | null;
  /** Unix ms. */
  readonly #unfinished: number[] = [];
  #logged: LoggedSession = NOT_LOGGED;
  #changed = false;

  constructor(memory: SessionMemory) {
    this.#prompts = [...memory.prompts];
    this.#launched = new Map(
      memory.launched.map(([id, isPrivate]) => [id, isPrivate ? 'private' : 'public']),
    );
    this.#fired = [...memory.fired];
    this.#searched = memory.searched;
    this.#excluded = memory.excluded ?? null;
  }

  /** Call for all prompts of the session in the order of their times, before anything else. */
  seePrompt(prompt: PromptPart, promptId: string | null, { at }: PayloadTime): void {
    const privacy = prompt.byPerson
      ? prompt.private
        ? 'private'
        : 'public'
      : this.#programPromptPrivacy(prompt, at);
    if (privacy === 'unknown') return;
    const seen = { promptId, at, private: privacy === 'private' };
    if (this.#prompts.some((other) => other.promptId === promptId && other.at === at)) return;
    this.#prompts.push(seen);
    this.#changed = true;
  }

  /** A file that may be a prompt is still being written. */
  seeUnfinished(at: number): void {
    this.#unfinished.push(at);
  }

  /** The agent stopped. Call for all stops of the main thread, in the order of their times, after the prompts. */
  seeStop(at: number): void {
    for (const [index, prompt] of this.#prompts.entries()) {
      if (!prompt.private || prompt.stoppedAt !== undefined || timeOf(prompt) > at) continue;
      this.#prompts[index] = { ...prompt, stoppedAt: at };
      this.#changed = true;
    }
  }

  /** A tool use read the output of a private turn's task. Its run is private from then on. */
  seePrivateRead({ promptId }: Pick<Payload, 'promptId'>, startedAt: number): void {
    this.#prompts.push({ promptId, at: startedAt, private: true });
    this.#changed = true;
  }

  /** A hook named its folder. */
  seeFolder(isExcluded: boolean): void {
    if (this.#excluded === true || this.#excluded === isExcluded) return;
    this.#excluded = isExcluded;
    this.#changed = true;
  }

  /** Whether the session was ever in an excluded folder; null while no hook named a folder. */
  get excluded(): boolean | null {
    return this.#excluded;
  }

  get searched(): TagSearch {
    return this.#searched;
  }

  set searched(searched: TagSearch) {
    if (searched.to !== this.#searched.to || searched.found !== this.#searched.found) this.#changed = true;
    this.#searched = searched;
  }

  /** Adds what the log or the transcript has. */
  seeLog({ prompts, launched, runs }: LoggedSession): void {
    this.#logged = {
      prompts: [...this.#logged.prompts, ...prompts],
      launched: [...this.#logged.launched, ...launched],
      runs: [...this.#logged.runs, ...runs],
    };
  }

  /** What a tool use launched gets that use's privacy. An unknown one is not remembered after this drain. */
  seeLaunch(launches: readonly string[], privacy: TurnPrivacy): boolean {
    let learned = false;
    for (const id of launches) {
      const before = this.#launched.get(id);
      if (before !== undefined && CERTAINTY[before] >= CERTAINTY[privacy]) continue;
      this.#launched.set(id, privacy);
      learned = true;
      if (privacy !== 'unknown') this.#changed = true;
    }
    return learned;
  }

  /** `startedAt` is when the tool use began, else when the hook ran. */
  privacyOf(payload: Pick<Payload, 'promptId' | 'agentId' | 'inputs'>, startedAt: number): TurnPrivacy {
    if (this.readsPrivateTask(payload)) return 'private';
    if (payload.agentId === null) return this.#runPrivacy(payload.promptId, startedAt);
    const launched = this.#launchedBy(payload.agentId);
    if (launched !== null) return launched;
    // Its prompt id may be that of a later run, and files of its own run may still come.
    return this.#beganPrivate(payload.promptId, startedAt) ? 'private' : 'unknown';
  }

  readsPrivateTask({ inputs }: Pick<Payload, 'inputs'>): boolean {
    return inputs.some((input) => this.#namesPrivateTask(input));
  }

  /** Whether this agent's files stay hidden after the idle time, because a private turn may have launched it. */
  mayBePrivate(agentId: string | null): boolean {
    return agentId !== null && this.hasPrivate && this.#launchedBy(agentId) !== 'public';
  }

  get hasPrivate(): boolean {
    return this.#all().some((prompt) => prompt.private);
  }

  /** Whether another file just reported the same event (a hook installed twice). If not, remembers this one. */
  isSecondFiring(what: string, { at, file }: PayloadTime): boolean {
    const same = this.#fired.find(([other, when]) => other === what && Math.abs(when - at) <= TWICE_FIRED_MS);
    if (same !== undefined) return same[2] !== file;
    this.#fired.push([what, at, file]);
    this.#changed = true;
    return false;
  }

  /**
   * Whether a run has ended before `at` and had no prompt since. `ends`: those of waiting files; earlier ones are
   * remembered.
   */
  endedBefore(promptId: string, at: number, ends: readonly number[]): boolean {
    const remembered = this.#fired.flatMap(([what, when]) => {
      const [event, , id, agentId] = JSON.parse(what) as readonly unknown[];
      return event === 'Stop' && id === promptId && (agentId ?? null) === null ? [when] : [];
    });
    const before = [...remembered, ...ends].filter((end) => at - end > TWICE_FIRED_MS);
    if (before.length === 0) return false;
    const last = Math.max(...before);
    return !this.#promptsOf(promptId).some((prompt) => timeOf(prompt) > last && timeOf(prompt) <= at);
  }

  /** What to remember, or null when nothing changed. */
  memory(): SessionMemory | null {
    if (!this.#changed) return null;
    const launched = [...this.#launched].filter(([, privacy]) => privacy !== 'unknown');
    return {
      prompts: this.#prompts.slice(-PROMPTS_MAX),
      launched: launched.slice(-LAUNCHED_MAX).map(([id, privacy]) => [id, privacy === 'private']),
      fired: this.#fired.slice(-FIRED_MAX),
      searched: this.#searched,
      ...(this.#excluded === null ? {} : { excluded: this.#excluded }),
    };
  }

  #runPrivacy(promptId: string | null, startedAt: number): TurnPrivacy {
    if (promptId === null) return this.#privacyAt(startedAt);
    const own = this.#promptsOf(promptId);
    const first = own[0];
    if (first === undefined) return this.#shownPrivacy(promptId);
    if (first.private || own.some((prompt) => prompt.private && timeOf(prompt) <= startedAt))
      return 'private';
    const shown = this.#logged.runs.filter(([id]) => id === promptId);
    const isHidden = shown.some(([, privateFrom]) => privateFrom !== null && privateFrom <= startedAt);
    if (isHidden) return 'private';
    if (first.alone !== true && this.#mayBeSentTogether(first)) {
      if (shown.length === 0) return 'private';
      this.#prompts[this.#prompts.indexOf(first)] = { ...first, alone: true };
      this.#changed = true;
    }
    const hiddenBetween = this.#logged.prompts.some(
      (prompt) => prompt.private && timeOf(prompt) >= timeOf(first) && timeOf(prompt) <= startedAt,
    );
    return hiddenBetween ? 'private' : 'public';
  }

  /**
   * Each queued prompt fires its own hook and has its own id, but the run carries the last id. The transcript shows it.
   */
  #mayBeSentTogether(prompt: SeenPrompt): boolean {
    return this.#prompts.some(
      (other) => other.private && isWithin(timeOf(prompt) - timeOf(other), SENT_TOGETHER_MS),
    );
  }

  /**
   * The privacy of a run that no prompt hook named: queued prompts sent together, a shell command, or a lost prompt.
   */
  #shownPrivacy(promptId: string): TurnPrivacy {
    const shown = this.#logged.runs.find(([id]) => id === promptId)?.[1];
    if (
      typeof shown === 'number' ||
      this.#logged.prompts.some((one) => one.private && one.promptId === promptId)
    )
      return 'private';
    if (shown === undefined) return 'unknown';
    // From its own first prompt on: the private prompts of earlier runs do not hide this one.
    const times = this.#logged.prompts.flatMap((one) => (one.promptId === promptId ? (one.at ?? []) : []));
    const at = times.length === 0 ? null : Math.min(...times);
    this.#prompts.push({ promptId, at, private: false, alone: true });
    this.#changed = true;
    return 'public';
  }

  #beganPrivate(promptId: string | null, startedAt: number): boolean {
    if (promptId === null) return this.#privacyAt(startedAt) === 'private';
    const first = this.#promptsOf(promptId)[0];
    return first === undefined ? this.#shownPrivacy(promptId) === 'private' : first.private;
  }

  #promptsOf(promptId: string): SeenPrompt[] {
    return this.#prompts
      .filter((prompt) => prompt.promptId === promptId)
      .sort((one, other) => timeOf(one) - timeOf(other));
  }

  /**
   * By time: the session's latest prompt. It may have been typed while the agent worked, so what a private prompt began
   * stays private until the agent stops. A prompt that cannot be read yet leaves it open. Work before every known prompt may belong to a private prompt whose file is late.
   */
  #privacyAt(at: number): TurnPrivacy {
    const isGoingOn = this.#prompts.some(
      (prompt) => prompt.private && timeOf(prompt) <= at && at <= (prompt.stoppedAt ?? at),
    );
    if (isGoingOn) return 'private';
    const latest = this.#latest(at);
    const since = latest?.at ?? Number.NEGATIVE_INFINITY;
    if (this.#unfinished.some((one) => one > since && one <= at)) return 'unknown';
    if (latest !== undefined) return latest.private ? 'private' : 'public';
    const timed = this.#all().filter((prompt) => prompt.at !== null);
    return timed.sort((one, other) => one.at! - other.at!)[0]?.private === true ? 'private' : 'unknown';
  }

  #latest(at: number): SeenPrompt | undefined {
    const timed = this.#all().filter((prompt) => prompt.at !== null && prompt.at <= at);
    return timed.sort((one, other) => one.at! - other.at!).at(-1);
  }

  /** A finished task belongs to the turn that launched it, and continues what the agent did before. */
  #programPromptPrivacy({ machineText }: PromptPart, at: number): TurnPrivacy {
    if (this.#namesPrivateTask(machineText)) return 'private';
    if (!this.hasPrivate) return 'public';
    const before = this.#latest(at);
    if (before === undefined || this.#runPrivacy(before.promptId, at) !== 'public') return 'private';
    const known = [...this.#launched].some(([id, by]) => by === 'public' && machineText.includes(id));
    return known || this.#logged.launched.some((id) => machineText.includes(id)) ? 'public' : 'unknown';
  }

  #namesPrivateTask(text: string): boolean {
    for (const [id, privacy] of this.#launched) if (privacy === 'private' && text.includes(id)) return true;
    return false;
  }

  #launchedBy(agentId: string): TurnPrivacy | null {
    return (
      this.#launched.get(agentId) ?? (this.#logged.launched.includes(agentId) ? ('public' as const) : null)
    );
  }

  #all(): SeenPrompt[] {
    return [...this.#prompts, ...this.#logged.prompts];
  }
}

/** Undated prompts sort first. */
function timeOf({ at }: SeenPrompt): number {
  return at ?? Number.NEGATIVE_INFINITY;
}

function isWithin(ms: number, limit: number): boolean {
  return ms >= 0 && ms <= limit;
}
