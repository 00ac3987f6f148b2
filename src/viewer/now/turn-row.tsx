// A turn on the first screen: what was asked and what came of it. It unfolds to what the agent did; a turn that is running
// is unfolded from the beginning.
import { useEffect, useState } from 'preact/hooks';
import { partsOf, type TurnPart } from '../api/session-parts.ts';
import type { ListedObservation, ListedTurn, Page, ShownItem } from '../api/types.ts';
import { counted, timeIn } from '../ui/amounts.ts';
import { eventsOf, useRecorded } from '../ui/as-of.tsx';
import { useInSight } from '../ui/in-sight.ts';
import { Kind, Time, UNFINISHED } from '../ui/labels.tsx';
import { LongText } from '../ui/long-text.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import { errorText, toolName, toolWhat } from '../ui/tool-text.ts';
import type { TurnEntry } from './turn-groups.ts';

/** A tool use is to be seen soon after the agent reported it. */
const LIVE_MS = 80;
const REMEMBERED_LIVE_MS = 400;
/** The others are in the session. */
const USES_SHOWN = 40;

interface Props {
  readonly entry: TurnEntry;
  /** The time of the session: on the same day the clock says enough. */
  readonly near: string | null;
  /** The session is called as this turn. */
  readonly isTitle: boolean;
}

export function TurnRow({ entry, near, isTitle }: Props) {
  const { turn, request, isRunning, isAwaited } = entry;
  const [isOpen, setOpen] = useState(isAwaited);
  useEffect(() => {
    if (isAwaited) setOpen(true);
  }, [isAwaited]);
  return (
    <li class={isRunning ? 'turn-row is-running' : 'turn-row'}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Time at={turn.startedAt} text={(at) => timeIn(at, near)} />
          <span class="turn-said">
            {!isTitle && (
              <span class="turn-request" dir="auto">
                {plainLine(request)}
              </span>
            )}
            <Outcome entry={entry} isOpen={isOpen} />
          </span>
          <State entry={entry} />
        </summary>
        {isOpen && <Work turn={turn} request={request} />}
      </details>
    </li>
  );
}

function State({ entry: { turn, isRunning } }: { readonly entry: TurnEntry }) {
  const { counts, unfinished } = turn;
  return (
    <span class="turn-state">
      {isRunning && <span class="chip chip-live">running</span>}
      {counts.failed > 0 && <span class="chip chip-bad">{counts.failed} failed</span>}
      {unfinished && !isRunning && <span title={UNFINISHED}>unfinished</span>}
      {counts.toolUses > 0 && <span>{counted(counts.toolUses, 'tool use')}</span>}
    </span>
  );
}

function Outcome({ entry, isOpen }: { readonly entry: TurnEntry; readonly isOpen: boolean }) {
  const { turn, outcome, isRunning, isAwaited } = entry;
  // Unfolded it is the first of the tool uses below.
  if (isRunning)
    return isOpen ? <span class="turn-outcome">Newest first</span> : <LastOf turn={turn} textOf={lastUse} />;
  if (outcome === null)
    return isAwaited || turn.counts.replies > 0 ? <LastOf turn={turn} textOf={lastAnswer} /> : null;
  return <OutcomeText text={outcome} />;
}

function OutcomeText({ text }: { readonly text: string }) {
  return (
    <span class="turn-outcome" dir="auto">
      {plainLine(text)}
    </span>
  );
}

interface LastProps {
  readonly turn: ListedTurn;
  textOf(parts: readonly TurnPart[]): string;
}

/** Read when it comes into sight. */
function LastOf(props: LastProps) {
  const { element, wasSeen } = useInSight<HTMLSpanElement>();
  return <span ref={element}>{wasSeen && <ReadLastOf {...props} />}</span>;
}

function ReadLastOf({ turn, textOf }: LastProps) {
  const { data } = useTurn(turn);
  const text = data === null ? '' : textOf(partsOf(data));
  return text === '' ? null : <OutcomeText text={text} />;
}

function lastUse(parts: readonly TurnPart[]): string {
  const tool = parts.findLast(({ kind }) => kind === 'tool')?.tool ?? null;
  return tool === null ? '' : `${toolName(tool.name)} ${toolWhat(tool)}`;
}

function lastAnswer(parts: readonly TurnPart[]): string {
  return parts.findLast(({ kind, id }) => (kind === 'reply' || kind === 'stop') && id !== null)?.text ?? '';
}

function useTurn({ id, session }: ListedTurn) {
  return useRecorded<ShownItem>(`/api/items/${id}`, {}, { live: LIVE_MS, ...eventsOf(session) });
}

function Work({ turn, request }: { readonly turn: ListedTurn; readonly request: string }) {
  const read = useTurn(turn);
  const { agent, session } = turn;
  const observations = useRecorded<Page<ListedObservation>>(
    '/api/observations',
    { agent, session, limit: 1_000 },
    { live: REMEMBERED_LIVE_MS, ...eventsOf(session) },
  );
  const remembered = observations.data?.items.filter((one) => one.turn === turn.id && !one.unfinished) ?? [];
  return (
    <div class="turn-work">
      {read.data !== null && <Prompt item={read.data} request={request} />}
      {remembered.map(({ id, type, title }) => (
        <p key={id}>
          <Kind kind="observation" type={type} />
          <a href={href('item', id)} dir="auto">
            {plainLine(title)}
          </a>
        </p>
      ))}
      <Shown loaded={read}>
        {(item) => <Uses turn={turn} uses={partsOf(item).filter(({ kind }) => kind === 'tool')} />}
      </Shown>
    </div>
  );
}

/** All of what was asked, if the row above shows only its beginning. */
function Prompt({ item, request }: { readonly item: ShownItem; readonly request: string }) {
  const text = partsOf(item).find(({ kind }) => kind === 'prompt')?.text ?? '';
  if (plainLine(text).length <= plainLine(request).length + 1) return null;
  return <LongText text={text} label="The whole prompt" />;
}

function Uses({ turn, uses }: { readonly turn: ListedTurn; readonly uses: readonly TurnPart[] }) {
  const shown = uses.slice(-USES_SHOWN).reverse();
  const more = uses.length - shown.length;
  const where = href('session', turn.session, { item: turn.id });
  return (
    <>
      <ul>
        {shown.map((part) => (
          <Use key={part.id ?? `${part.at} ${part.text}`} session={turn.session} part={part} />
        ))}
      </ul>
      <p>
        <a href={where}>
          {more > 0 ? `${counted(more, 'earlier tool use')} in its session` : 'Open in its session'}
        </a>
      </p>
    </>
  );
}

function Use({ session, part }: { readonly session: string; readonly part: TurnPart }) {
  const { id, at, agentId, tool } = part;
  const { name, title, outcome, error } = tool ?? { name: '', title: part.text, outcome: null, error: '' };
  const isFailed = outcome === 'failed';
  return (
    <li class={isFailed ? 'use is-failed' : 'use'}>
      <a href={href('session', session, { item: id, at })}>
        <span class="tool-name">{toolName(name)}</span>
        <span class="tool-what" dir="auto">
          {toolWhat({ name, title })}
        </span>
        {agentId !== null && <span class="quiet-text">sub-agent</span>}
        {isFailed && <span class="chip chip-bad">failed</span>}
        {isFailed && error !== '' && <span class="use-error">{errorText(error)}</span>}
      </a>
    </li>
  );
}
