// Which turn a hook's payload serves, and whether that turn is private. A prompt that is empty after tags makes
// its whole turn private: tool uses, sub-agents, background work, the closing answer, however late they come.
// What is not known is said to be unknown, and waits. What is remembered of a session between drains is small:
// ids, times and yes or no, in a cursor of the log; a lost prompt may be known from the transcript.
import type { Payload, PromptPart } from './payload.ts';

export type Standing = 'public' | 'private' | 'unknown';

/** A prompt that somebody told: a hook, or a line of the transcript. */
export interface SeenPrompt {
  readonly promptId: string | null;
  /** Unix ms; null when nobody said when. */
  readonly at: number | null;
  readonly private: boolean;
}

/** JSON value of the session's cursor. */
export interface SessionMemory {
  readonly prompts: readonly SeenPrompt[];
  /** What was launched (sub-agents, background shells) and whether by a private turn. */
  readonly launched: readonly (readonly [id: string, isPrivate: boolean])[];
  /** Events that have no id of their own, as fired last: what, when (Unix ms), told by which file. */
  readonly fired: readonly (readonly [what: string, at: number, file: string])[];
}

/** What the log says of a session, or its transcript. */
export interface LoggedSession {
  readonly prompts: readonly SeenPrompt[];
  /** Sub-agents launched by uses that are in the log, so by turns that are not private. */
  readonly launched: readonly string[];
}

export const NO_MEMORY: SessionMemory = { prompts: [], launched: [], fired: [] };
const NOT_LOGGED: LoggedSession = { prompts: [], launched: [] };

const PROMPTS_MAX = 300;
const LAUNCHED_MAX = 500;
const FIRED_MAX = 30;
/** The same hook, installed twice, fires twice at once. */
const TWICE_FIRED_MS = 2_000;

/** Private once, private for ever; what was unknown may become known. */
const CERTAINTY: Readonly<Record<Standing, number>> = { unknown: 0, public: 1, private: 2 };

/** Where a payload stands in time, and the file it came in. */
export interface Placed {
  /** Unix ms. */
  readonly at: number;
  readonly file: string;
}

/** One session during one drain. */
export class SessionStanding {
  readonly #prompts: SeenPrompt[];
  readonly #launched: Map<string, Standing>;
  readonly #fired: (readonly [string, number, string])[];
  #logged: LoggedSession = NOT_LOGGED;
  #changed = false;

  constructor(memory: SessionMemory) {
    this.#prompts = [...memory.prompts];
    this.#launched = new Map(
      memory.launched.map(([id, isPrivate]) => [id, isPrivate ? 'private' : 'public']),
    );
    this.#fired = [...memory.fired];
  }

  /** Prompts come before all else of their session, in the order of their times. */
  seePrompt(prompt: PromptPart, promptId: string | null, { at }: Placed): void {
    const standing = prompt.byPerson ? (prompt.private ? 'private' : 'public') : this.#ofMachine(prompt, at);
    if (standing === 'unknown') return;
    const seen = { promptId, at, private: standing === 'private' };
    const known = this.#prompts.some((other) =>
      promptId === null ? other.promptId === null && other.at === at : other.promptId === promptId,
    );
    if (known) return;
    this.#prompts.push(seen);
    this.#changed = true;
  }

  /** What the log says, and what the transcript shows. */
  seeLog({ prompts, launched }: LoggedSession): void {
    this.#logged = {
      prompts: [...this.#logged.prompts, ...prompts],
      launched: [...this.#logged.launched, ...launched],
    };
  }

  /** What a judged tool use set going has its standing. An unknown one is not remembered beyond this drain. */
  seeLaunch(launches: readonly string[], standing: Standing): boolean {
    let learned = false;
    for (const id of launches) {
      const before = this.#launched.get(id);
      if (before !== undefined && CERTAINTY[before] >= CERTAINTY[standing]) continue;
      this.#launched.set(id, standing);
      learned = true;
      if (standing !== 'unknown') this.#changed = true;
    }
    return learned;
  }

  standingOf(payload: Pick<Payload, 'promptId' | 'agentId' | 'inputs'>, at: number): Standing {
    if (payload.inputs.some((input) => this.#launched.get(input) === 'private')) return 'private';
    const turn = this.#turnStanding(payload.promptId, at);
    if (payload.agentId === null || turn === 'private') return turn;
    // Its prompt id may be that of a later turn, and the files of its own turn may still come.
    return this.#launchedBy(payload.agentId) ?? 'unknown';
  }

  /** Whether the idle time may not set free what this agent says: a private turn may have launched it. */
  isDoubtful(agentId: string | null): boolean {
    return agentId !== null && this.hasPrivate && this.#launchedBy(agentId) !== 'public';
  }

  get hasPrivate(): boolean {
    return this.#all().some((prompt) => prompt.private);
  }

  /** Whether the same event was just told by another file: a hook installed twice. Remembers this one if not. */
  isSecondFiring(what: string, { at, file }: Placed): boolean {
    const same = this.#fired.find(([other, when]) => other === what && Math.abs(when - at) <= TWICE_FIRED_MS);
    if (same !== undefined) return same[2] !== file;
    this.#fired.push([what, at, file]);
    this.#changed = true;
    return false;
  }

  /** What to remember, or null when nothing changed. */
  memory(): SessionMemory | null {
    if (!this.#changed) return null;
    const launched = [...this.#launched].filter(([, standing]) => standing !== 'unknown');
    return {
      prompts: this.#prompts.slice(-PROMPTS_MAX),
      launched: launched.slice(-LAUNCHED_MAX).map(([id, standing]) => [id, standing === 'private']),
      fired: this.#fired.slice(-FIRED_MAX),
    };
  }

  #turnStanding(promptId: string | null, at: number): Standing {
    if (promptId === null) return this.#standingAt(at);
    const told = this.#all().filter((prompt) => prompt.promptId === promptId);
    if (told.length === 0) return 'unknown';
    return told.some((prompt) => prompt.private) ? 'private' : 'public';
  }

  /** By time: the session's latest prompt. What comes before every prompt known may still serve a private one whose file is late. */
  #standingAt(at: number): Standing {
    const timed = this.#all().filter((prompt) => prompt.at !== null);
    timed.sort((one, other) => one.at! - other.at!);
    const latest = timed.findLast((prompt) => prompt.at! <= at);
    if (latest !== undefined) return latest.private ? 'private' : 'public';
    return timed[0]?.private === true ? 'private' : 'unknown';
  }

  /** A finished task belongs to the turn that launched it, anything else to the turn before. */
  #ofMachine({ machineText }: PromptPart, at: number): Standing {
    for (const [id, standing] of this.#launched)
      if (standing === 'private' && machineText.includes(id)) return 'private';
    return this.#standingAt(at);
  }

  #launchedBy(agentId: string): Standing | null {
    return (
      this.#launched.get(agentId) ?? (this.#logged.launched.includes(agentId) ? ('public' as const) : null)
    );
  }

  #all(): SeenPrompt[] {
    return [...this.#prompts, ...this.#logged.prompts];
  }
}
