// The files of sub-agents. In each run they are read when all other files have been: only the session that launched a
// sub-agent shows whether a private turn did.
import type { SessionRecord } from './records.ts';

/** A sub-agent → the session, or the sub-agent, that launched it. */
export type Launchers = Map<string, string>;

export class SubagentFiles {
  /** Whether the files of sessions have been read. */
  areDue = true;
  readonly #launchers: Launchers;

  /** @param launchers those of earlier runs; while a sub-agent works, the file of the one that launched it does not change */
  constructor(launchers: Launchers = new Map()) {
    this.#launchers = launchers;
  }

  add(agent: string, { session, parentSession }: SessionRecord): void {
    if (typeof parentSession === 'string') this.#launchers.set(keyOf(agent, session), parentSession);
  }

  /** The session that a sub-agent works for, from the session or the sub-agent that launched it. */
  mainSessionOf(agent: string, launcher: string): string {
    const seen = new Set<string>();
    let main = launcher;
    while (!seen.has(main)) {
      seen.add(main);
      main = this.#launchers.get(keyOf(agent, main)) ?? main;
    }
    return main;
  }
}

function keyOf(agent: string, session: string): string {
  return JSON.stringify([agent, session]);
}
