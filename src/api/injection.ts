// What an agent's session was given, as its hook reports it.
import type { InjectedItem, SessionStartKind } from './context.ts';

/** How the session started, or what it was about to do. */
export type InjectionOccasion = SessionStartKind | 'prompt' | 'read' | 'edit' | 'error';

export interface Injection {
  /** The agent's name. */
  readonly agent: string;
  readonly session: string | null;
  readonly occasion: InjectionOccasion;
  readonly cwd: string;
  /** As the agent got it. Only a hash and its length in tokens are stored. */
  readonly text: string;
  readonly items: readonly InjectedItem[];
  /** How long it took to make, ms. */
  readonly durationMs?: number;
}
