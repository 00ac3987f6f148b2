// What is said of a session wherever it is listed: the same dates and the same counts.
import { isPlausible } from '../api/session-parts.ts';
import type { ListedSession } from '../api/types.ts';
import { counted, short, timeIn, timeText } from './amounts.ts';
import { Time } from './labels.tsx';
import { plainLine } from './plain.ts';

export function SessionMeta({ session }: { readonly session: ListedSession }) {
  const { startedAt, endedAt, project, agent, turns, counts, usage } = session;
  return (
    <span class="row-meta">
      <span class="strong">{plainLine(project)}</span>
      <span>{agent}</span>
      <Span from={startedAt} to={endedAt} />
      {turns > 0 && <span>{counted(turns, 'turn')}</span>}
      {counts.toolUses > 0 && <span>{counted(counts.toolUses, 'tool use')}</span>}
      {counts.failed > 0 && <span class="bad">{counts.failed} failed</span>}
      {isPlausible(usage.output, counts.toolUses) && <span>{short(usage.output)} output tokens</span>}
    </span>
  );
}

/** From when to when something happened in it; the time between is not all work. */
function Span({ from, to }: { readonly from: string | null; readonly to: string | null }) {
  if (from === null || to === null || timeText(from) === timeText(to)) return <Time at={from ?? to} />;
  return (
    <span>
      <Time at={from} /> – <Time at={to} text={(at) => timeIn(at, from)} />
    </span>
  );
}
