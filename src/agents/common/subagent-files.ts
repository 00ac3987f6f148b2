// The files of sub-agents in one run. They are read when all other files have been: only the session that launched a
// sub-agent shows whether a private turn did.
import type { SessionRecord } from './records.ts';

export class SubagentFiles {
  /** Whether the files of sessions have been read. */
  areDue = true;
  /** A sub-agent → the session, or the sub-agent, that launched it. */
  readonly #launchers = new Map<string, string>();

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
