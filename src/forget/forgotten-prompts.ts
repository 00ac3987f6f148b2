// What stays of forgotten prompts: that each was submitted, so that what the agent did for it does not come under the prompt
// before. Nothing stays of one whose turn goes as a whole.
import { type ForgottenPrompt, type LogEvent, pushTo } from '../../log/index.ts';
import { type ItemOf, type ItemRow, isItemRow, sessionKeys, type TurnRow } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';

export type PromptsLeft = readonly {
  readonly agent: string;
  readonly session: string;
  readonly prompts: readonly ForgottenPrompt[];
}[];

/** @param gone the events that go */
export async function promptsLeft(
  gone: readonly LogEvent[],
  { views }: Pick<Home, 'views'>,
): Promise<PromptsLeft> {
  const ids = new Set(gone.map(({ id }) => id));
  const sessions = new Map<string, { agent: string; session: string }>();
  for (const { type, agent, session } of gone)
    if (type === 'prompt.submitted' && session !== null)
      sessions.set(JSON.stringify([agent, session]), { agent, session });
  const left = [...sessions.values()].map(async ({ agent, session }) => {
    const rows = (await views.turns.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session))).map(
      ([, row]) => row,
    );
    const itemsOf = new Map<string, ItemRow[]>();
    for (const row of rows) if (isItemRow(row)) pushTo(itemsOf, row.turn, row);
    const stays = (turn: TurnRow) =>
      turn.unfinished ||
      itemsOf.get(turn.id)?.some(({ reports }) => reports.some(({ event }) => !ids.has(event))) === true;
    const turns = new Set(rows.flatMap((row) => (!isItemRow(row) && stays(row) ? [row.id] : [])));
    const prompts = rows.filter(
      (row): row is ItemOf<'prompt'> => isItemRow(row) && row.kind === 'prompt' && turns.has(row.turn),
    );
    return { agent, session, prompts: prompts.flatMap((prompt) => reportsLeft(prompt, ids)) };
  });
  return (await Promise.all(left)).filter(({ prompts }) => prompts.length > 0);
}

/** None of a prompt that stays, and of a private one: its turn holds nothing. */
function reportsLeft({ id, reports }: ItemOf<'prompt'>, gone: ReadonlySet<string>): ForgottenPrompt[] {
  if (reports.some((report) => report.private === true || !gone.has(report.event))) return [];
  return reports.map((report) => ({
    event: report.event,
    prompt: id,
    channel: report.channel as ForgottenPrompt['channel'],
    dedupeKey: report.dedupeKey,
    at: report.at ?? null,
    kind: report.kind,
    via: report.via,
    uuid: report.uuid ?? null,
    offset: report.offset ?? null,
    promptId: report.promptId ?? null,
    promptUuid: report.promptUuid ?? null,
    requestSession: report.requestSession ?? null,
  }));
}
