// The timeline of a session: a mark for each turn, a slider for the moment, and the replay.

import type { TurnEntry } from '../api/session-parts.ts';
import { clockText, fullTime, timeText } from '../ui/amounts.ts';
import { plainLine } from '../ui/plain.ts';
import { type Replay, STEP_MS } from './replay.ts';
import { turnElement } from './turn.tsx';

const SPEEDS = [10, 60, 300, 1_500];
const MARK_MIN_PERCENT = 0.4;

export function Scrubber({
  turns,
  replay,
}: {
  readonly turns: readonly TurnEntry[];
  readonly replay: Replay;
}) {
  const { first, last, moment, isPlaying, speed } = replay;
  if (last <= first) return null;
  const shownAt = new Date(moment ?? last).toISOString();
  return (
    <div class="scrubber">
      <button type="button" onClick={replay.toggle}>
        {isPlaying ? 'Pause' : 'Replay'}
      </button>
      <div class="scrubber-track">
        <div class="scrubber-turns">
          {turns.map((turn, index) => (
            <TurnMark
              key={turn.id}
              turn={turn}
              number={index + 1}
              end={endOf(turns, index, last)}
              replay={replay}
            />
          ))}
        </div>
        <input
          type="range"
          min={first}
          max={last}
          step={STEP_MS}
          value={moment ?? last}
          aria-label="Moment of the session"
          aria-valuetext={fullTime(shownAt)}
          onInput={({ currentTarget }) => replay.moveTo(Number(currentTarget.value))}
        />
      </div>
      <span class="time">{moment === null ? timeText(shownAt) : clockText(shownAt)}</span>
      <select
        aria-label="Speed of the replay"
        value={speed}
        onChange={({ currentTarget }) => replay.setSpeed(Number(currentTarget.value))}
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
    </div>
  );
}

interface TurnMarkProps {
  readonly turn: TurnEntry;
  readonly number: number;
  readonly end: number;
  readonly replay: Replay;
}

function TurnMark({ turn, number, end, replay: { first, last, moveTo } }: TurnMarkProps) {
  if (turn.at === null) return null;
  const from = Date.parse(turn.at);
  const percent = (time: number) => ((time - first) / (last - first)) * 100;
  const show = () => {
    moveTo(null);
    document.getElementById(turnElement(turn.id))?.scrollIntoView();
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      class={turn.failed > 0 ? 'turn-mark has-failed' : 'turn-mark'}
      title={`${number}. ${plainLine(turn.title)}${turn.failed > 0 ? ` (${turn.failed} failed)` : ''}`}
      aria-label={`Go to turn ${number}`}
      style={{
        left: `${percent(from)}%`,
        width: `${Math.max(MARK_MIN_PERCENT, percent(end) - percent(from))}%`,
      }}
      onClick={show}
    />
  );
}

function endOf(turns: readonly TurnEntry[], index: number, last: number): number {
  const next = turns.slice(index + 1).find(({ at }) => at !== null)?.at;
  return next == null ? last : Date.parse(next);
}
