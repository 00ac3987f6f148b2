// What is said of a session wherever it is listed: the same dates and the same counts.
import type { ListedSession } from '../api/types.ts';
import { counted, durationText, short } from './amounts.ts';
import { Time } from './labels.tsx';
import { plainLine } from './plain.ts';

export function SessionMeta({ session }: { readonly session: ListedSession }) {
  const { startedAt, endedAt, project, agent, counts, usage } = session;
  return (
    <span class="row-meta">
      <Time at={startedAt} />
      {startedAt !== null && endedAt !== null && endedAt > startedAt && (
        <span>{durationText(Date.parse(endedAt) - Date.parse(startedAt))}</span>
      )}
      <span>{plainLine(project)}</span>
      <span>{agent}</span>
      <span>{counted(counts.prompts, 'prompt')}</span>
      <span>{counted(counts.toolUses, 'tool use')}</span>
      {usage.output > 0 && <span>{short(usage.output)} tokens written</span>}
    </span>
  );
}

/** A session that reported something within this time is under way, ms. */
const UNDER_WAY_MS = 15 * 60_000;

export function isUnderWay({ endedAt, endReason }: ListedSession, now: number): boolean {
  return endReason === null && endedAt !== null && now - Date.parse(endedAt) < UNDER_WAY_MS;
}
