// What was asked of models, from the rows of the log's events. A request without an answer counts with its worst case.
import { pushTo } from '../../../log/index.ts';
import {
  type AnsweredRow,
  type AskedRow,
  type AwayRow,
  keyParts,
  newestReading,
  readingKeys,
  rowPages,
  type SwitchRow,
  type ViewReader,
} from '../../../projections/index.ts';
import { bootTime } from '../../platform/boot-clock.ts';
import { now } from '../../platform/clock.ts';
import { DAY_MS, type Spending } from '../policy/budget.ts';
import type { Outcome } from '../policy/next-step.ts';

/** Two clocks differ by some milliseconds anyway. */
const CLOCK_WAS_SET_MS = 60_000;

/** As providers name the reason why a model stopped (`ModelReply`). */
const REFUSAL = 'refusal';

/** One request with its answer. */
export interface Request extends Spending {
  readonly asked: AskedRow;
  /** Null while there is none; it may never come. */
  readonly answer: AnsweredRow | null;
}

/** A batch has ended after a day; another recipe does not wait longer for it. */
const AWAY_MS = 2 * DAY_MS;

/** Whether a request left with a batch that has not come back. @param recipe that waits for it */
export function isAway({ asked, answer, at }: Request, recipe: string, now: number): boolean {
  if (asked.body.batch === null || answer !== null) return false;
  return asked.body.recipe === recipe || at > now - AWAY_MS;
}

/** The requests that left with a batch and have no answer, by batch. */
export async function requestsAway(turns: ViewReader): Promise<ReadonlyMap<string, readonly Request[]>> {
  const batches = new Map<string, Request[]>();
  for (const [rowKey, row] of await turns.range<AwayRow>(readingKeys.away())) {
    const one = await requestOf({ ...row, event: keyParts(rowKey)[1]! }, turns);
    const batch = one?.asked.body.batch;
    if (one === null || batch === null || batch === undefined) continue;
    pushTo(batches, batch, one);
  }
  return batches;
}

/** Newest first. One by one they would be looked up in as many reads. */
export async function allRequests(turns: ViewReader): Promise<Request[]> {
  const answered: (readonly [string, AnsweredRow])[] = [];
  for await (const page of rowPages<AnsweredRow>(turns, readingKeys.allAnswered())) answered.push(...page);
  const answers = answersById(answered);
  const found: Request[] = [];
  for await (const page of rowPages<AskedRow>(turns, readingKeys.allAsked()))
    for (const [, row] of page) found.push(paired(row, answers));
  return found.sort((a, b) => (b.asked.at ?? 0) - (a.asked.at ?? 0));
}

/** Newest first, until one was asked before `until`. */
export async function requestsUntil(until: number, turns: ViewReader): Promise<Request[]> {
  const found: Request[] = [];
  for await (const name of namesOfRequests(turns)) {
    const one = await requestOf(name, turns);
    if (one === null) continue;
    if (one.at >= until) found.push(one);
    // Rows have the times of the clock as it was set then.
    else if ((one.asked.at ?? 0) < until) break;
  }
  return found;
}

export interface RequestName {
  readonly agent: string;
  readonly session: string;
  /** The first event that it covers. */
  readonly first: string;
  /** Of `observer.asked`. */
  readonly event: string;
}

/** All of them, newest first. */
export async function* namesOfRequests(turns: ViewReader): AsyncGenerator<RequestName> {
  for await (const page of rowPages(turns, readingKeys.askedByTime(), 500))
    for (const [rowKey] of page) {
      const [, , agent, session, first, event] = keyParts(rowKey) as string[];
      yield { agent: agent!, session: session!, first: first!, event: event! };
    }
}

/** Null when it was forgotten meanwhile. */
export async function requestOf(
  { agent, session, first, event }: RequestName,
  turns: ViewReader,
): Promise<Request | null> {
  const named = await requestsNamed(agent, session, [first], turns);
  return named.find(({ asked }) => asked.event === event) ?? null;
}

/** All requests about the turns of one session. */
export async function requestsIn(agent: string, session: string, turns: ViewReader): Promise<Request[]> {
  const asked = await turns.range<AskedRow>(readingKeys.askedIn(agent, session));
  const answers = answersById(await turns.range<AnsweredRow>(readingKeys.answeredIn(agent, session)));
  return asked.map(([, row]) => paired(row, answers));
}

