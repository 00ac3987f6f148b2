// What was asked of models, from the rows of the log's events. A request without an answer counts with its worst case.
import {
  type AnsweredRow,
  type AskedRow,
  keyParts,
  newestReading,
  readingKeys,
  type SwitchRow,
  type ViewReader,
} from '../../../projections/index.ts';
import type { Spending } from '../policy/budget.ts';
import type { Outcome } from '../policy/next-step.ts';

/** One request with its answer. */
export interface Request extends Spending {
  readonly asked: AskedRow;
  /** Null while there is none; it may never come. */
  readonly answer: AnsweredRow | null;
}

/** Newest first, until one was asked before `until`. */
export async function requestsUntil(until: number, turns: ViewReader): Promise<Request[]> {
  const found: Request[] = [];
  for (let after: string | undefined; ; ) {
    const page = await turns.range(readingKeys.allAsked(), {
      limit: 500,
      ...(after === undefined ? {} : { after }),
    });
    for (const [rowKey] of page) {
      const [, , agent, session, event, id] = keyParts(rowKey) as string[];
      const named = await requestsNamed(agent!, session!, [event!], turns);
      const one = named.find(({ asked }) => asked.event === id);
      if (one === undefined) continue;
      if (one.at < until) return found;
      found.push(one);
    }
    if (page.length < 500) return found;
    after = page.at(-1)![0];
  }
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

function answersById(rows: readonly (readonly [string, AnsweredRow])[]): ReadonlyMap<string, AnsweredRow> {
  return new Map(rows.map(([, row]) => [row.body.asked, row]));
}

function paired(asked: AskedRow, answers: ReadonlyMap<string, AnsweredRow>): Request {
  const answer = answers.get(asked.event) ?? null;
  return { asked, answer, at: asked.at ?? 0, ...costOfAnswer(asked, answer) };
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

/** How requests ended, newest first, as far back as a person's last `retry`. */
export function outcomesOf(requests: readonly Request[], retriedAt: number): Outcome[] {
  return requests.flatMap(({ asked, answer }) => {
    if (answer === null || (answer.at ?? 0) <= retriedAt) return [];
    const result = answer.kind === 'failed' ? answer.body.class : answer.reply.valid ? 'replied' : 'invalid';
    const retryAfterMs = answer.kind === 'failed' ? answer.body.retryAfterMs : null;
    return [{ at: answer.at ?? 0, result, retryAfterMs, settings: asked.body.settings }] satisfies Outcome[];
  });
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
