// The requests of the last day, which the budget and the policy look at before each one. Those that were answered are read once,
// so that a request does not cost more the more there were. Only numbers are kept: nothing here has to be forgotten.
import type { ViewReader } from '../../../projections/index.ts';
import type { Spending } from '../policy/budget.ts';
import type { Outcome } from '../policy/next-step.ts';
import { namesOfRequests, outcomeOf, requestOf } from './spending.ts';

export interface RecentRequest extends Spending {
  /** Null while there is no answer. */
  readonly outcome: Outcome | null;
}

export class RecentRequests {
  /** By the id of `observer.asked`. */
  #answered: ReadonlyMap<string, RecentRequest> = new Map();

  /** Newest first, until one was asked before `until`. */
  async since(until: number, turns: ViewReader): Promise<RecentRequest[]> {
    const found: RecentRequest[] = [];
    const answered = new Map<string, RecentRequest>();
    for await (const name of namesOfRequests(turns)) {
      const request = this.#answered.get(name.event) ?? (await requestOf(name, turns));
      if (request === null) continue;
      if (request.at < until) break;
      const { at, usd, tokens } = request;
      const outcome = 'outcome' in request ? request.outcome : outcomeOf(request);
      const one = { at, usd, tokens, outcome };
      found.push(one);
      if (outcome !== null) answered.set(name.event, one);
    }
    this.#answered = answered;
    return found;
  }
}