/** The requests whose first event is one of these. */
export async function requestsNamed(
  agent: string,
  session: string,
  events: readonly string[],
  turns: ViewReader,
): Promise<Request[]> {
  const found: Request[] = [];
  for (const event of events) {
    const asked = await turns.range<AskedRow>(readingKeys.askedAbout(agent, session, event));
    if (asked.length === 0) continue;
    const answers = answersById(
      await turns.range<AnsweredRow>(readingKeys.answeredAbout(agent, session, event)),
    );
    found.push(...asked.map(([, row]) => paired(row, answers)));
  }
  return found;
}

/** Two machines with the same log may both fetch the answer: a reply counts before a failure. */
function answersById(rows: readonly (readonly [string, AnsweredRow])[]): ReadonlyMap<string, AnsweredRow> {
  const isReply = ({ kind }: AnsweredRow) => Number(kind === 'replied');
  const answers = rows.map(([, row]) => row).sort((a, b) => isReply(a) - isReply(b));
  return new Map(answers.map((row) => [row.body.asked, row]));
}

function paired(asked: AskedRow, answers: ReadonlyMap<string, AnsweredRow>): Request {
  const answer = answers.get(asked.event) ?? null;
  return { asked, answer, at: timeByClockNow(askedTime(asked)), ...costOfAnswer(asked, answer) };
}

/** When a request was sent: Unix ms by the clock as it was set then, and by one that cannot be set. */
export interface AskedTime {
  readonly at: number;
  readonly boot: string | null;
  readonly upMs: number | null;
}

export function askedTime({ at, body: { boot, upMs } }: AskedRow): AskedTime {
  return { at: at ?? 0, boot, upMs };
}

/** By the clock as it is set now, if the system has not started again since: setting it makes no request older. */
export function timeByClockNow({ at, boot, upMs }: AskedTime): number {
  const current = bootTime();
  if (current === null || boot !== current.boot || upMs === null) return at;
  const then = now() - (current.upMs - upMs);
  // Otherwise the exact time is that of the event.
  return Math.abs(then - at) < CLOCK_WAS_SET_MS ? at : then;
}

/** A failure that cannot have cost anything is free; what the provider did not say counts as the worst case. */
function costOfAnswer({ body }: AskedRow, answer: AnsweredRow | null): Pick<Spending, 'usd' | 'tokens'> {
  const worst = { usd: body.worstUsd, tokens: body.worstTokens };
  if (answer === null) return worst;
  if (answer.kind === 'failed') return answer.body.mayCost ? worst : { usd: 0, tokens: 0 };
  const { usage, usd } = answer.body;
  if (usage === null) return worst;
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return { usd: usd ?? body.worstUsd, tokens };
}

/** How requests ended, as far back as a person's last `retry`. */
export function outcomesOf(requests: readonly Request[], retriedAt: number): Outcome[] {
  return requests.map(outcomeOf).filter((one) => one !== null && one.at > retriedAt) as Outcome[];
}

/** Null while there is no answer. */
export function outcomeOf({ asked, answer }: Request): Outcome | null {
  if (answer === null) return null;
  const { settings } = asked.body;
  const at = answer.at ?? 0;
  if (answer.kind === 'replied') {
    const unread = answer.body.stopReason === REFUSAL ? 'refused' : 'invalid';
    return { at, result: answer.reply.valid ? 'replied' : unread, retryAfterMs: null, settings };
  }
  const { class: result, retryAfterMs } = answer.body;
  return { at, result, retryAfterMs, settings };
}

export interface Switched {
  readonly on: boolean;
  /** When a person last had everything tried again, Unix ms. */
  readonly retriedAt: number;
}

export async function switchedBy(turns: ViewReader): Promise<Switched> {
  const rows = (await turns.range<SwitchRow>(readingKeys.switches())).map(([, row]) => row);
  const retried = rows.filter(({ body }) => body.retry).map(({ at }) => at ?? 0);
  return { on: newestReading(rows)?.body.on ?? true, retriedAt: Math.max(0, ...retried) };
}
