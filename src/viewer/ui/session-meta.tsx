// What is said of a session wherever it is listed: the same dates and the same counts.
import { isPlausible } from '../api/session-parts.ts';
import type { ListedSession } from '../api/types.ts';
import { counted, durationText, short } from './amounts.ts';
import { Time } from './labels.tsx';
import { plainLine } from './plain.ts';

export function SessionMeta({ session }: { readonly session: ListedSession }) {
  const { startedAt, endedAt, project, agent, counts, usage } = session;
  const ms = startedAt === null || endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
  return (
    <span class="row-meta">
      <span class="strong">{plainLine(project)}</span>
      <span>{agent}</span>
      <Time at={startedAt} />
      {ms >= LENGTH_MIN_MS && <span>{durationText(ms)}</span>}
      {counts.prompts > 0 && <span>{counted(counts.prompts, 'prompt')}</span>}
      {counts.toolUses > 0 && <span>{counted(counts.toolUses, 'tool use')}</span>}
      {counts.failed > 0 && <span class="bad">{counts.failed} failed</span>}
      {isPlausible(usage.output, counts.toolUses) && <span>{short(usage.output)} tokens written</span>}
    </span>
  );
}

/** A shorter one says nothing. */
const LENGTH_MIN_MS = 1_000;

/** A session that reported something within this time is under way, ms. */
const UNDER_WAY_MS = 15 * 60_000;

export function isUnderWay({ endedAt, endReason }: ListedSession, now: number): boolean {
  return endReason === null && endedAt !== null && now - Date.parse(endedAt) < UNDER_WAY_MS;
}
