// The plans that were shown and not yet confirmed. A confirmation names a plan by its token; if what would be forgotten
// is no longer what was shown, nothing is.
import type { ForgetPlan, ForgetSelection } from '../api.ts';

/** Older plans have to be shown again. */
const AGE_MAX_MS = 15 * 60_000;
const PLANS_MAX = 50;

export interface ShownPlan {
  readonly selection: ForgetSelection;
  readonly withCopies: boolean;
  readonly plan: ForgetPlan;
}

export class ForgetPlans {
  readonly #plans = new Map<string, ShownPlan & { readonly at: number }>();
  readonly #now: () => number;
  readonly #randomBytes: (size: number) => Uint8Array;

  constructor(world: { now(): number; randomBytes(size: number): Uint8Array }) {
    this.#now = world.now;
    this.#randomBytes = world.randomBytes;
  }

  /** Returns the token that confirms it. */
  remember(shown: ShownPlan): string {
    const token = Buffer.from(this.#randomBytes(16)).toString('hex');
    this.#plans.set(token, { ...shown, at: this.#now() });
    for (const oldest of this.#plans.keys()) {
      if (this.#plans.size <= PLANS_MAX) break;
      this.#plans.delete(oldest);
    }
    return token;
  }

  /** Each token confirms once. Null when it is unknown or too old. */
  take(token: string): ShownPlan | null {
    const found = this.#plans.get(token);
    this.#plans.delete(token);
    return found === undefined || this.#now() - found.at > AGE_MAX_MS ? null : found;
  }
}
