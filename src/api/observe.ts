// A model that writes observations and summaries.

export interface ObserveOptions {
  /** Turns of one session (its id, or the beginning of it), or of one project; default: all. */
  readonly session?: string;
  readonly project?: string;
  /** Turns that ended after this: Unix ms, a date, or a span such as `2d`. */
  readonly since?: string | number;
  /** At most so many requests. */
  readonly limit?: number;
  /** A second reading beside the first, which counts only when its recipe is chosen. */
  readonly again?: boolean;
  /** Of the same service; default: that of the settings. */
  readonly model?: string;
  /** Default: that of the settings. */
  readonly mode?: string;
  /** Asks nobody: answers the requests and their prices; `price`: only what all of them may cost. */
  readonly dryRun?: boolean | 'price';
  /** After each answer: requests that are answered, and how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** A request as it is sent. */
export interface ObserveRequest {
  readonly session: string;
  readonly turn: string;
  readonly part: number;
  readonly parts: number;
  readonly instructions: string;
  readonly content: string;
  /** In dollars, at most; null without a known price. */
  readonly worstUsd: number | null;
  readonly worstTokens: number;
}

export interface ObserveReport {
  /** Null without a provider. */
  readonly recipe: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  /** Requests that there were to send. */
  readonly waiting: number;
  readonly asked: number;
  /** Of the answers: valid, and not. */
  readonly read: number;
  readonly invalid: number;
  readonly failed: number;
  readonly usd: number;
  readonly tokens: number;
  /** Why it ended before all was asked, as a sentence; null when it did not. */
  readonly problem: string | null;
  /** Of `dryRun`: how many may cost more than one request or a session may; `problem` says the first reason. */
  readonly refused: number;
  /** Of `dryRun`: what all requests may cost, in dollars; null without a known price. */
  readonly worstUsd: number | null;
  readonly expectedUsd: number | null;
  /** Of `dryRun`. */
  readonly requests: readonly ObserveRequest[];
}

/** What the observer does at the moment. */
export interface ObserverState {
  /** Whether the worker has the model asked about turns as they end. */
  readonly auto: 'off' | 'on' | 'cheap';
  /** Null when there is none: rules write observations, and `why` says why. */
  readonly provider: string | null;
  readonly model: string | null;
  /** Where turns are sent: the host, or the path of the command. */
  readonly place: string | null;
  readonly why: string | null;
  /** Requests about turns of the last three days, if the worker asks. */
  readonly waiting: number;
  /** Requests in batches that have not come back. */
  readonly away: number;
  /** ISO 8601, of the last 24 hours. */
  readonly lastAnswer: string | null;
  /** The last 24 hours. What is not answered counts with its worst case. */
  readonly lastDay: { readonly usd: number; readonly tokens: number; readonly calls: number };
  readonly budget: { readonly usdPerDay: number | null; readonly left: number | null };
  /** Why the worker sends nothing now. `until`: ISO 8601; null: until a person changes something. */
  readonly hold: null | {
    readonly because: 'paused' | 'auth' | 'quota' | 'rate-limit' | 'transient' | 'failures' | 'budget';
    readonly until: string | null;
    /** For people: what happened, and what to do. */
    readonly sentence: string;
  };
}

/** What was asked of models, counted from the log. */
export interface ObserverCost {
  /** The last 24 hours. What is not answered counts with its worst case. */
  readonly lastDay: { readonly usd: number; readonly tokens: number; readonly calls: number };
  readonly budget: { readonly usdPerDay: number | null; readonly left: number | null };
  /** All days, newest first: the day in UTC. */
  readonly days: readonly {
    readonly day: string;
    readonly usd: number;
    readonly tokens: number;
    readonly calls: number;
  }[];
  readonly models: readonly {
    readonly model: string;
    readonly usd: number;
    readonly tokens: number;
    readonly calls: number;
  }[];
  readonly projects: readonly {
    readonly project: string;
    readonly usd: number;
    readonly tokens: number;
    readonly calls: number;
  }[];
}
