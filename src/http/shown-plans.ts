// The plans that were shown and not yet confirmed. A confirmation names a plan by its token; if what would be done is no
// longer what was shown, nothing is.
import { HttpError } from './http-error.ts';

/** Older plans have to be shown again. */
const AGE_MAX_MS = 15 * 60_000;
const PLANS_MAX = 50;

export class ShownPlans<Shown extends object> {
  readonly #plans = new Map<string, { readonly shown: Shown; readonly at: number }>();
  readonly #now: () => number;
  readonly #randomBytes: (size: number) => Uint8Array;

  constructor(world: { now(): number; randomBytes(size: number): Uint8Array }) {
    this.#now = world.now;
    this.#randomBytes = world.randomBytes;
  }

  /** Returns the token that confirms it. */
  remember(shown: Shown): string {
    const token = Buffer.from(this.#randomBytes(16)).toString('hex');
    this.#plans.set(token, { shown, at: this.#now() });
    for (const oldest of this.#plans.keys()) {
      if (this.#plans.size <= PLANS_MAX) break;
      this.#plans.delete(oldest);
    }
    return token;
  }

  /** Each token confirms once. @throws HttpError 404: it is unknown, was confirmed, or is too old */
  take(token: string): Shown {
    const found = this.#plans.get(token);
    this.#plans.delete(token);
    if (found !== undefined && this.#now() - found.at <= AGE_MAX_MS) return found.shown;
    throw new HttpError(404, 'NOT_FOUND', 'No plan has this token: it was confirmed, or is too old.', {
      hint: 'Ask for a new plan.',
    });
  }
}

export function planChanged(): HttpError {
  return new HttpError(
    409,
    'PLAN_CHANGED',
    'Nothing was done: it would be something else than the plan showed.',
    {
      hint: 'Ask for a new plan.',
    },
  );
}
