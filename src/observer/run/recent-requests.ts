// The requests of the last day, which the budget and the policy look at before each one, and how the newest one ended. Those that were answered are read once,
// so that a request does not cost more the more there were. Only numbers are kept: nothing here has to be forgotten.
import type { ViewReader } from '../../../projections/index.ts';
import type { Spending } from '../policy/budget.ts';
import type { Outcome } from '../policy/next-step.ts';
import { type OwnLog, ownRequests } from './own-requests.ts';
import {
  type AskedTime,
  askedTime,
  namesOfRequests,
  outcomeOf,
  type Request,
  type RequestName,
  requestOf,
  timeByClockNow,
} from './spending.ts';

export interface RecentRequest extends Spending {
  /** Null while there is no answer. */
  readonly outcome: Outcome | null;
  /** That it left with; null when it left alone. */
  readonly batch: string | null;
}

type Kept = Omit<RecentRequest, 'at'> & { readonly asked: AskedTime };

export class RecentRequests {
  readonly #log: OwnLog;
  /** Of other machines, which count for nothing here. */
  readonly #others = new Set<string>();
  /** By the id of `observer.asked`. */
  #answered: ReadonlyMap<string, Kept> = new Map();

  constructor(log: OwnLog) {
    this.#log = log;
  }

  /** Newest first, until one was asked before `until`. */
  async since(until: number, turns: ViewReader): Promise<RecentRequest[]> {
    const found: RecentRequest[] = [];
    const answered = new Map<string, Kept>();
    for await (const name of namesOfRequests(turns)) {
      if (this.#others.has(name.event)) continue;
      const kept = this.#answered.get(name.event) ?? (await this.#read(name, turns));
      if (kept === null) continue;
      const { asked, usd, tokens, batch } = kept;
      const at = timeByClockNow(asked);
      // Rows have the times of the clock as it was set then.
      if (at < until && asked.at < until) break;
      if (kept.outcome !== null) answered.set(name.event, kept);
      if (at < until) continue;
      found.push({ at, usd, tokens, batch, outcome: outcomeNow(kept) });
    }
    this.#answered = answered;
    return found;
  }

  /** Of the newest request that has one, however old it is. */
  async newestOutcome(turns: ViewReader): Promise<Outcome | null> {
    for await (const name of namesOfRequests(turns)) {
      if (this.#others.has(name.event)) continue;
      const kept = await this.#read(name, turns);
      if (kept !== null && kept.outcome !== null) return outcomeNow(kept);
    }
    return null;
  }

  async #read(name: RequestName, turns: ViewReader): Promise<Kept | null> {
    const request = await requestOf(name, turns);
    if (request === null) return null;
    const [own] = await ownRequests([request], this.#log);
    if (own !== undefined) return keptOf(own);
    this.#others.add(name.event);
    return null;
  }
}

/** With its time by the clock as it is set now. */
function outcomeNow({ asked, outcome }: Kept): Outcome | null {
  return outcome === null ? null : { ...outcome, at: outcome.at + (timeByClockNow(asked) - asked.at) };
}

function keptOf(request: Request): Kept {
  const { asked, usd, tokens } = request;
  const { batch } = asked.body;
  return { asked: askedTime(asked), usd, tokens, batch, outcome: outcomeOf(request) };
}
